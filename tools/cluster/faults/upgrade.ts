/** Instances restarted in turn: as they are, or upgraded to a copy of the same version with a further migration. */
import { cp, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Instances, waitUntilNoticed } from "../instances.ts";
import type { Place } from "./fault.ts";

/** Above those of this version and the next ones. */
const ADDS_COLUMNS = "9998-drill-columns.ts";
const MARKED = "9999-drill-marked.ts";
const EXIT_CONFIGURATION = 78;
/** What a server doesn't read, and what is too large to copy. */
const LEFT_OUT = ["node_modules", "test", "tools", "docs", "data", ".git"];

/** A column for each table, as an upgrade may bring: prepared statements that select all columns would fail. */
const COLUMNS = `import { sql } from "kysely";
export async function up(db) {
  for (const { name } of await db.introspection.getTables())
    await sql\`alter table \${sql.table(name)} add column drill_note text\`.execute(db);
}
`;
const NOTHING = `export const stopsOlderVersions = true;
export async function up() {}
`;

export async function restartInTurn({ servers: { instances } }: Place): Promise<string[]> {
  for (let index = 0; index < instances.count; index += 1) {
    await instances.restart(index);
    await waitUntilNoticed();
  }
  return [];
}

export async function upgrade(place: Place): Promise<string[]> {
  const { instances, folder } = place.servers;
  const newer = await copyOf(instances.tree, join(folder, "newer"), { [ADDS_COLUMNS]: COLUMNS });
  instances.tree = newer;
  await restartInTurn(place);
  const marked = await copyOf(newer, join(folder, "marked"), { [MARKED]: NOTHING });
  return rejectMarked(instances, marked);
}

/** A migration that older versions can't live with must not run while they do. */
async function rejectMarked(instances: Instances, tree: string): Promise<string[]> {
  const server = await instances.startTrial({ tree });
  const tooLong = setTimeout(() => server.kill("SIGKILL"), 60_000);
  await Promise.race([server.ended, server.waitForLog("listening").catch(() => {})]);
  if (server.isRunning) server.kill("SIGKILL");
  const { code } = await server.ended;
  clearTimeout(tooLong);
  if (code === EXIT_CONFIGURATION) return [];
  return [
    `a marked migration ended with ${code}, not ${EXIT_CONFIGURATION}:\n${server.lastLines.join("\n")}`,
  ];
}

async function copyOf(tree: string, target: string, migrations: Readonly<Record<string, string>>) {
  const entries = (await readdir(tree)).filter((name) => !LEFT_OUT.includes(name));
  for (const name of entries) await cp(join(tree, name), join(target, name), { recursive: true });
  await symlink(join(tree, "node_modules"), join(target, "node_modules"));
  for (const [name, text] of Object.entries(migrations))
    await writeFile(join(target, "migrations", name), text);
  return target;
}

/** `move --to-database <url> --to-storage <url>` moves the data of DATA_DIR to servers, `--from-…` back. */
import { join } from "node:path";
import { z } from "zod";
import { readOrCreateSecret } from "../adapters/private-files.ts";
import { type Config, readConfig } from "../config.ts";
import { SECRET_FILE } from "../lib/data-dir-names.ts";
import { messageOf } from "../lib/node-errors.ts";
import { type Moved, moveData } from "../operation/move/commands.ts";
import { type Call, EX_USAGE } from "./command.ts";
import { createProgress } from "./progress.ts";

const url = z.string().optional();
const moveOptions = z.object({ toDatabase: url, toStorage: url, fromDatabase: url, fromStorage: url });

export async function move({ options }: Call): Promise<number> {
  const { toDatabase, toStorage, fromDatabase, fromStorage } = moveOptions.parse(options);
  const isOut = toDatabase !== undefined || toStorage !== undefined;
  const isBack = fromDatabase !== undefined || fromStorage !== undefined;
  if (isOut === isBack) {
    process.stderr.write(
      "Name the servers: either --to-database and --to-storage, or --from-database and --from-storage.\n",
    );
    return EX_USAGE;
  }
  const [server, folder] = selectConfigs(toDatabase ?? fromDatabase, toStorage ?? fromStorage);
  const [from, to] = isOut ? [folder, server] : [server, folder];
  using progress = createProgress(process.stderr);
  const moved = await moveData({ from, to, progress });
  print(moved);
  if (moved.vacuumError !== undefined) process.stderr.write(`${describeVacuumError(moved.vacuumError)}\n`);
  process.stdout.write(
    `The source is unchanged. Before the next start, ${describeNextStep(isOut, moved, to)}\n`,
  );
  return 0;
}

/** The service's own settings apply to both, except for what is moved. */
function selectConfigs(database: string | undefined, storage: string | undefined): [Config, Config] {
  const [databases, stores] = [database !== undefined, storage !== undefined];
  const server = {
    ...(databases && { DATABASE_URL: database, DATABASE_REPORT_URL: undefined }),
    ...(stores && { STORAGE_URL: storage, DELIVERY: undefined }),
  };
  const folder = {
    ...(databases && { DATABASE_URL: undefined, DATABASE_REPORT_URL: undefined }),
    ...(stores && { STORAGE_URL: undefined, DELIVERY: undefined }),
  };
  return [readConfig(undefined, server), readConfig(undefined, folder)];
}

function print({ tables, files }: Moved): void {
  if (tables) {
    for (const { table, rows, sha256 } of tables) {
      process.stdout.write(`${String(rows).padStart(10)}  ${table.padEnd(18)}  ${sha256}\n`);
    }
    const total = tables.reduce((sum, { rows }) => sum + rows, 0);
    process.stdout.write(`Moved and compared ${total} rows.\n`);
  }
  if (files)
    process.stdout.write(`Moved ${files.files} files and ${files.covers} covers; all hashes are right.\n`);
}

function describeVacuumError(error: unknown): string {
  const reason = messageOf(error);
  return `The tables of the target could not be vacuumed (${reason}). Until the server does it, lists are slow: run VACUUM (ANALYZE) in that database.`;
}

function describeNextStep(isOut: boolean, { tables, files }: Moved, { authSecret, dataDir }: Config): string {
  const variables = [...(tables ? ["DATABASE_URL"] : []), ...(files ? ["STORAGE_URL"] : [])].join(" and ");
  if (!isOut) return `remove ${variables}${tables ? ", and keep AUTH_SECRET as it is" : ""}.`;
  // The data folder, and with it the secret, stays in use.
  if (!tables) return `set ${variables}.`;
  if (authSecret !== undefined) return `set ${variables}, and keep AUTH_SECRET as it is.`;
  // After a restore there is none before the first start.
  readOrCreateSecret(dataDir);
  return `set ${variables}, and AUTH_SECRET to the content of ${join(dataDir, SECRET_FILE)}: with another secret, all users have to log in again.`;
}

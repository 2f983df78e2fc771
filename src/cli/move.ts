/** `move --to-database <url>` moves the data of DATA_DIR to a database server, `move --from-database <url>` back. */
import { z } from "zod";
import { type Config, readConfig } from "../config.ts";
import type { TableDigest } from "../db/moved-tables.ts";
import { moveRows } from "../move/commands.ts";
import { type Call, EX_USAGE } from "./command.ts";
import { progressOn } from "./progress.ts";

const moveOptions = z.object({ toDatabase: z.string().optional(), fromDatabase: z.string().optional() });

export async function move({ options }: Call): Promise<number> {
  const { toDatabase, fromDatabase } = moveOptions.parse(options);
  if ((toDatabase === undefined) === (fromDatabase === undefined)) {
    process.stderr.write("Name one database: --to-database <url> or --from-database <url>.\n");
    return EX_USAGE;
  }
  // The settings of the service apply, for example those of the pool.
  const server = readConfig(undefined, { DATABASE_URL: toDatabase ?? fromDatabase });
  const folder = readConfig(undefined, { DATABASE_URL: undefined, DATABASE_REPORT_URL: undefined });
  const [from, to] = toDatabase === undefined ? [server, folder] : [folder, server];
  const progress = progressOn(process.stderr);
  try {
    print(await moveRows({ from, to, progress }));
    process.stdout.write(nextStep(to));
    return 0;
  } finally {
    progress.end();
  }
}

function print(digests: readonly TableDigest[]): void {
  for (const { table, rows, sha256 } of digests) {
    process.stdout.write(`${String(rows).padStart(10)}  ${table.padEnd(18)}  ${sha256}\n`);
  }
  const total = digests.reduce((sum, { rows }) => sum + rows, 0);
  process.stdout.write(`Moved and compared ${total} rows. The source is unchanged.\n`);
}

const nextStep = ({ postgres, dataDir }: Config): string =>
  postgres
    ? `Set DATABASE_URL before the next start. For several instances, set AUTH_SECRET to the content of ${dataDir}/auth-secret, or all users have to log in again.\n`
    : "Remove DATABASE_URL before the next start.\n";

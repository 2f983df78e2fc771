/** Five million downloads that are moved to PostgreSQL: how long that takes, and what `analytics` measures there. */
import { join } from "node:path";
import { readConfig } from "../../src/config.ts";
import { moveData } from "../../src/operation/move/commands.ts";
import { EVENTS, generateEvents } from "../lib/event-generator.ts";
import { temporaryFolder } from "../lib/temporary-folder.ts";
import { reportRows } from "./analytics.ts";
import { startServer } from "./postgres.ts";
import { type BenchRow, boundRow } from "./row.ts";
import { onPostgres } from "./service-process.ts";

const MAX_MOVE_S = 1200;

export async function run(): Promise<BenchRow[]> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(temporaryFolder("bench-analytics")).path;
  const dataDir = join(folder, "data");
  await generateEvents(join(dataDir, "database.sqlite"));
  const server = opened.use(await startServer(folder));
  const url = await server.createDatabase("analytics");

  const begin = performance.now();
  const from = readConfig({ DATA_DIR: dataDir });
  await moveData({ from, to: readConfig({ DATA_DIR: dataDir, ...onPostgres(url) }) });
  const seconds = (performance.now() - begin) / 1000;
  return [
    boundRow(`${EVENTS} events moved to PostgreSQL and compared`, seconds, "s", MAX_MOVE_S),
    ...(await reportRows([dataDir, url])),
  ];
}

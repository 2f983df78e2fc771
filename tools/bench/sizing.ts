/** Processor time of the service for a request, on PostgreSQL against SQLite: the base of the sizing in docs/scaling.md. */

import { temporaryFolder } from "../lib/temporary-folder.ts";
import { askForLink } from "./administrator.ts";
import { type HttpLoad, measureResponsesPerSecond } from "./http-load.ts";
import { startMeasured } from "./measured-process.ts";
import { startServer } from "./postgres.ts";
import { LIST_LOAD } from "./public-list.ts";
import { type BenchRow, compare } from "./row.ts";
import { SERVICE_PROCESS, serviceFacts } from "./service-process.ts";
import { SUBMIT_LOAD } from "./submits.ts";

const ROUNDS = 3;
const FILE_BYTES = 1_000_000;

export async function run(): Promise<BenchRow[]> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(temporaryFolder("bench-sizing")).path;
  const server = opened.use(await startServer(folder));
  const start = async (...args: string[]) => {
    const service = await startMeasured(SERVICE_PROCESS, [...args, `${FILE_BYTES}`], serviceFacts);
    opened.defer(() => service.stop());
    return { ...service, link: await askForLink(service.facts.port, "sw", service.facts.fileSlug) };
  };
  const onPostgres = await start("postgres", await server.createDatabase("sizing"));
  const onSqlite = await start("service");
  const rows: BenchRow[] = [];
  for (const [what, loadOn] of LOADS) {
    const { ours, other, ratio } = await compare(
      ROUNDS,
      () => measureMilliseconds(onPostgres, loadOn(onPostgres.link)),
      () => measureMilliseconds(onSqlite, loadOn(onSqlite.link)),
    );
    rows.push({
      what: `processor time of ${what}, PostgreSQL against SQLite`,
      ours: `${ours.toFixed(2)} ms`,
      other: `${other.toFixed(2)} ms`,
      ratio: Number(ratio.toFixed(2)),
      bound: "none",
      ok: true,
    });
  }
  return rows;
}

type Load = Omit<HttpLoad, "port">;

const LOADS: readonly [what: string, load: (link: string) => Load][] = [
  ["a list of 50", () => ({ ...LIST_LOAD, status: 200 })],
  ["a form", () => SUBMIT_LOAD],
  ["a file of 1 MB", (path) => ({ ...LIST_LOAD, path, status: 200 })],
];

type Service = Awaited<ReturnType<typeof startMeasured<typeof serviceFacts>>>;

async function measureMilliseconds({ facts: { port }, usage }: Service, load: Load): Promise<number> {
  const before = await usage();
  const rate = await measureResponsesPerSecond({ ...load, port });
  const after = await usage();
  return (after.processorMs - before.processorMs) / (rate * load.seconds);
}

/** How others fare beside clients that mean to hold the server up, by slowhttptest. `BENCH_SECONDS` makes it shorter. */
import { execFile, spawnSync } from "node:child_process";
import { promisify, stripVTControlCharacters } from "node:util";
import { Administrator, askForLink } from "./administrator.ts";
import { waitRow } from "./other-reader.ts";
import { forgetPeak, memoryOf, type RealServer, withRealServer } from "./real-server.ts";
import type { BenchRow } from "./row.ts";

const TOOL = "slowhttptest";
const SECONDS = Number(process.env.BENCH_SECONDS ?? 30);
const CONNECTIONS = 500;
const NEW_A_SECOND = 50;
const FILE_BYTES = 50_000_000;
const MEGABYTE = 1e6;

const inOwnProcess = promisify(execFile);

interface Attack {
  what: string;
  path: string;
  options: readonly string[];
}

const attacksOn = (file: string): Attack[] => [
  { what: "slow headers", path: "/api/books", options: ["-H", "-i", "5"] },
  {
    what: "slow bodies",
    path: "/api/download/submit",
    options: ["-B", "-i", "5", "-s", "4096", "-f", "application/json"],
  },
  { what: "overlapping ranges", path: file, options: ["-R", "-t", "GET", "-a", "1", "-b", "3000"] },
  { what: "slow readers", path: file, options: ["-X", "-w", "512", "-y", "1024", "-n", "5", "-z", "32"] },
];

export async function run(): Promise<BenchRow[]> {
  if (spawnSync(TOOL, ["-h"]).error) {
    console.error(`${TOOL} isn't installed: slow clients aren't measured.`);
    return [];
  }
  return withRealServer({}, attack);
}

async function attack(server: RealServer): Promise<BenchRow[]> {
  const { port } = server;
  const idle = memoryOf(server).now;
  const { slug } = await (await Administrator.of(port)).addLargeBook("en", FILE_BYTES);
  const rows: BenchRow[] = [];
  for (const { what, path, options } of attacksOn(await askForLink(port, "en", slug))) {
    forgetPeak(server);
    const common = `-c ${CONNECTIONS} -r ${NEW_A_SECOND} -l ${SECONDS} -u http://127.0.0.1:${port}${path}`;
    let report = "";
    const row = await waitRow(`${CONNECTIONS} of ${what}`, port, async () => {
      report = (await inOwnProcess(TOOL, [...options, ...common.split(" ")])).stdout;
    });
    const growth = Math.round((memoryOf(server).peak - idle) / MEGABYTE);
    rows.push({ ...row, other: `${row.other}; ${summary(report)}; ${growth} MB` });
  }
  return rows;
}

/** What the tool says last of its connections, and whether it was served itself. */
function summary(report: string): string {
  const text = stripVTControlCharacters(report);
  const last = (name: string) => text.match(new RegExp(`(?<=${name}:\\s+)\\w+`, "g"))?.at(-1) ?? "?";
  return `${last("closed")} closed, ${last("connected")} open, available ${last("service available")}`;
}

if (import.meta.main) console.table(await run());

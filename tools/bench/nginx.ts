/** Files by token against nginx, which sends the same files from its folder. Skipped where there is no nginx. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../lib/server-process.ts";
import { askForLink } from "./administrator.ts";
import { downloadSpeed } from "./download-load.ts";
import { startMeasured } from "./measured-process.ts";
import { type BenchRow, compare, speedRow } from "./row.ts";
import { SERVICE_PROCESS, serviceFacts } from "./service-process.ts";

const NGINX = "/usr/sbin/nginx";
const MEGABYTE = 1_000_000;
const LOADS = [
  { bytes: MEGABYTE, connections: 64, least: 0.9 },
  { bytes: 200 * MEGABYTE, connections: 4, least: 1 },
];
const ROUNDS = 9;

export async function run(): Promise<BenchRow[]> {
  if (!existsSync(NGINX)) {
    console.error(`There is no ${NGINX}: skipped.`);
    return [];
  }
  const rows: BenchRow[] = [];
  for (const load of LOADS) rows.push(await compareWith(load));
  return rows;
}

async function compareWith({ bytes, connections, least }: (typeof LOADS)[number]): Promise<BenchRow> {
  const folder = await mkdtemp(join(tmpdir(), "bench-nginx-"));
  await writeFile(join(folder, "book.bin"), Buffer.alloc(bytes, "book"));
  const port = await freePort(0);
  const nginx = await startNginx(folder, port);
  const service = await startMeasured(SERVICE_PROCESS, ["service", String(bytes)], serviceFacts);
  const { fileSlug, port: ownPort } = service.facts;
  const link = await askForLink(ownPort, "sw", fileSlug);
  const speedOf = (source: { port: number; path: string }) =>
    downloadSpeed({ ...source, connections, bytes, isPart: false });
  try {
    const measured = await compare(
      ROUNDS,
      () => speedOf({ port: ownPort, path: link }),
      () => speedOf({ port, path: "/book.bin" }),
    );
    return speedRow(
      `files of ${bytes / MEGABYTE} MB by token, ${connections} connections, against nginx`,
      measured,
      least,
    );
  } finally {
    nginx.kill();
    await Promise.all([service.stop(), once(nginx, "exit")]);
    await rm(folder, { recursive: true });
  }
}

/** With one worker, as the service has one process. */
async function startNginx(folder: string, port: number): Promise<ChildProcess> {
  const config = join(folder, "nginx.conf");
  await writeFile(
    config,
    `daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 1024; }
http { access_log off; sendfile on; tcp_nopush on; server { listen 127.0.0.1:${port}; root ${folder}; } }
`,
  );
  const nginx = spawn(NGINX, ["-c", config], { stdio: "inherit" });
  while (!existsSync(join(folder, "nginx.pid"))) await wait(20);
  return nginx;
}

if (import.meta.main) console.table(await run());

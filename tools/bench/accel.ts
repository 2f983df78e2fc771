/** Processor time of a large file: sent by nginx for the service (`DELIVERY=accel`), and by the service itself, against nginx alone. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../lib/server-process.ts";
import { temporaryFolder } from "../lib/temporary-folder.ts";
import { askForLink } from "./administrator.ts";
import { downloadSpeed } from "./download-load.ts";
import { startMeasured } from "./measured-process.ts";
import { readProcessorMs } from "./processor-time.ts";
import { type BenchRow, type Comparison, compare } from "./row.ts";
import { SERVICE_PROCESS, serviceFacts } from "./service-process.ts";

const FILE_BYTES = 200_000_000;
/** In a round: the system counts processor time in hundredths of a second. */
const DOWNLOADS = 10;
const ROUNDS = 7;
const READY_MS = 10_000;

export async function run(): Promise<BenchRow[]> {
  const [accel, proxy] = await Promise.all(
    ["accel", "service"].map((kind) =>
      startMeasured(SERVICE_PROCESS, [kind, String(FILE_BYTES)], serviceFacts),
    ),
  );
  if (!accel || !proxy) throw new Error("No service was started.");
  using folder = temporaryFolder("bench-accel");
  const nginx = await startNginx(folder.path, accel.facts);
  try {
    const link = await askForLink(accel.facts.port, "sw", accel.facts.fileSlug);
    const named = await fetch(`http://127.0.0.1:${accel.facts.port}${link}`, { method: "HEAD" });
    const own = named.headers.get("x-accel-redirect")?.replace("/protected/", "/own/") ?? "";
    const alone = () => measure(nginx.port, own, nginx.pids());
    const handedOver = () => measure(nginx.port, link, [...nginx.pids(), accel.pid]);
    const plainLink = await askForLink(proxy.facts.port, "sw", proxy.facts.fileSlug);
    const plain = () => measure(proxy.facts.port, plainLink, [proxy.pid]);
    return [
      toRow("nginx and service with DELIVERY=accel", await compare(ROUNDS, handedOver, alone), 1.3),
      toRow("service without a proxy", await compare(ROUNDS, plain, alone), undefined),
    ];
  } finally {
    await Promise.all([nginx.stop(), accel.stop(), proxy.stop()]);
  }
}

const toRow = (what: string, { ours, other, ratio }: Comparison, most: number | undefined): BenchRow => ({
  what: `processor time of 200 MB: ${what}, nginx alone`,
  ours: `${Math.round(ours)} ms`,
  other: `${Math.round(other)} ms`,
  ratio: Number(ratio.toFixed(2)),
  bound: most === undefined ? "" : `at most ${most}`,
  ok: most === undefined || ratio <= most,
});

/** @returns milliseconds of processor time that these processes take for a download */
async function measure(port: number, path: string, pids: readonly number[]): Promise<number> {
  const before = sumProcessorMs(pids);
  for (let done = 0; done < DOWNLOADS; done++)
    await downloadSpeed({ port, path, connections: 1, bytes: FILE_BYTES, isPart: false });
  return (sumProcessorMs(pids) - before) / DOWNLOADS;
}

const sumProcessorMs = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + readProcessorMs(pid), 0);

/** nginx in front of the service, which also has its files below `/own/`. */
async function startNginx(folder: string, { port: servicePort, dataDir }: { port: number; dataDir: string }) {
  const port = await freePort(0);
  const file = join(folder, "nginx.conf");
  writeFileSync(file, configure(folder, { port, servicePort, dataDir }));
  const master = spawn("nginx", ["-c", file, "-e", "stderr"], { stdio: ["ignore", "ignore", "inherit"] });
  await waitUntilListening(master, port);
  const children = `/proc/${master.pid}/task/${master.pid}/children`;
  return {
    port,
    pids: () => readFileSync(children, "utf8").trim().split(" ").map(Number),
    async stop() {
      master.kill();
      await once(master, "exit");
    },
  };
}

const configure = (
  folder: string,
  { port, servicePort, dataDir }: { port: number; servicePort: number; dataDir: string },
): string =>
  `daemon off; ${process.getuid?.() === 0 ? "user root;" : ""} worker_processes 1; pid ${folder}/pid; events {}
   http {
     access_log off; sendfile on; tcp_nopush on;
     ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((each) => `${each}_temp_path ${folder}/${each};`).join(" ")}
     upstream service { server 127.0.0.1:${servicePort}; keepalive 4; }
     server {
       listen 127.0.0.1:${port};
       location /own/ { alias ${dataDir}/; }
       location /protected/ { internal; alias ${dataDir}/; }
       location /api/ { proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection ""; }
     }
   }`;

async function waitUntilListening(master: ChildProcess, port: number): Promise<void> {
  for (const end = performance.now() + READY_MS; ; ) {
    try {
      await fetch(`http://127.0.0.1:${port}/`);
      return;
    } catch (cause) {
      if (master.exitCode !== null || performance.now() > end)
        throw new Error("nginx isn't ready.", { cause });
      await wait(50);
    }
  }
}

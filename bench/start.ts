/** From `node src/server.ts` on an empty folder to the first 200. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type BenchRow, median } from "./row.ts";

const ROUNDS = 7;
const SERVER = join(import.meta.dirname, "../src/server.ts");

export async function run(): Promise<BenchRow[]> {
  const seconds: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await secondsOf(() => once(spawn(process.execPath, ["-e", "0"]), "exit")));
    seconds.push(await firstAnswer());
  }
  const [ours, other] = [median(seconds), median(bare)];
  return [
    {
      what: "first 200 after node src/server.ts (empty folder), against node -e 0",
      ours: `${ours.toFixed(2)} s`,
      other: `${other.toFixed(2)} s`,
      ratio: Number((ours / other).toFixed(1)),
      bound: "ours under 0.7 s",
      ok: ours < 0.7,
    },
  ];
}

async function firstAnswer(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "bench-start-"));
  const port = await freePort();
  const env = { ...process.env, DATA_DIR: folder, PORT: String(port), HOST: "127.0.0.1" };
  const start = performance.now();
  const server = spawn(process.execPath, [SERVER], { env, stdio: "ignore" });
  while (!(await isHealthy(port))) await wait(3);
  const seconds = (performance.now() - start) / 1000;
  server.kill();
  await once(server, "exit");
  rmSync(folder, { recursive: true });
  return seconds;
}

const isHealthy = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/api/health`).then(
    ({ ok }) => ok,
    () => false,
  );

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("There is no free port");
  return address.port;
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

if (import.meta.main) console.table(await run());

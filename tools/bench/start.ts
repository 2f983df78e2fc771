/** From `node src/server.ts` on an empty folder to the first 200. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startRealServer } from "./real-server.ts";
import { type BenchRow, median } from "./row.ts";

const ROUNDS = 7;

export async function run(): Promise<BenchRow[]> {
  const seconds: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await secondsOf(() => once(spawn(process.execPath, ["-e", "0"]), "exit")));
    seconds.push(await firstResponse());
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

async function firstResponse(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "bench-start-"));
  const server = await startRealServer(folder);
  await server.stop();
  rmSync(folder, { recursive: true });
  return server.startSeconds;
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

if (import.meta.main) console.table(await run());

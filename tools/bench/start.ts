/** From the start of the process on an empty folder to the first 200. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SERVER, ServerProcess } from "../lib/server-process.ts";
import { IMAGE_ENVIRONMENT } from "./measured-process.ts";
import { type BenchRow, median } from "./row.ts";

const ROUNDS = 15;
const MAX_SECONDS = 0.7;
const pathOf = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const COMMANDS = [
  { what: "npm start", script: [pathOf("scripts/node.mjs"), pathOf("src/cli.ts"), "serve"] },
  { what: "node src/server.ts", script: [SERVER] },
];

export async function run(): Promise<BenchRow[]> {
  const bare: number[] = [];
  const started = COMMANDS.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await secondsOf(() => once(spawn(process.execPath, ["-e", "0"]), "exit")));
    for (const [index, { script }] of COMMANDS.entries()) started[index]?.push(await firstResponse(script));
  }
  const other = median(bare);
  return COMMANDS.map(({ what }, index) => {
    const ours = median(started[index] ?? []);
    return {
      what: `first 200 after ${what} (empty folder), against node -e 0`,
      ours: `${ours.toFixed(2)} s`,
      other: `${other.toFixed(2)} s`,
      ratio: Number((ours / other).toFixed(1)),
      bound: `ours under ${MAX_SECONDS} s`,
      ok: ours < MAX_SECONDS,
    };
  });
}

async function firstResponse(script: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "bench-start-"));
  const server = new ServerProcess({ ...IMAGE_ENVIRONMENT, DATA_DIR: folder }, { script });
  const { readyMs } = await server.ready();
  await server.stop();
  rmSync(folder, { recursive: true });
  return readyMs / 1000;
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

if (import.meta.main) console.table(await run());

/**
 * What one client without a credential can do to the others: eleven attacks, one after the other, each on a server of its
 * own. Meanwhile the health check is asked from another address. `npm run bench -- abuse`
 */
import { statSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { z } from "zod";
import { type Attack, attacks } from "./abuse-attacks.ts";
import { forgetPeak, memoryOf, type RealServer, withRealServer } from "./real-server.ts";
import { type BenchRow, boundRow } from "./row.ts";

const MEGABYTE = 1e6;
/** By then the server has loaded what it doesn't need for its start. */
const AFTER_START_MS = 2000;
const MAX_DESCRIPTORS = 1000;
const BLOCK_BYTES = 512;
const MAX_WAIT_MS = 100;
const MAX_MEMORY_MB = 150;

export async function run(): Promise<BenchRow[]> {
  const wanted = process.env.BENCH_ATTACKS?.split(",");
  const rows: BenchRow[] = [];
  for (const attack of attacks) {
    if (wanted && !wanted.some((name) => attack.name.includes(name))) continue;
    console.error(`attack: ${attack.name} …`);
    rows.push(...(await withRealServer(attack.variables ?? {}, (server) => measure(attack, server))));
  }
  return rows;
}

async function measure({ name, prepare, act }: Attack, server: RealServer): Promise<BenchRow[]> {
  const strike = await prepare(server.port);
  await wait(AFTER_START_MS);
  const idle = memoryOf(server).now;
  forgetPeak(server);
  const probe = new HealthProbe(server.port);
  const outcome = await act(strike, () => namelessBytes(server));
  const longest = await probe.stop();
  const growth = (memoryOf(server).peak - idle) / MEGABYTE;
  return [
    boundRow(`${name}: health waits at most`, longest, "ms", MAX_WAIT_MS),
    boundRow(`${name}: memory above idle`, growth, "MB", MAX_MEMORY_MB),
    ...outcome,
  ];
}

/** Disk that is held by open files without a name: neither `du` nor a limit of a folder sees it. */
function namelessBytes({ pid }: RealServer): number {
  let bytes = 0;
  for (let number = 0; number < MAX_DESCRIPTORS; number += 1) {
    const facts = statSync(`/proc/${pid}/fd/${number}`, { throwIfNoEntry: false });
    if (facts?.isFile() && facts.nlink === 0) bytes += facts.blocks * BLOCK_BYTES;
  }
  return bytes;
}

const longestWait = z.number();

/** Asks for the health of a server time and again, in a thread of its own and from an address of its own. */
class HealthProbe {
  readonly #worker: Worker;

  constructor(port: number) {
    this.#worker = new Worker(new URL("./abuse-probe.ts", import.meta.url), { workerData: port });
  }

  /** @returns the longest wait in milliseconds, a question without a response so far included */
  async stop(): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    this.#worker.once("message", resolve);
    this.#worker.postMessage("stop");
    return longestWait.parse(await promise);
  }
}

if (import.meta.main) console.table(await run());

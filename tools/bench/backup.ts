/**
 * The worst of 200 writes a second while one backup after the other is made, against the worst without: in turn, so
 * that other work of the machine meets both alike. `node tools/bench/backup.ts 100` for more than 20 backups.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { temporaryFolder } from "../lib/temporary-folder.ts";
import { startMeasured } from "./measured-process.ts";
import { type BenchRow, computeMedian } from "./row.ts";
import { SERVICE_PROCESS, serviceFacts } from "./service-process.ts";

const CLI = join(import.meta.dirname, "../../src/cli.ts");
const BACKUPS = 20;
const WRITES_PER_SECOND = 200;
const WARM_UP_MS = 2000;
const WORST_MS = 100;
const FILE_BYTES = "100000000";

export async function run(backups = BACKUPS): Promise<BenchRow[]> {
  using out = temporaryFolder("bench-backup");
  const service = await startMeasured(SERVICE_PROCESS, ["service", FILE_BYTES, "200"], serviceFacts);
  try {
    const { port, dataDir } = service.facts;
    const writes = new SteadyWrites(port);
    await writes.measureDuring(() => wait(WARM_UP_MS));
    const [beside, without, lengths]: [number[], number[], number[]] = [[], [], []];
    for (let made = 0; made < backups; made += 1) {
      const start = performance.now();
      beside.push(...(await writes.measureDuring(() => backUp(dataDir, out.path))));
      const length = performance.now() - start;
      without.push(...(await writes.measureDuring(() => wait(length))));
      lengths.push(length);
    }
    return [rowOf({ beside, without, lengths })];
  } finally {
    await service.stop();
  }
}

function rowOf({ beside, without, lengths }: Record<"beside" | "without" | "lengths", number[]>): BenchRow {
  const [ours, other] = [Math.max(...beside), Math.max(...without)];
  const reported = (worst: number, all: readonly number[]) =>
    `${worst.toFixed(0)} ms (${all.filter((ms) => ms >= WORST_MS).length} of ${all.length} over ${WORST_MS})`;
  return {
    what: `worst of ${WRITES_PER_SECOND} writes a second beside ${lengths.length} backups (${(computeMedian(lengths) / 1000).toFixed(1)} s each, all verified), against none`,
    ours: reported(ours, beside),
    other: reported(other, without),
    ratio: Number((ours / other).toFixed(2)),
    bound: `ours under ${WORST_MS} ms`,
    ok: ours < WORST_MS,
  };
}

/** Fails unless the backup is made and verified. */
async function backUp(dataDir: string, out: string): Promise<void> {
  const args = [CLI, "backup", "--out", out, "--keep", "2"];
  const env = { ...process.env, DATA_DIR: dataDir };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "inherit"] });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`The backup ended with ${code}`);
}

/** Readers who ask for a book, one every 5 ms: one that waits holds up none after it. */
class SteadyWrites {
  readonly #port: number;
  #sent = 0;

  constructor(port: number) {
    this.#port = port;
  }

  /** How long each took, in milliseconds, of those that were sent while `work` went on. */
  async measureDuring(work: () => Promise<unknown>): Promise<number[]> {
    const took: number[] = [];
    const open = new Set<Promise<void>>();
    const write = async () => {
      const sent = performance.now();
      await this.#submit();
      took.push(performance.now() - sent);
    };
    let isOver = false;
    const writing = (async () => {
      for (let due = performance.now(); !isOver; ) {
        await wait(Math.max(1, due - performance.now()));
        // Those too that are late because this process had to wait for the processor.
        for (; due <= performance.now(); due += 1000 / WRITES_PER_SECOND) {
          const done = write().finally(() => open.delete(done));
          open.add(done);
        }
      }
      await Promise.all(open);
    })();
    await Promise.all([work().finally(() => (isOver = true)), writing]);
    return took;
  }

  async #submit(): Promise<void> {
    this.#sent += 1;
    const contact = { email: `reader${this.#sent}@example.org`, firstName: "Sara" };
    const response = await fetch(`http://127.0.0.1:${this.#port}/api/download/submit`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ slug: "book-number-7", languageCode: "es", fileType: "pdf", contact }),
    });
    if (response.status !== 200) throw new Error(`A write was answered with ${response.status}`);
    await response.arrayBuffer();
  }
}

if (import.meta.main) console.table(await run(Number(process.argv[2] ?? BACKUPS)));

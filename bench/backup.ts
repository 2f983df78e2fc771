/**
 * The worst of 200 writes a second while one backup after the other is made, against the worst without backups.
 * `node bench/backup.ts 100` for more than 20 of them.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { startMeasured } from "./measured-process.ts";
import { type BenchRow, median } from "./row.ts";
import { SERVICE_PROCESS, serviceFacts } from "./service-process.ts";

const CLI = join(import.meta.dirname, "../src/cli.ts");
const BACKUPS = 20;
const WRITES_A_SECOND = 200;
const WITHOUT_MS = 20_000;
const WORST_MS = 100;
const FILE_BYTES = "100000000";

export async function run(backups = BACKUPS): Promise<BenchRow[]> {
  const out = mkdtempSync(join(tmpdir(), "bench-backup-"));
  const service = await startMeasured(SERVICE_PROCESS, ["service", FILE_BYTES, "200"], serviceFacts);
  try {
    const { port, dataDir } = service.facts;
    // The first writes warm up.
    await worstOf(port, () => wait(2000));
    const without = await worstOf(port, () => wait(WITHOUT_MS));
    const seconds: number[] = [];
    const worst = await worstOf(port, async () => {
      for (let made = 0; made < backups; made += 1) seconds.push(await backUp(dataDir, out));
    });
    return [
      {
        what: `worst of ${WRITES_A_SECOND} writes a second beside ${backups} backups (${median(seconds).toFixed(1)} s each, all verified), against none`,
        ours: `${worst.toFixed(0)} ms`,
        other: `${without.toFixed(0)} ms`,
        ratio: Number((worst / without).toFixed(2)),
        bound: `ours under ${WORST_MS} ms`,
        ok: worst < WORST_MS,
      },
    ];
  } finally {
    await service.stop();
    rmSync(out, { recursive: true });
  }
}

/** Fails unless the backup is made and verified. */
async function backUp(dataDir: string, out: string): Promise<number> {
  const start = performance.now();
  const args = [CLI, "backup", "--out", out, "--keep", "2"];
  const env = { ...process.env, DATA_DIR: dataDir };
  const [code] = await once(
    spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "inherit"] }),
    "exit",
  );
  if (code !== 0) throw new Error(`The backup ended with ${code}`);
  return (performance.now() - start) / 1000;
}

/** The longest that a write took, in milliseconds, as long as `work` lasts. One that waits holds up none after it. */
async function worstOf(port: number, work: () => Promise<unknown>): Promise<number> {
  let [worst, isOver] = [0, false];
  const open = new Set<Promise<void>>();
  const write = async () => {
    const sent = performance.now();
    await submit(port);
    worst = Math.max(worst, performance.now() - sent);
  };
  const writing = (async () => {
    for (let due = performance.now(); !isOver; ) {
      await wait(Math.max(1, due - performance.now()));
      // Those too that are late because this process had to wait for the processor.
      for (; due <= performance.now(); due += 1000 / WRITES_A_SECOND) {
        const done = write().finally(() => open.delete(done));
        open.add(done);
      }
    }
    await Promise.all(open);
  })();
  await Promise.all([work().finally(() => (isOver = true)), writing]);
  return worst;
}

let number = 0;

async function submit(port: number): Promise<void> {
  number += 1;
  const contact = { email: `reader${number}@example.org`, firstName: "Sara" };
  const answer = await fetch(`http://127.0.0.1:${port}/api/download/submit`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ slug: "book-number-7", languageCode: "es", fileType: "pdf", contact }),
  });
  if (answer.status !== 200) throw new Error(`A write was answered with ${answer.status}`);
  await answer.arrayBuffer();
}

if (import.meta.main) console.table(await run(Number(process.argv[2] ?? BACKUPS)));

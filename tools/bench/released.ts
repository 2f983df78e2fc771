/** Removal of 100,000 due files: how long it holds the event loop and the writing connection. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { createLogger } from "../../src/adapters/logger.ts";
import { readConfig } from "../../src/config.ts";
import { type Container, createContainer } from "../../src/container.ts";
import { UNLIMITED } from "../lib/server-process.ts";
import { temporaryFolder } from "../lib/temporary-folder.ts";
import { type BenchRow, boundRow } from "./row.ts";
import { readThreadTime, watchTurns } from "./turns.ts";

const FILES = Number(process.env.BENCH_FILES ?? 100_000);
const RELEASED_AT_ONCE = 1000;
const TICK_MS = 1;
const MAX_LOOP_MS = 10;
const MAX_WRITER_MS = 20;

export async function run(): Promise<BenchRow[]> {
  await using opened = new AsyncDisposableStack();
  const dataDir = opened.use(temporaryFolder("bench-released")).path;
  const config = readConfig({ DATA_DIR: dataDir, ...UNLIMITED });
  const container = await createContainer(config, createLogger("silent", { pretty: false }));
  opened.defer(() => container.close());
  const { released, reads, clock } = container;
  await released.recordFirst();
  await release(container, dataDir);
  const watch = watchHolds(container);
  await released.run();
  const { turnMs, writerMs } = await watch.end();
  const left = await reads.releasedBytes.listDue(clock.now(), 1);
  if (left.length > 0 || existsSync(pathOf(dataDir, FILES - 1)))
    throw new Error("Something that is due is left");
  return [
    boundRow("processor time of the longest turn of the loop", turnMs, "ms", MAX_LOOP_MS),
    boundRow("processor time of the loop while another write waits", writerMs, "ms", MAX_WRITER_MS),
  ];
}

/** Files of a few bytes that have no row, and are due. */
async function release({ writeRecords, clock }: Container, dataDir: string): Promise<void> {
  for (let first = 0; first < FILES; first += RELEASED_AT_ONCE) {
    const hashes = Array.from({ length: RELEASED_AT_ONCE }, (_, index) => storeFile(dataDir, first + index));
    await writeRecords(({ releasedBytes }) => releasedBytes.release(hashes, clock.now() - 1));
  }
}

function storeFile(dataDir: string, number: number): string {
  const path = pathOf(dataDir, number);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contentOf(number));
  return basename(path);
}

const contentOf = (number: number) => `file ${number}`;

function pathOf(dataDir: string, number: number): string {
  const sha256 = createHash("sha256").update(contentOf(number)).digest("hex");
  return join(dataDir, "files", sha256.slice(0, 2), sha256);
}

/** How long the loop is held, and how long while another write waits. */
function watchHolds({ database }: Container) {
  const turns = watchTurns();
  let writerMs = 0;
  let isWatched = true;
  const ticks = setInterval(turns.tick, TICK_MS);
  const writes = (async () => {
    while (isWatched) {
      const begin = readThreadTime();
      await database.commit(async () => undefined);
      writerMs = Math.max(writerMs, readThreadTime() - begin);
      await new Promise((resolve) => setTimeout(resolve, TICK_MS));
    }
  })();
  return {
    async end() {
      isWatched = false;
      clearInterval(ticks);
      await writes;
      return { turnMs: turns.longest(), writerMs };
    },
  };
}

/** A watched process for tests: it keeps memory, works for a while, hangs or crashes, as it is asked. */
import { serveParent } from "../../src/adapters/watched-process/watched-work.ts";

export interface WatchedQuestion {
  /** Of memory that it takes and keeps. */
  mebibytes?: number;
  /** How long it then works, without looking at anything else. */
  workMs?: number;
  crashes?: boolean;
}

const kept: Buffer[] = [];

serveParent(async ({ mebibytes = 0, workMs = 0, crashes }: WatchedQuestion) => {
  kept.push(Buffer.alloc(mebibytes * 1024 * 1024, 1));
  const end = performance.now() + workMs;
  while (performance.now() < end);
  if (crashes) process.abort();
  return { pid: process.pid };
});

/** The order in which checkpoints move what was committed: first the WAL is durable, then the file, then the WAL begins anew. */
import { isSync, isWrite, ofDatabase, ofWal, type SystemCall } from "./system-calls.ts";

/** It has 32 bytes, at the very beginning. */
const isHeaderOfWal = (call: SystemCall): boolean =>
  isWrite(call) && ofWal(call) && /, 32, 0(?:\)| <unfinished)/.test(call.text);

/** A thread that may write to the file. */
interface Mover {
  isLogSafe: boolean;
  /** The line from which on all is durable that it has written. */
  safeFrom: number;
  checkpoints: number;
}

/**
 * How many checkpoints other threads have begun than the one that writes, and what was wrong with any. The file is synced
 * only by one that has moved all of the WAL, which isn't each.
 */
export function countCheckpoints(calls: readonly SystemCall[]): { count: number; errors: string[] } {
  const movers = new Map<string, Mover>();
  const errors: string[] = [];
  let writer: string | undefined;
  for (const call of calls) {
    if (isHeaderOfWal(call)) {
      const isSafe = [...movers.values()].every(({ safeFrom }) => safeFrom < call.began);
      if (!isSafe) errors.push(`line ${call.began + 1}: the WAL began anew before the file was synced`);
      writer = call.thread;
    } else if (writer !== undefined) {
      const mover = movers.get(call.thread) ?? { isLogSafe: false, safeFrom: 0, checkpoints: 0 };
      movers.set(call.thread, mover);
      const error = follow(mover, call);
      if (error) errors.push(`line ${call.began + 1}: ${error}`);
    }
  }
  movers.delete(writer ?? "");
  return { count: movers.values().reduce((sum, { checkpoints }) => sum + checkpoints, 0), errors };
}

function follow(mover: Mover, call: SystemCall): string | undefined {
  if (isSync(call) && ofWal(call)) {
    mover.isLogSafe = true;
    mover.checkpoints += 1;
  }
  if (isWrite(call) && ofDatabase(call)) {
    mover.safeFrom = Number.POSITIVE_INFINITY;
    // By the thread itself: the one that writes syncs at each commit, which may be a later one.
    if (!mover.isLogSafe) return "the file was written before the WAL was synced";
  }
  if (isSync(call) && ofDatabase(call)) {
    mover.isLogSafe = false;
    mover.safeFrom = call.ended;
  }
  return undefined;
}

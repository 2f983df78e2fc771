/** A disk in memory, for the data folders of tests: most of a test's time would be fsync. */
import { statfsSync } from "node:fs";

const DISK = "/dev/shm";
const LEAST_BYTES = 2 ** 31;

/** Undefined where there is none with room. */
export function findMemoryFolder(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(DISK);
    return bavail * bsize > LEAST_BYTES ? DISK : undefined;
  } catch {
    return undefined;
  }
}

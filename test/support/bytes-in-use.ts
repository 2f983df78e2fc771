/** The memory that this process uses. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collectAll: () => void = runInNewContext("gc");

/** Heap and buffers after garbage collection, which otherwise comes at any time. */
export function measureBytesInUse(): number {
  collectAll();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

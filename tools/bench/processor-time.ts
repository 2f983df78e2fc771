/** The processor time of other processes, as the system counts it. */
import { readFileSync } from "node:fs";

/** Linux counts hundredths of a second. */
const TICK_MS = 10;

/** Of all threads, in user mode and for the system (proc(5), the 14th and 15th field). */
export function readProcessorMs(pid: number): number {
  const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ");
  const [user = Number.NaN, system = Number.NaN] = fields.split(" ").slice(11, 13).map(Number);
  return TICK_MS * (user + system);
}

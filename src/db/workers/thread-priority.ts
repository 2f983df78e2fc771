/** The priority of the thread that calls. */
import { constants, getPriority, setPriority } from "node:os";

/**
 * Gives the thread a lower priority than the event loop, for good: only the superuser can raise it again. Does nothing
 * on systems other than Linux, where threads have that of the process.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== "linux") return;
  setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
}

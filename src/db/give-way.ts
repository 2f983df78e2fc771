/** Threads for reports and exports go behind the event loop where both want the same core. */
import { constants, setPriority } from "node:os";

/**
 * Lowers the priority of the thread that calls it. Without that, an export keeps the event loop waiting for whole
 * slices of the scheduler.
 */
export function giveWay(): void {
  // Elsewhere a priority is the whole process's.
  if (process.platform !== "linux") return;
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // A sandbox may forbid it; then requests wait a few milliseconds longer.
  }
}

/** Threads of this process that go behind its event loop. Only Linux gives each a priority of its own. */
import { readdirSync } from "node:fs";
import { constants, getPriority } from "node:os";

export const hasOwnPriorities = process.platform === "linux";

export const threadsBehind = (): number =>
  readdirSync("/proc/self/task")
    .map((thread) => getPriority(Number(thread)))
    .filter((priority) => priority === constants.priority.PRIORITY_BELOW_NORMAL).length;

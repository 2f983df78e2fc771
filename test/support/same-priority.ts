/**
 * Gives all threads of the tests the lowest priority: those that lower their own would hardly run beside another worker's
 * tests.
 */
import { constants, setPriority } from "node:os";

/** Runs once, before the workers start; they inherit it. */
export default function lowerPriority(): void {
  setPriority(constants.priority.PRIORITY_LOW);
}

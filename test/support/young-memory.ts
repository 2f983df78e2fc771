/** What a thread has made last, and V8 hasn't collected yet. */
import { getHeapSpaceStatistics } from "node:v8";

export const youngBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_used_size ??
  Number.NaN;

/** What `leaveGarbage` leaves at least. */
export const GARBAGE_BYTES = 200_000;

/** Leaves objects of which none is in use. */
export function leaveGarbage(): void {
  const texts = Array.from({ length: 5000 }, (_, number) => `${number} texts`);
  if (texts.join().length < GARBAGE_BYTES / 8) throw new Error("There is less of it");
}

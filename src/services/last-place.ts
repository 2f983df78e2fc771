/** Where new books and channels go. */
import { MAX_INT32 } from "../schemas/atoms.ts";

/** Behind all others. What is in the same place is ordered by id, and so by age: the last one is never full. */
export const lastPlace = async (ordered: { lastSortOrder(): Promise<number> }): Promise<number> =>
  Math.min((await ordered.lastSortOrder()) + 1, MAX_INT32);

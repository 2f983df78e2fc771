/** Counts by group, in one list: what is counted of a group lies together. */
// What the innermost loops use is private here: an exported constant would be looked up each time.
import { z } from "zod";
import { float64s, int32s } from "./number-lists.ts";

/** By group or by item; those of parts add up. */
export const partCounts = z.object({
  /** As `newCounts` makes them. */
  counts: int32s,
  /** Books by group; by item, how many contacts got each book through a further archive. */
  sums: float64s,
});
export type PartCounts = z.infer<typeof partCounts>;

const FIELDS = 4;
/** Downloads that weren't redeemed and those that were, by the mark. */
const REDEEMED = 1;
const CONTACTS = 2;
/** The contact seen last. */
const LAST = 3;

export const newCounts = (groups: number): Int32Array => new Int32Array(groups * FIELDS);

export function countDownload(counts: Int32Array, group: number, marks: number): void {
  const at = group * FIELDS + (marks & REDEEMED);
  counts[at] = (counts[at] ?? 0) + 1;
}

/** @returns 1 when another contact was seen there last, else 0. Nobody, who is 0 and comes first, is new to no group */
export function seeContact(counts: Int32Array, group: number, contact: number): number {
  const at = group * FIELDS + LAST;
  const difference = (counts[at] ?? 0) ^ contact;
  counts[at] = contact;
  return -difference >>> 31;
}

export function countContact(counts: Int32Array, group: number, isNew: number): void {
  const at = group * FIELDS + CONTACTS;
  counts[at] = (counts[at] ?? 0) + isNew;
}

/** What has been counted, by group. */
export function countedOf(counts: Int32Array) {
  const field = (offset: number) =>
    Float64Array.from({ length: counts.length / FIELDS }, (_, group) => counts[group * FIELDS + offset] ?? 0);
  const redeemed = field(REDEEMED);
  const downloads = field(0).map((others, group) => others + (redeemed[group] ?? 0));
  return { downloads, redeemed, contacts: field(CONTACTS) };
}

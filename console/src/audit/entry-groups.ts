/** Entries of one piece of work, such as an import: they follow each other closely, and do the same. Nothing here knows the page. */
import type { Schemas } from "../api/client.ts";

type Entry = Schemas["AuditEntry"];

/** What happened in one minute after the other belongs together. */
const MOST_BETWEEN_MS = 60_000;

/** Fewer are read as fast as their number. */
const SMALLEST = 5;

const isSameWork = (one: Entry, next: Entry): boolean =>
  one.action === next.action &&
  one.actorKind === next.actorKind &&
  one.actorId === next.actorId &&
  one.actorName === next.actorName &&
  Math.abs(Date.parse(one.at) - Date.parse(next.at)) <= MOST_BETWEEN_MS;

/** @returns the entries in their order, those of one piece of work together */
export function groupEntries(entries: readonly Entry[]): [Entry, ...Entry[]][] {
  const runs: [Entry, ...Entry[]][] = [];
  for (const entry of entries) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last && isSameWork(last, entry)) run.push(entry);
    else runs.push([entry]);
  }
  return runs.flatMap((run) => (run.length < SMALLEST ? run.map((entry): [Entry] => [entry]) : [run]));
}

/** How many records of each kind they are about, in the order of the first of each. */
export function countKinds(entries: readonly Entry[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { objectKind } of entries) counts.set(objectKind, (counts.get(objectKind) ?? 0) + 1);
  return counts;
}

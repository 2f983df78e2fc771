/** Counts what the readers of a day did, deed by deed. */
import * as events from "../count-events.ts";
import type { Deed } from "./replay.ts";

export type { Counted } from "../count-events.ts";

const counted = (deeds: readonly Deed[]) =>
  deeds.map((deed) => ({ ...deed, booksCount: deed.bookIds.length, contactId: deed.email }));

export const countOf = (deeds: readonly Deed[]) => events.countOf(counted(deeds));

export const countOfBook = (deeds: readonly Deed[], bookId: string) =>
  events.countOfBook(counted(deeds), bookId);

export const countBy = (deeds: readonly Deed[], keyOf: (deed: Deed) => string) =>
  events.countBy(counted(deeds), keyOf);

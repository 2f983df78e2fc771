/** Publications that were changed in the grid and aren't saved yet. Nothing here knows the page. */

export interface GridChannel {
  id: string;
  name: string;
  slug: string;
}

export interface GridBook {
  bookId: string;
  titleEn: string;
  /** In the language of the grid or its parent, with its code; neither without a translation. */
  title?: string;
  titleLanguageCode?: string;
  /** One character for each channel: 1 published, 0 not. */
  published: string;
  /** The same for what the parent language publishes; only for sub-languages. */
  inherited?: string;
  /** The same for what the language itself publishes; only for sub-languages. */
  own?: string;
  /** 1 if the book has a file in the language. */
  available: number;
}

export interface Grid {
  channels: readonly GridChannel[];
  books: readonly GridBook[];
}

export interface Change {
  bookId: string;
  channelId: string;
  isPublished: boolean;
}

/** What the publications of one book shall be, by channel. */
export type WantedOfBook = ReadonlyMap<string, boolean>;
/** By book. */
export type Wanted = ReadonlyMap<string, WantedOfBook>;

export const NOTHING_WANTED: Wanted = new Map();

/** The most changes of one request that the service accepts. */
const MAX_BATCH = 10_000;

/** A publication of the parent language only can't be switched off in the sub-language. */
export const isInherited = ({ inherited, own }: GridBook, channel: number): boolean =>
  inherited?.[channel] === "1" && own?.[channel] !== "1";

/** As saved, or as it shall be. */
export function isOn(
  book: GridBook,
  channels: readonly GridChannel[],
  channel: number,
  wanted: WantedOfBook | undefined,
): boolean {
  const saved = book.published[channel] === "1";
  return wanted?.get(channels[channel]?.id ?? "") ?? saved;
}

export const countWanted = (wanted: Wanted): number => {
  let count = 0;
  for (const ofBook of wanted.values()) count += ofBook.size;
  return count;
};

/** Books without a change keep their identity, so that their rows aren't drawn again. */
export function addWanted(wanted: Wanted, changes: readonly Change[]): Wanted {
  const next = new Map(wanted);
  const copied = new Map<string, Map<string, boolean>>();
  for (const { bookId, channelId, isPublished } of changes) {
    const ofBook = copied.get(bookId) ?? new Map(wanted.get(bookId));
    copied.set(bookId, ofBook.set(channelId, isPublished));
  }
  for (const [bookId, ofBook] of copied) next.set(bookId, ofBook);
  return next;
}

/** Removes what is done, except for what was changed again meanwhile. */
function removeWanted(wanted: Wanted, done: readonly Change[]): Wanted {
  const next = new Map(wanted);
  const copied = new Map<string, Map<string, boolean>>();
  for (const { bookId, channelId, isPublished } of done) {
    const ofBook = copied.get(bookId) ?? new Map(wanted.get(bookId));
    if (ofBook.get(channelId) === isPublished) ofBook.delete(channelId);
    copied.set(bookId, ofBook);
  }
  for (const [bookId, ofBook] of copied)
    if (ofBook.size > 0) next.set(bookId, ofBook);
    else next.delete(bookId);
  return next;
}

/** What was changed in a language. */
export interface LanguageChanges {
  /** What isn't saved yet. */
  readonly wanted: Wanted;
  /** Of it, what was tried often enough: it is sent again when someone asks for it. */
  readonly stopped: Wanted;
  readonly history: readonly (readonly Change[])[];
}

export const NO_CHANGES: LanguageChanges = { wanted: NOTHING_WANTED, stopped: NOTHING_WANTED, history: [] };

/** What is changed again is no longer stopped. */
export const changeWanted = ({ wanted, stopped, history }: LanguageChanges, changes: readonly Change[]) => ({
  wanted: addWanted(wanted, changes),
  stopped: removeWanted(removeWanted(stopped, changes), undoChanges(changes)),
  history,
});

export const undoChanges = (changes: readonly Change[]): Change[] =>
  changes.map((change) => ({ ...change, isPublished: !change.isPublished }));

/** Removes a batch that was saved, or rejected. */
export const endBatch = ({ wanted, stopped, history }: LanguageChanges, batch: readonly Change[]) => ({
  wanted: removeWanted(wanted, batch),
  stopped: removeWanted(stopped, batch),
  history,
});

/** Sets a batch aside that failed for the last time, except for what was changed again meanwhile. */
export function stopBatch(changes: LanguageChanges, batch: readonly Change[]): LanguageChanges {
  const { wanted, stopped } = changes;
  const left = batch.filter(
    ({ bookId, channelId, isPublished }) => wanted.get(bookId)?.get(channelId) === isPublished,
  );
  return { ...changes, stopped: addWanted(stopped, left) };
}

/** The changes of the next request, the oldest first. */
export function takeBatch(
  { wanted, stopped }: Pick<LanguageChanges, "wanted" | "stopped">,
  limit = MAX_BATCH,
): Change[] {
  const batch: Change[] = [];
  for (const [bookId, ofBook] of wanted)
    for (const [channelId, isPublished] of ofBook) {
      if (stopped.get(bookId)?.has(channelId)) continue;
      if (batch.length === limit) return batch;
      batch.push({ bookId, channelId, isPublished });
    }
  return batch;
}

/** The grid after changes were saved. */
export function applyChanges<G extends Grid>(grid: G, changes: readonly Change[]): G {
  const byBook = addWanted(NOTHING_WANTED, changes);
  const books = grid.books.map((book) => {
    const ofBook = byBook.get(book.bookId);
    if (!ofBook) return book;
    const flagsOf = (isSet: (channel: number) => boolean) =>
      grid.channels.map((_, channel) => (isSet(channel) ? "1" : "0")).join("");
    const isWanted = (channel: number) => isOn(book, grid.channels, channel, ofBook);
    const { own, inherited } = book;
    if (own === undefined || inherited === undefined) return { ...book, published: flagsOf(isWanted) };
    return {
      ...book,
      own: flagsOf((channel) => ofBook.get(grid.channels[channel]?.id ?? "") ?? own[channel] === "1"),
      published: flagsOf((channel) => isWanted(channel) || inherited[channel] === "1"),
    };
  });
  return { ...grid, books };
}

/** The changes of a batch that the service named as wrong, by the paths of its field errors: `changes.3.bookId`. */
export function splitRejected(
  batch: readonly Change[],
  errors: readonly { path: string }[],
): { rejected: Change[]; others: Change[] } {
  const indexes = new Set(errors.map(({ path }) => Number(/^changes\.(\d+)/.exec(path)?.[1] ?? Number.NaN)));
  const named = batch.filter((_, index) => indexes.has(index));
  // Without a name, any of them can be the reason.
  if (named.length === 0) return { rejected: [...batch], others: [] };
  return { rejected: named, others: batch.filter((_, index) => !indexes.has(index)) };
}

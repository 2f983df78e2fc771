/** Makes books and their files of drafts, one book after the other. Nothing here knows the page. */
import type { Schemas } from "../api/client.ts";
import { composeBook, composeCovers, type DetailedBooks, type WantedCover } from "./compose-book.ts";
import type { BookDrafts, Draft, PlannedBook } from "./drafts.ts";
import type { Place, QueueEvent } from "./queue.ts";

export interface StoredFile {
  languageCode: string;
  fileType: string;
  fileName: string;
  sha256: string;
}

/** Where a file is now, and where it isn't what that place says. */
export interface Stored {
  place: Place;
  remarks: readonly Schemas["Remark"][];
}

/** What is asked of the service. Each may throw what a request fails with. */
export interface WriteSteps {
  addLanguage(language: { code: string }): Promise<void>;
  /** Planned books with their texts, for those of these slugs that are in the plan. */
  readPlanned(slugs: readonly string[]): Promise<readonly PlannedBook[]>;
  /** @returns the id of the book */
  upsertBook(book: Schemas["BulkItem"]): Promise<string>;
  /** The languages in which a book has a title. */
  listTranslations(bookId: string): Promise<readonly string[]>;
  addTranslation(bookId: string, languageCode: string, title: string): Promise<void>;
  addFile(bookId: string, file: StoredFile): Promise<Stored>;
  /** @returns where it isn't what its place says */
  addCover(bookId: string, cover: WantedCover): Promise<Stored["remarks"]>;
}

interface Target {
  dispatch(event: QueueEvent): void;
  /** A request that is repeated while these files wait for it. */
  repeat<T>(ids: readonly number[], request: () => Promise<T>): Promise<T>;
  /** Sends bytes that the service has dropped. @returns whether it has them again */
  sendAgain(id: number): Promise<boolean>;
}

export interface Run {
  groups: readonly BookDrafts[];
  newLanguages: readonly { code: string }[];
  /** The paths of files that are to be stored, or were taken out. */
  open: ReadonlySet<string>;
  /** Whether new books are archived. */
  archives: boolean;
  steps: WriteSteps;
  target: Target;
  /** Is asked before each file. */
  isStopped(): boolean;
  /** A book is done. @param error why it couldn't be written */
  report(group: BookDrafts, error?: unknown): void;
}

/** What a plan has texts of at once. */
const BOOKS_AT_ONCE = 50;

/** The service keeps examined bytes for an hour, and fewer if there are many. */
const isLost = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "code" in error && error.code === "content_unknown";

/** Files that fail are marked so, and the others go on. */
export async function writeDrafts(run: Run): Promise<void> {
  const { groups, newLanguages, steps, target } = run;
  for (const language of newLanguages) await target.repeat([], () => steps.addLanguage(language));
  for (let start = 0; start < groups.length; start += BOOKS_AT_ONCE) {
    if (run.isStopped()) return;
    await writeBatch(groups.slice(start, start + BOOKS_AT_ONCE), run);
  }
}

async function writeBatch(groups: readonly BookDrafts[], run: Run): Promise<void> {
  const ids = groups.flatMap(({ drafts }) => drafts.map(({ itemId }) => itemId));
  let detailed: DetailedBooks;
  try {
    detailed = await readDetails(groups, ids, run);
  } catch (error) {
    run.target.dispatch({ type: "failed", ids, error });
    for (const group of groups) run.report(group, error);
    return;
  }
  for (const group of groups) {
    if (run.isStopped()) return;
    run.report(group, await writeBook(group, detailed, run));
  }
}

/** @returns why the book or a cover in its files couldn't be written */
async function writeBook(group: BookDrafts, detailed: DetailedBooks, run: Run): Promise<unknown> {
  const ids = [...group.drafts, ...group.covers].map(({ itemId }) => itemId);
  let bookId: string;
  try {
    bookId = await findOrCreate(group, ids, detailed, run);
  } catch (error) {
    run.target.dispatch({ type: "failed", ids, error });
    return error;
  }
  // Otherwise what fails of it would be planned as one more book.
  for (const { itemId: id, answer } of group.drafts)
    if (answer && !answer.isSame)
      run.target.dispatch({ type: "edited", id, edit: { answer: { bookId, isSame: true } } });
  await writeFiles(bookId, group, run);
  return run.isStopped() ? undefined : writeCovers(bookId, composeCovers(group, detailed, run.open), run);
}

/** Of the planned books from which files and texts come. Bytes that the service has dropped meanwhile are sent again first. */
async function readDetails(
  groups: readonly BookDrafts[],
  ids: readonly number[],
  { steps, target }: Run,
): Promise<DetailedBooks> {
  const drafts = groups.flatMap((group) => group.drafts);
  const slugs = new Set([
    ...groups.flatMap(({ base }) => base ?? []),
    ...drafts.flatMap(({ planned }) => planned?.slug ?? []),
  ]);
  if (slugs.size === 0) return new Map();
  const read = async () => {
    const books = await target.repeat(ids, () => steps.readPlanned([...slugs]));
    return new Map(books.map((book) => [book.slug, book]));
  };
  const found = await read();
  const paths = new Set([...found.values()].flatMap(({ files }) => files.map(({ path }) => path)));
  const lost = drafts.filter(({ path, planned }) => planned && !paths.has(path));
  if (lost.length === 0) return found;
  await Promise.all(lost.map(({ itemId }) => target.sendAgain(itemId)));
  return read();
}

async function findOrCreate(
  group: BookDrafts,
  ids: readonly number[],
  detailed: DetailedBooks,
  { open, archives, steps, target }: Run,
): Promise<string> {
  if (group.book.bookId !== undefined) return group.book.bookId;
  const texts = composeBook(group, detailed, open);
  const known = group.base === undefined ? undefined : detailed.get(group.base)?.bookId;
  if (!texts && known) return known;
  if (!texts) throw new Error("A new book has texts");
  // Known books stay as they are: the service leaves the state of these alone.
  const book = archives ? { ...texts, isActive: 0 as const } : texts;
  return target.repeat(ids, () => steps.upsertBook(book));
}

async function writeFiles(bookId: string, { book, drafts }: BookDrafts, run: Run): Promise<void> {
  const { steps, target } = run;
  // The titles of other books are written with them.
  const isKnown = book.bookId !== undefined;
  const translations = new Set<string>();
  if (isKnown)
    try {
      for (const code of await target.repeat([], () => steps.listTranslations(bookId)))
        translations.add(code);
    } catch (error) {
      return target.dispatch({ type: "failed", ids: drafts.map(({ itemId }) => itemId), error });
    }
  for (const draft of drafts) {
    if (run.isStopped()) return;
    const { itemId, languageCode, title } = draft;
    const ids = [itemId];
    target.dispatch({ type: "started", ids, status: "storing" });
    try {
      // A title that the book has isn't replaced.
      if (isKnown && title.trim() !== "" && !translations.has(languageCode)) {
        await target.repeat(ids, () => steps.addTranslation(bookId, languageCode, title.trim()));
        translations.add(languageCode);
      }
      const stored = await addFile(bookId, draft, run);
      if (stored) target.dispatch({ type: "stored", id: itemId, ...stored });
    } catch (error) {
      target.dispatch({ type: "failed", ids, error });
    }
  }
}

/** @returns why a cover in a file couldn't be written; images are in the queue */
async function writeCovers(bookId: string, covers: readonly WantedCover[], run: Run): Promise<unknown> {
  const { steps, target } = run;
  let failure: unknown;
  for (const cover of covers) {
    const ids = "itemId" in cover.source ? [cover.source.itemId] : [];
    target.dispatch({ type: "started", ids, status: "storing" });
    try {
      const remarks = await target.repeat(ids, () => steps.addCover(bookId, cover));
      const place = { bookId, fileId: "", languageCode: cover.languageCode ?? "", fileType: "" };
      for (const id of ids) target.dispatch({ type: "stored", id, place, remarks });
    } catch (error) {
      target.dispatch({ type: "failed", ids, error });
      if (ids.length === 0) failure ??= error;
    }
  }
  return failure;
}

/** @returns undefined if the bytes had to be sent again, and that failed */
async function addFile(
  bookId: string,
  { itemId, fileName, languageCode, fileType, sha256 }: Draft,
  { steps, target }: Run,
): Promise<Stored | undefined> {
  const file = { languageCode, fileType, fileName, sha256 };
  const add = () => target.repeat([itemId], () => steps.addFile(bookId, file));
  try {
    return await add();
  } catch (error) {
    if (!isLost(error)) throw error;
  }
  if (!(await target.sendAgain(itemId))) return undefined;
  target.dispatch({ type: "started", ids: [itemId], status: "storing" });
  return add();
}

/** Makes books and their files of drafts, one book after the other. Nothing here knows the page. */
import { type BookDrafts, type CoverDraft, type Draft, type DraftBook, readFileName } from "./drafts.ts";
import type { Place, QueueEvent } from "./queue.ts";

export interface StoredFile {
  languageCode: string;
  fileType: string;
  fileName: string;
  sha256: string;
}

/** What is asked of the service. Each may throw what a request fails with. */
export interface WriteSteps {
  addLanguage(code: string): Promise<void>;
  /** @returns its id */
  createBook(book: DraftBook): Promise<string>;
  /** @returns the id of the book with the slug; undefined if there is none */
  findBook(slug: string): Promise<string | undefined>;
  /** The languages in which a book has a title. */
  listTranslations(bookId: string): Promise<readonly string[]>;
  addTranslation(bookId: string, languageCode: string, title: string): Promise<void>;
  addFile(bookId: string, file: StoredFile): Promise<Place>;
  /** @param languageCode undefined: the cover of no language */
  addCover(bookId: string, languageCode: string | undefined, itemId: number): Promise<void>;
}

interface Target {
  dispatch(event: QueueEvent): void;
  /** A request that is repeated while these files wait for it. */
  repeat<T>(ids: readonly number[], request: () => Promise<T>): Promise<T>;
  /** Until a file was sent again. @returns whether it was */
  whenReady(id: number): Promise<boolean>;
}

/** The service keeps examined bytes for an hour, and fewer if there are many. */
const isLost = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "code" in error && error.code === "content_unknown";

/**
 * Files that fail are marked so, and the others go on.
 * @param isStopped is asked before each file
 */
export async function writeDrafts(
  groups: readonly BookDrafts[],
  newLanguages: readonly string[],
  steps: WriteSteps,
  target: Target,
  isStopped: () => boolean,
): Promise<void> {
  for (const code of newLanguages) await target.repeat([], () => steps.addLanguage(code));
  for (const { book, drafts, covers } of groups) {
    if (isStopped()) return;
    const ids = drafts.map(({ itemId }) => itemId);
    try {
      const found = await target.repeat(ids, () => findOrCreate(book, steps));
      await writeFiles(found, drafts, steps, target, isStopped);
      if (!isStopped()) await writeCovers(found, covers, steps, target);
    } catch (error) {
      target.dispatch({ type: "failed", ids, error });
    }
  }
}

interface FoundBook {
  bookId: string;
  translations: Set<string>;
}

async function findOrCreate(book: DraftBook, steps: WriteSteps): Promise<FoundBook> {
  const known = book.bookId ?? (book.slug === undefined ? undefined : await steps.findBook(book.slug));
  if (known !== undefined)
    return { bookId: known, translations: new Set(await steps.listTranslations(known)) };
  return { bookId: await steps.createBook(book), translations: new Set() };
}

async function writeFiles(
  { bookId, translations }: FoundBook,
  drafts: readonly Draft[],
  steps: WriteSteps,
  target: Target,
  isStopped: () => boolean,
): Promise<void> {
  for (const draft of drafts) {
    if (isStopped()) return;
    const { itemId, languageCode, title } = draft;
    const ids = [itemId];
    target.dispatch({ type: "started", ids, status: "storing" });
    try {
      // A title that the book has isn't replaced.
      if (title.trim() !== "" && !translations.has(languageCode)) {
        await target.repeat(ids, () => steps.addTranslation(bookId, languageCode, title.trim()));
        translations.add(languageCode);
      }
      const place = await addFile(bookId, draft, steps, target);
      if (place) target.dispatch({ type: "stored", id: itemId, place });
    } catch (error) {
      target.dispatch({ type: "failed", ids, error });
    }
  }
}

async function writeCovers(
  { bookId }: FoundBook,
  covers: readonly CoverDraft[],
  steps: WriteSteps,
  target: Target,
): Promise<void> {
  for (const { itemId, languageCode = "" } of covers) {
    const ids = [itemId];
    target.dispatch({ type: "started", ids, status: "storing" });
    try {
      await target.repeat(ids, () => steps.addCover(bookId, languageCode || undefined, itemId));
      const place = { bookId, fileId: "", languageCode, fileType: "" };
      target.dispatch({ type: "stored", id: itemId, place });
    } catch (error) {
      target.dispatch({ type: "failed", ids, error });
    }
  }
}

/** @returns undefined if the bytes had to be sent again, and that failed */
async function addFile(
  bookId: string,
  { itemId, path, languageCode, fileType, sha256 }: Draft,
  steps: WriteSteps,
  target: Target,
): Promise<Place | undefined> {
  const file = { languageCode, fileType, fileName: readFileName(path), sha256 };
  const add = () => target.repeat([itemId], () => steps.addFile(bookId, file));
  try {
    return await add();
  } catch (error) {
    if (!isLost(error)) throw error;
  }
  const isReady = target.whenReady(itemId);
  target.dispatch({ type: "lost", id: itemId });
  if (!(await isReady)) return undefined;
  target.dispatch({ type: "started", ids: [itemId], status: "storing" });
  return add();
}

/** What is to be made of the files that the service has examined: which file of which book. Nothing here knows the page. */
import type { Queue, QueueItem, Recognised } from "./queue.ts";

/** One of the service, or a new one. */
export interface DraftBook {
  bookId?: string | undefined;
  slug?: string | undefined;
  titleEn: string;
}

export interface Draft {
  itemId: number;
  path: string;
  sha256: string;
  /** Empty where it isn't known. */
  languageCode: string;
  fileType: string;
  /** In the language; empty: the book's, or the one that it has. */
  title: string;
  book: DraftBook;
  isIncluded: boolean;
  /** What speaks against it, in sentences. */
  notes: readonly string[];
}

/** What the service would make of the files of a folder. */
export interface Plan {
  books: readonly {
    slug: string;
    titleEn: string;
    files: readonly {
      path: string;
      languageCode: string;
      fileType: string;
      title: string | null;
      status: string;
    }[];
    covers: readonly { path: string; languageCode: string | null }[];
    errors: readonly string[];
  }[];
  leftOut: readonly { path: string; reason: string }[];
}

export const readFileName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Files that were examined and aren't stored yet, also those for which that failed. */
const isDraft = ({ status, recognised }: QueueItem): boolean =>
  status === "ready" || status === "storing" || (status === "failed" && recognised !== undefined);

/** @param recognised what is right unless it was corrected */
function startDraft(
  { id, path, edit }: QueueItem,
  sha256: string,
  book: DraftBook,
  recognised: Pick<Recognised, "languageCode" | "fileType" | "title">,
  notes: readonly string[],
): Draft {
  return {
    itemId: id,
    path,
    sha256,
    languageCode: edit.languageCode ?? recognised.languageCode ?? "",
    fileType: edit.fileType ?? recognised.fileType ?? "",
    title: edit.title ?? recognised.title ?? "",
    book,
    isIncluded: edit.isIncluded ?? notes.length === 0,
    notes,
  };
}

const NOTHING: Recognised = { fileType: null, title: null, languageCode: null, errors: [] };

/** For files that were dropped on a book. */
export const draftForBook = (queue: Queue, bookId: string): Draft[] =>
  queue.flatMap((item) => {
    if (item.bookId !== bookId || !isDraft(item) || item.sha256 === undefined) return [];
    const recognised = item.recognised ?? NOTHING;
    return startDraft(item, item.sha256, { bookId, titleEn: "" }, recognised, recognised.errors);
  });

/**
 * For files of which books are made: as the service plans it. What it leaves out can be put in by a correction.
 * @param keeps the sentence for a file in whose place the book has another one
 */
export function draftByPlan(queue: Queue, plan: Plan, keeps: string): Draft[] {
  const slugs = new Map(plan.books.map(({ titleEn, slug }) => [titleEn, slug]));
  const planned = new Map(
    plan.books.flatMap((book) => book.files.map((file) => [file.path, { book, file }] as const)),
  );
  const covers = new Set(plan.books.flatMap((book) => book.covers.map(({ path }) => path)));
  const reasons = Map.groupBy(plan.leftOut, ({ path }) => path);
  return queue.flatMap((item) => {
    if (!isDraft(item) || item.sha256 === undefined || covers.has(item.path)) return [];
    const found = planned.get(item.path);
    const { bookTitle } = item.edit;
    const wanted =
      bookTitle === undefined ? found?.book : { titleEn: bookTitle, slug: slugs.get(bookTitle.trim()) };
    const book = { titleEn: wanted?.titleEn ?? "", slug: wanted?.slug };
    const left = (reasons.get(item.path) ?? []).map(({ reason }) => reason);
    const notes = [...left, ...(found?.file.status === "differs" ? [keeps] : [])];
    // Until the plan is there again, what isn't in it isn't lost.
    const isMissing = !found && left.length === 0;
    return startDraft(item, item.sha256, book, found?.file ?? item.recognised ?? NOTHING, [
      ...notes,
      ...(isMissing ? (item.recognised ?? NOTHING).errors : []),
    ]);
  });
}

export interface CoverDraft {
  itemId: number;
  book: DraftBook;
  /** Undefined: of no language. */
  languageCode: string | undefined;
}

/** The images that the plan makes covers of, for books of which a file is stored. */
export function findCovers(queue: Queue, plan: Plan, drafts: readonly Draft[]): CoverDraft[] {
  const byPath = new Map(queue.filter(isDraft).map((item) => [item.path, item]));
  const slugs = new Set(drafts.filter(({ isIncluded }) => isIncluded).map(({ book }) => book.slug));
  return plan.books.flatMap(({ slug, titleEn, covers }) =>
    covers.flatMap(({ path, languageCode }) => {
      const item = byPath.get(path);
      if (!item || !slugs.has(slug)) return [];
      return { itemId: item.id, book: { slug, titleEn }, languageCode: languageCode ?? undefined };
    }),
  );
}

/** Whether everything is known that the service needs. */
export const isComplete = ({ languageCode, fileType, book }: Draft): boolean =>
  languageCode !== "" && fileType !== "" && (book.bookId !== undefined || book.titleEn.trim() !== "");

export interface BookDrafts {
  book: DraftBook;
  drafts: Draft[];
  covers: CoverDraft[];
}

const keyOf = ({ bookId, slug, titleEn }: DraftBook): string =>
  bookId !== undefined ? `id ${bookId}` : slug !== undefined ? `slug ${slug}` : `title ${titleEn.trim()}`;

/** The included files by book, in the order of their first files. */
export function groupByBook(drafts: readonly Draft[], covers: readonly CoverDraft[] = []): BookDrafts[] {
  const groups = new Map<string, BookDrafts>();
  for (const draft of drafts) {
    if (!draft.isIncluded || !isComplete(draft)) continue;
    const key = keyOf(draft.book);
    const group = groups.get(key);
    if (group) group.drafts.push(draft);
    else groups.set(key, { book: draft.book, drafts: [draft], covers: [] });
  }
  for (const cover of covers) groups.get(keyOf(cover.book))?.covers.push(cover);
  return [...groups.values()];
}

/** The languages of the files that the service doesn't have. */
export const findNewLanguages = (drafts: readonly Draft[], known: ReadonlySet<string>): string[] => [
  ...new Set(
    drafts
      .filter((draft) => draft.isIncluded && isComplete(draft) && !known.has(draft.languageCode))
      .map(({ languageCode }) => languageCode),
  ),
];

/** What is to be made of the files that the service has examined: which file of which book. Nothing here knows the page. */
import type { Schemas } from "../api/client.ts";
import {
  type Answer,
  type LeftOutReason,
  NOTHING,
  type Queue,
  type QueueItem,
  type Recognised,
} from "./queue.ts";

/** One of the service, or a new one. */
interface DraftBook {
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
  /** Where the plan has the file; undefined if nowhere. */
  planned: { slug: string; languageCode: string } | undefined;
  /** Whether somebody wrote the title. */
  hasOwnTitle: boolean;
  isIncluded: boolean;
  /** What speaks against it, in sentences. */
  notes: readonly string[];
  /** Where it isn't what the plan says of its place; nothing of that speaks against it. */
  remarks: readonly Schemas["Remark"][];
  /** Where the same bytes are, for which the plan leaves it out. */
  knownAs: NonNullable<PlannedFile["knownAs"]>;
  /** What somebody said of its book. */
  answer: Answer | undefined;
}

/** What the service would make of the files of a folder. */
export type Plan = Schemas["ImportPlan"];
export type PlannedBook = Plan["books"][number];
type PlannedFile = PlannedBook["files"][number];

export const readFileName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Files that were examined and aren't stored yet, also those for which that failed. */
const isOpen = ({ status, recognised }: QueueItem): boolean =>
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
    planned: undefined,
    hasOwnTitle: edit.title !== undefined,
    isIncluded: edit.isIncluded ?? notes.length === 0,
    notes,
    remarks: [],
    knownAs: [],
    answer: edit.answer,
  };
}

/** For files that were dropped on a book. */
export const draftForBook = (queue: Queue, bookId: string, describe: DraftTexts["describe"]): Draft[] =>
  queue.flatMap((item) => {
    if (item.bookId !== bookId || !isOpen(item) || item.sha256 === undefined) return [];
    const recognised = item.recognised ?? NOTHING;
    return startDraft(
      item,
      item.sha256,
      { bookId, titleEn: "" },
      recognised,
      recognised.errors.map(describe),
    );
  });

/** The sentences for what the plan leaves out without one. */
interface DraftTexts {
  /** The book has another file in its place. */
  differs: string;
  /** A book has the same bytes. */
  known: string;
  /** @param path of the file in the folder that has the same bytes */
  copy(path: string): string;
  /** Its book could be one of the library, or another one. */
  unsure: string;
  /** What the service has said of its content. */
  describe(reason: LeftOutReason): string;
}

/** For files of which books are made: as the service plans it. What it leaves out can be put in by a correction. */
export function draftByPlan(queue: Queue, plan: Plan, texts: DraftTexts): Draft[] {
  const slugs = new Map(plan.books.map(({ titleEn, slug }) => [titleEn, slug]));
  const planned = new Map(
    plan.books.flatMap((book) => book.files.map((file) => [file.path, { book, file }] as const)),
  );
  const reasons = Map.groupBy(plan.leftOut, ({ path }) => path);
  return queue.flatMap((item) => {
    const found = planned.get(item.path);
    if (item.sha256 === undefined || !isToStore(item, found?.file.status)) return [];
    const left = (reasons.get(item.path) ?? []).map(({ reason }) => reason);
    if (!found)
      return startDraft(item, item.sha256, chooseBook(item, undefined, slugs), item.recognised ?? NOTHING, [
        // Until the plan is there again, what isn't in it isn't lost.
        ...(left.length > 0 ? left : (item.recognised ?? NOTHING).errors.map(texts.describe)),
      ]);
    const { languageCode, remarks, knownAs = [] } = found.file;
    const notes = [...left, ...explainStatus(found.file, texts), ...findObstacles(found.book, texts.unsure)];
    const draft = startDraft(item, item.sha256, chooseBook(item, found.book, slugs), found.file, notes);
    const place = { slug: found.book.slug, languageCode };
    return { ...draft, planned: place, remarks, knownAs };
  });
}

function explainStatus({ status, knownAs }: PlannedFile, texts: DraftTexts): string[] {
  const [first] = knownAs ?? [];
  if (status === "known") return [first && "path" in first ? texts.copy(first.path) : texts.known];
  return status === "differs" || status === "replace" ? [texts.differs] : [];
}

/** Why a book can't be stored as it is planned. That a language doesn't exist is no reason: it is created first. */
export const findObstacles = ({ errors }: PlannedBook, unsure?: string): string[] =>
  errors.flatMap(({ code, message }) => {
    if (code === "language_missing") return [];
    return (code === "unsure" && unsure) || message;
  });

/** Another book can have the bytes of a file already. @param planned what the plan does with it */
function isToStore(item: QueueItem, planned: string | undefined): boolean {
  if (item.kind === "image" || planned === "unchanged") return false;
  const isElsewhere = item.status === "known" || (item.status === "failed" && item.places.length > 0);
  return isOpen(item) || (isElsewhere && planned !== undefined);
}

/** That of the plan, or another one of the written title. */
function chooseBook(
  { edit: { bookTitle } }: QueueItem,
  planned: PlannedBook | undefined,
  slugs: ReadonlyMap<string, string>,
): DraftBook {
  const wanted =
    bookTitle === undefined ? planned : { titleEn: bookTitle, slug: slugs.get(bookTitle.trim()) };
  return { titleEn: wanted?.titleEn ?? "", slug: wanted?.slug };
}

interface CoverDraft {
  path: string;
  book: DraftBook;
  /** Undefined: of no language. */
  languageCode: string | undefined;
}

/** The images that the plan makes covers of, and that aren't stored yet. */
export function findCovers(queue: Queue, plan: Plan): CoverDraft[] {
  const open = new Set(queue.filter(isOpen).map(({ path }) => path));
  return plan.books.flatMap(({ slug, titleEn, covers }) =>
    covers.flatMap(({ path, languageCode }) =>
      open.has(path) ? [{ path, book: { slug, titleEn }, languageCode: languageCode ?? undefined }] : [],
    ),
  );
}

/** Planned books that get texts or covers, but no file that is to be stored. */
function findBare(plan: Plan, drafts: readonly Draft[]): PlannedBook[] {
  const withFiles = new Set(drafts.flatMap(({ planned }) => planned?.slug ?? []));
  return plan.books.filter(({ slug, status }) => status !== "unchanged" && !withFiles.has(slug));
}

/** Those of them that can be stored. */
export const findTextBooks = (plan: Plan, drafts: readonly Draft[]): PlannedBook[] =>
  findBare(plan, drafts).filter((book) => findObstacles(book).length === 0);

/** Those of them that can't, by their titles. */
export const findRejectedBooks = (plan: Plan, drafts: readonly Draft[]): { path: string; reason: string }[] =>
  findBare(plan, drafts).flatMap((book) => {
    const obstacles = findObstacles(book);
    return obstacles.length > 0 ? [{ path: book.titleEn, reason: obstacles.join(" ") }] : [];
  });

const ON_PLACES: readonly string[] = ["language_differs", "title_differs", "isbn_differs"];

/** Without those on what was corrected since. */
export function listOpenRemarks({ remarks, planned, book, languageCode, hasOwnTitle }: Draft) {
  const isMoved = book.slug !== planned?.slug || languageCode !== planned?.languageCode;
  return remarks.filter(
    ({ code }) => !(isMoved && ON_PLACES.includes(code)) && !(hasOwnTitle && code === "title_differs"),
  );
}

/** Whether one title is that of both: a book has one in each language. */
export const areOfOneEdition = (one: Draft, other: Draft): boolean =>
  one.itemId === other.itemId ||
  (one.planned !== undefined &&
    one.book.slug === other.book.slug &&
    one.planned.slug === other.planned?.slug &&
    one.languageCode === other.languageCode);

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);

/** A language that somebody has chosen in place of another one, or of none. */
export interface ChosenLanguage {
  itemId: number;
  path: string;
  from: string;
  languageCode: string;
}

/** The other files that had no language either, or the same one in the same folder. */
export const listAlike = (drafts: readonly Draft[], { itemId, path, from }: ChosenLanguage): Draft[] =>
  drafts.filter(
    (draft) =>
      draft.itemId !== itemId &&
      draft.languageCode === from &&
      (from === "" || folderOf(draft.path) === folderOf(path)),
  );

/** Whether everything is known that the service needs. */
export const isComplete = ({ languageCode, fileType, book }: Draft): boolean =>
  languageCode !== "" && fileType !== "" && (book.bookId !== undefined || book.titleEn.trim() !== "");

export interface BookDrafts {
  book: DraftBook;
  /** The slug of the planned book whose texts and covers it gets. */
  base: string | undefined;
  drafts: Draft[];
  covers: CoverDraft[];
}

const keyOf = ({ bookId, slug, titleEn }: DraftBook): string =>
  bookId !== undefined ? `id ${bookId}` : slug !== undefined ? `slug ${slug}` : `title ${titleEn.trim()}`;

/**
 * The included files by book, in the order of their first files, then books without files.
 * @param textBooks planned books that get no file
 */
export function groupByBook(
  drafts: readonly Draft[],
  covers: readonly CoverDraft[] = [],
  textBooks: readonly PlannedBook[] = [],
): BookDrafts[] {
  const groups = new Map<string, BookDrafts>();
  for (const { slug, titleEn } of textBooks)
    groups.set(keyOf({ slug, titleEn }), { book: { slug, titleEn }, base: slug, drafts: [], covers: [] });
  for (const draft of drafts) {
    if (!draft.isIncluded || !isComplete(draft)) continue;
    const key = keyOf(draft.book);
    const group = groups.get(key);
    if (group) group.drafts.push(draft);
    else groups.set(key, { book: draft.book, base: draft.book.slug, drafts: [draft], covers: [] });
  }
  const all = [...groups.values()];
  const taken = new Set(all.map(({ base }) => base));
  for (const group of all) group.base ??= findRenamed(group, taken);
  const byBase = new Map(all.map((group) => [group.base, group]));
  for (const cover of covers) byBase.get(cover.book.slug)?.covers.push(cover);
  return all;
}

/** A book none of whose files kept its title was renamed. */
function findRenamed({ drafts }: BookDrafts, taken: ReadonlySet<string | undefined>): string | undefined {
  const [slug, ...others] = new Set(drafts.map(({ planned }) => planned?.slug));
  return others.length > 0 || taken.has(slug) ? undefined : slug;
}

/** The languages that the plan creates, without those whose files were all taken out. */
export function findNewLanguages({ languages }: Plan, drafts: readonly Draft[]): Plan["languages"] {
  const stored = new Set(
    drafts.flatMap((draft) => (draft.isIncluded && isComplete(draft) ? draft.languageCode : [])),
  );
  const dropped = new Set(drafts.flatMap(({ planned }) => planned?.languageCode ?? []));
  return languages.filter(({ code }) => stored.has(code) || !dropped.has(code));
}

/** What an import changes of one book. Only empty fields are filled, unless existing values are overwritten. */
import type { BulkItem } from "../schemas/bulk.schemas.ts";
import { DEFAULT_COVER } from "../schemas/covers.schemas.ts";
import type { BookFile } from "./library.ts";
import { sha256Of } from "./local-files.ts";
import type { StoredBook } from "./target.ts";
import { isEnglish, type WantedBook, type WantedCover } from "./wanted.ts";

export interface BookPlan {
  wanted: WantedBook;
  /** Undefined for a new book. */
  bookId: string | undefined;
  isArchived: boolean;
  /** For a bulk upsert; undefined if nothing of it changes. */
  item: BulkItem | undefined;
  newFiles: BookFile[];
  replacedFiles: { id: string; file: BookFile }[];
  /** Files that differ from the stored ones, which stay. */
  keptFiles: BookFile[];
  covers: WantedCover[];
}

interface Existing {
  stored: StoredBook;
  /** The codes of its covers. */
  covers: readonly string[];
}

export async function planBook(
  wanted: WantedBook,
  existing: Existing | undefined,
  overwrites: boolean,
): Promise<BookPlan> {
  const { fields, translations, links, files, covers } = wanted;
  if (!existing) {
    const item = { ...fields, translations, files: links };
    const rest = { newFiles: files, replacedFiles: [], keptFiles: [], covers };
    return { wanted, bookId: undefined, isArchived: false, item, ...rest };
  }
  const { stored } = existing;
  const hasCover = ({ languageCode }: WantedCover) => existing.covers.includes(languageCode ?? DEFAULT_COVER);
  return {
    wanted,
    bookId: stored.book.id,
    isArchived: stored.book.isActive === 0,
    item: itemOf(wanted, stored, overwrites),
    covers: covers.filter((cover) => overwrites || !hasCover(cover)),
    ...(await comparedFiles(files, stored, overwrites)),
  };
}

function itemOf(wanted: WantedBook, stored: StoredBook, overwrites: boolean): BulkItem | undefined {
  const { titleEn: _, slug, ...fields } = wanted.fields;
  const titleEn = newTitle(wanted, stored, overwrites);
  const changed = changedFields(fields, stored.book, overwrites);
  const translations = wanted.translations.flatMap((translation) => {
    const before = stored.translations.find(({ languageCode }) => languageCode === translation.languageCode);
    if (!before) return [translation];
    const { languageCode, title, ...more } = translation;
    // An edition without authors has those of the book.
    const authors = isNothing(before.authors) ? stored.book.authors : before.authors;
    const changes = changedFields({ title, ...more }, { ...before, authors }, overwrites);
    return Object.keys(changes).length === 0 ? [] : [{ title: before.title, ...changes, languageCode }];
  });
  const links = wanted.links.filter(
    (link) => overwrites || !stored.files.some((file) => file.isActive === 1 && isSamePlace(file, link)),
  );
  const isChanged =
    titleEn !== stored.book.titleEn || Object.keys(changed).length + translations.length + links.length > 0;
  return isChanged ? { slug, titleEn, ...changed, translations, files: links } : undefined;
}

/** A title that was borrowed from another language counts as empty. */
function newTitle(
  { fields, titleOrigin }: WantedBook,
  { book, translations }: StoredBook,
  overwrites: boolean,
): string {
  const isBorrowed = translations.some(
    ({ languageCode, title }) => title === book.titleEn && !isEnglish(languageCode),
  );
  return titleOrigin === "own" && (overwrites || isBorrowed) ? fields.titleEn : book.titleEn;
}

/** The values that fill empty ones, or that differ from existing ones if these are overwritten. */
function changedFields<T extends object>(
  wanted: T,
  before: Record<string, unknown>,
  overwrites: boolean,
): Partial<T>;
function changedFields(wanted: object, before: Record<string, unknown>, overwrites: boolean): object {
  const changes = Object.entries(wanted).filter(([key, value]) => {
    if (comparable(value) === EMPTY) return false;
    const known = comparable(before[key]);
    return known === EMPTY || (overwrites && known !== comparable(value));
  });
  return Object.fromEntries(changes);
}

/** Omits null, empty strings and empty lists. */
const comparable = (value: unknown): string | undefined =>
  isNothing(value) ? EMPTY : JSON.stringify(value, (_, part) => (isNothing(part) ? undefined : part));

const EMPTY = undefined;
const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);

interface FilePlace {
  languageCode: string;
  fileType: string;
}

const isSamePlace = (one: FilePlace, other: FilePlace): boolean =>
  one.languageCode === other.languageCode && one.fileType === other.fileType;

/** A file that an administrator has replaced or deactivated isn't added again. */
async function comparedFiles(files: readonly BookFile[], { files: stored }: StoredBook, overwrites: boolean) {
  const plan: Pick<BookPlan, "newFiles" | "replacedFiles" | "keptFiles"> = {
    newFiles: [],
    replacedFiles: [],
    keptFiles: [],
  };
  for (const file of files) {
    const there = stored.filter((each) => isSamePlace(each, file));
    const ofSize = there.filter(({ fileSizeBytes }) => fileSizeBytes === file.file.sizeBytes);
    const sha256 = ofSize.length > 0 ? await sha256Of(file.file) : undefined;
    if (sha256 !== undefined && ofSize.some((each) => each.sha256 === sha256)) continue;
    const active = there.find(({ isActive }) => isActive === 1);
    if (!active) plan.newFiles.push(file);
    else if (overwrites) plan.replacedFiles.push({ id: active.id, file });
    else plan.keptFiles.push(file);
  }
  return plan;
}

export const isChanging = ({ item, newFiles, replacedFiles, covers }: BookPlan): boolean =>
  item !== undefined || newFiles.length + replacedFiles.length + covers.length > 0;

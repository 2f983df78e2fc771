/** What an import changes of one book. Only empty fields are filled, unless existing values are overwritten. */
import type { BookTranslation } from "../../schemas/books.schemas.ts";
import type { BulkItem } from "../../schemas/bulk.schemas.ts";
import { DEFAULT_COVER } from "../../schemas/covers.schemas.ts";
import type { Remark } from "../../schemas/remarks.schemas.ts";
import type { BookFile } from "./library.ts";
import { hashFile } from "./local-files.ts";
import { isSamePlace } from "./same-book.ts";
import { findFileRemarks } from "./say-other.ts";
import type { StoredBook, StoredPlace } from "./target.ts";
import { isEnglish, type WantedBook, type WantedCover, type WantedTranslation } from "./wanted.ts";

export interface BookPlan {
  wanted: WantedBook;
  /** The English title after the import. */
  titleEn: string;
  /** Undefined for a new book. */
  bookId: string | undefined;
  /** It could be that book, or another one: nothing of it is imported. */
  isUnsure: boolean;
  isArchived: boolean;
  /** For a bulk upsert; undefined if nothing of it changes. */
  item: BulkItem | undefined;
  newFiles: BookFile[];
  replacedFiles: { id: string; file: BookFile }[];
  /** Files that differ from the stored ones, which stay. */
  keptFiles: BookFile[];
  /** Texts that differ from the stored ones, which stay. */
  keptTexts: KeptTexts[];
  covers: WantedCover[];
  /** Files that are left out because the service has their bytes at another place. */
  knownFiles: KnownFile[];
  /** Of files that say something else than their place. */
  remarks: ReadonlyMap<BookFile, Remark[]>;
}

export interface KnownFile {
  file: BookFile;
  places: readonly StoredPlace[];
}

/** The names of fields of a book, or of its edition in a language. */
interface KeptTexts {
  languageCode: string | undefined;
  fields: string[];
}

interface Existing {
  stored: StoredBook;
  isUnsure: boolean;
  /** The codes of its covers. */
  covers: readonly string[];
}

export async function planBook(
  wanted: WantedBook,
  existing: Existing | undefined,
  { overwrites, archives = false }: { overwrites: boolean; archives?: boolean },
): Promise<BookPlan> {
  const { fields, translations, links, files, covers } = wanted;
  const remarks = new Map(files.map((file) => [file, findFileRemarks(wanted, file, existing?.stored)]));
  if (!existing) {
    const item = {
      ...fields,
      ...(archives && { isActive: 0 as const }),
      translations: translations.map((each) => withTitle(each, fields.titleEn)),
      files: links,
    };
    const kept = { replacedFiles: [], keptFiles: [], keptTexts: [], knownFiles: [] };
    const rest = { newFiles: files, ...kept, covers, remarks };
    const state = { bookId: undefined, isUnsure: false, isArchived: false };
    return { wanted, titleEn: fields.titleEn, ...state, item, ...rest };
  }
  const { stored } = existing;
  const hasCover = ({ languageCode }: WantedCover) => existing.covers.includes(languageCode ?? DEFAULT_COVER);
  return {
    wanted,
    remarks,
    bookId: stored.book.id,
    isUnsure: existing.isUnsure,
    isArchived: stored.book.isActive === 0,
    ...compareTexts(wanted, stored, overwrites),
    knownFiles: [],
    covers: covers.filter((cover) => overwrites || !hasCover(cover)),
    ...(await compareFiles(files, stored, overwrites)),
  };
}

/** Divides files into those that the service has at other places than this book would have them, and the others. */
export function separateKnown(
  files: readonly BookFile[],
  stored: StoredBook | undefined,
  placesOf: (file: BookFile) => readonly StoredPlace[],
): { known: KnownFile[]; others: BookFile[] } {
  const known: KnownFile[] = [];
  const others: BookFile[] = [];
  for (const file of files) {
    const places = placesOf(file);
    const ofBook = stored?.files.filter(({ sha256 }) => places.some((place) => place.sha256 === sha256));
    const isInPlace = ofBook?.some((each) => isSamePlace(each, file)) ?? false;
    const isKept = isInPlace || places.length === 0 || file.file.correction?.leaveOut === false;
    if (isKept) others.push(file);
    else known.push({ file, places });
  }
  return { known, others };
}

/** Readers get the English title of an edition that has none. */
const withTitle = (edition: WantedTranslation, titleEn: string): BookTranslation => ({
  ...edition,
  title: edition.title ?? titleEn,
});

/** The editions that a catalogue describes without a title, which neither a file nor the service has either. */
export const findUntitledEditions = (
  { translations, described }: WantedBook,
  stored: StoredBook | undefined,
): { languageCode: string; place: string }[] =>
  translations.flatMap(({ languageCode, title }) => {
    const place = described.get(languageCode);
    const isStored = stored?.translations.some((each) => each.languageCode === languageCode) ?? false;
    return title === undefined && place !== undefined && !isStored ? [{ languageCode, place }] : [];
  });

function compareTexts(wanted: WantedBook, stored: StoredBook, overwrites: boolean) {
  const { titleEn: _, slug, isActive: __, ...fields } = wanted.fields;
  const title = compareTitle(wanted, stored, overwrites);
  const ofBook = compareFields(fields, stored.book, overwrites);
  const corrected = new Set(
    wanted.files.flatMap(({ languageCode, file: { correction } }) =>
      correction?.title === undefined ? [] : languageCode,
    ),
  );
  const editions = wanted.translations.map((translation) => {
    const isCorrected = corrected.has(translation.languageCode);
    return compareEdition(translation, stored, { overwrites, isCorrected });
  });
  const translations = editions.flatMap(({ translation }) => translation ?? []);
  const links = wanted.links.filter(
    (link) => overwrites || !stored.files.some((file) => file.isActive === 1 && isSamePlace(file, link)),
  );
  const { changes } = ofBook;
  const isChanged =
    title.text !== stored.book.titleEn ||
    Object.keys(changes).length + translations.length + links.length > 0;
  const kept = { languageCode: undefined, fields: [...title.kept, ...ofBook.kept] };
  return {
    titleEn: title.text,
    item: isChanged ? { slug, titleEn: title.text, ...changes, translations, files: links } : undefined,
    keptTexts: [kept, ...editions.map((edition) => edition.kept)].filter((each) => each.fields.length > 0),
  };
}

/**
 * The translation to write, if anything of it changes, and what stays.
 * @param isCorrected whether somebody has written its title for this import
 */
function compareEdition(
  translation: WantedTranslation,
  { book, translations }: StoredBook,
  { overwrites, isCorrected }: { overwrites: boolean; isCorrected: boolean },
) {
  const { languageCode, title, ...more } = translation;
  const before = translations.find((each) => each.languageCode === languageCode);
  if (!before)
    return { translation: withTitle(translation, book.titleEn), kept: { languageCode, fields: [] } };
  // An edition without authors has those of the book.
  const authors = isNothing(before.authors) ? book.authors : before.authors;
  const replaced = isCorrected && title !== before.title ? { title: undefined } : {};
  const { changes, kept } = compareFields(
    { title, ...more },
    { ...before, authors, ...replaced },
    overwrites,
  );
  const isChanged = Object.keys(changes).length > 0;
  return {
    translation: isChanged ? { ...changes, languageCode, title: changes.title ?? before.title } : undefined,
    kept: { languageCode, fields: kept },
  };
}

/** A title that was borrowed from another language counts as empty. */
function compareTitle(
  { fields, titleOrigin }: WantedBook,
  { book, translations }: StoredBook,
  overwrites: boolean,
): { text: string; kept: string[] } {
  const isBorrowed = translations.some(
    ({ languageCode, title }) => title === book.titleEn && !isEnglish(languageCode),
  );
  if (titleOrigin !== "own" || fields.titleEn === book.titleEn) return { text: book.titleEn, kept: [] };
  return overwrites || isBorrowed
    ? { text: fields.titleEn, kept: [] }
    : { text: book.titleEn, kept: ["titleEn"] };
}

/** The values that fill empty ones, or that replace other ones if these are overwritten; and the names of those that stay. */
function compareFields<T extends object>(
  wanted: T,
  before: Record<string, unknown>,
  overwrites: boolean,
): { changes: Partial<T>; kept: string[] };
function compareFields(wanted: object, before: Record<string, unknown>, overwrites: boolean) {
  const differing = Object.entries(wanted).filter(([key, value]) => {
    const text = makeComparable(value);
    return text !== EMPTY && text !== makeComparable(before[key]);
  });
  const isKept = ([key]: [string, unknown]) => !overwrites && makeComparable(before[key]) !== EMPTY;
  return {
    changes: Object.fromEntries(differing.filter((entry) => !isKept(entry))),
    kept: differing.filter(isKept).map(([key]) => key),
  };
}

/** Omits null, empty strings and empty lists. */
const makeComparable = (value: unknown): string | undefined =>
  isNothing(value) ? EMPTY : JSON.stringify(value, (_, part) => (isNothing(part) ? undefined : part));

const EMPTY = undefined;
const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);

/** A file that an administrator has replaced or deactivated isn't added again. */
async function compareFiles(files: readonly BookFile[], { files: stored }: StoredBook, overwrites: boolean) {
  const plan: Pick<BookPlan, "newFiles" | "replacedFiles" | "keptFiles"> = {
    newFiles: [],
    replacedFiles: [],
    keptFiles: [],
  };
  for (const file of files) {
    const there = stored.filter((each) => isSamePlace(each, file));
    const ofSize = there.filter(({ fileSizeBytes }) => fileSizeBytes === file.file.sizeBytes);
    const sha256 = ofSize.length > 0 ? await hashFile(file.file) : undefined;
    if (sha256 !== undefined && ofSize.some((each) => each.sha256 === sha256)) continue;
    const active = there.find(({ isActive }) => isActive === 1);
    if (!active) plan.newFiles.push(file);
    else if (overwrites || file.file.correction?.leaveOut === false)
      plan.replacedFiles.push({ id: active.id, file });
    else plan.keptFiles.push(file);
  }
  return plan;
}

export const isChanging = ({ isUnsure, item, newFiles, replacedFiles, covers }: BookPlan): boolean =>
  !isUnsure && (item !== undefined || newFiles.length + replacedFiles.length + covers.length > 0);

/** What an import does to the book. */
export function describeStatus(plan: BookPlan): "create" | "update" | "unchanged" | "unsure" {
  if (plan.isUnsure) return "unsure";
  if (!isChanging(plan)) return "unchanged";
  return plan.bookId === undefined ? "create" : "update";
}

/** Marks plans that would store files in places in which an earlier plan does: equal names and bytes can mean one book. */
export function markCollisions(plans: readonly BookPlan[], written: Set<string>): void {
  for (const plan of plans) {
    const { bookId } = plan;
    if (bookId === undefined || plan.isUnsure) continue;
    const files = [...plan.newFiles, ...plan.replacedFiles.map(({ file }) => file)];
    const places = files.map(({ languageCode, fileType }) => `${bookId} ${languageCode} ${fileType}`);
    plan.isUnsure = places.some((place) => written.has(place));
    if (!plan.isUnsure) for (const place of places) written.add(place);
  }
}

/** Long texts of a book that is written or compared aren't needed any more: those of thousands take much memory. */
export function forgetTexts({ wanted, item }: BookPlan): void {
  for (const file of wanted.files) file.metadata = { ...file.metadata, description: undefined };
  const described = [
    wanted.fields,
    ...wanted.translations,
    ...(item ? [item, ...(item.translations ?? [])] : []),
  ];
  for (const texts of described) texts.description = undefined;
}

/** What the API returns of the dry run of an import. */
import { findDirection, findLanguageNames } from "../../../lib/bcp47.ts";
import { listContentRemarks } from "../../../schemas/content-remarks.schemas.ts";
import type { ImportPlan, PlannedError } from "../../../schemas/imports.schemas.ts";
import { NO_LANGUAGE } from "../file-languages.ts";
import { SAME_NAME } from "../folder-source.ts";
import type { ImportReport } from "../import.ts";
import type { BookFile, DeclaredLanguage, FailedBook, Failure } from "../library.ts";
import type { LocalFile } from "../local-files.ts";
import { type BookPlan, describeStatus } from "../plan.ts";
import type { Remark, RemarkKind } from "../remarks.ts";
import { describeDifference } from "../say-other.ts";

type PlannedBook = ImportPlan["books"][number];
type PlannedRemark = PlannedBook["files"][number]["remarks"][number];
type LeftOut = ImportPlan["leftOut"][number];

/** The remarks about files that aren't imported; the others are about files that are. */
const REASONS: Partial<Record<RemarkKind, Pick<LeftOut, "code" | "reason">>> = {
  otherType: { code: "other_type", reason: "Files of its type aren't imported." },
  notInCatalogue: { code: "not_in_catalogue", reason: "No imported book of the catalogue names it." },
  about: { code: "about_the_collection", reason: "It is a text about the collection." },
  noBook: { code: "cover_of_no_book", reason: "It is an image that is the cover of no book." },
};

/** Reasons that name an option of the command, without it. */
const REWORDED: ReadonlyMap<string, string> = new Map([
  [
    NO_LANGUAGE,
    "Its language is unknown. Put it in a folder such as en/ or English/, or name it book.en.pdf.",
  ],
  [SAME_NAME, "Its name is that of another book. Rename one, or list both in a catalogue."],
]);

interface PlanFacts {
  /** All paths of the request. */
  paths: readonly string[];
  /** The path of the catalogue. */
  catalogue: string | undefined;
  /** Of hidden files. */
  hidden: readonly string[];
  /** Of files that are left out by a correction. */
  leftOut: readonly string[];
  /** By plan, without those about languages. */
  errors: ReadonlyMap<BookPlan, readonly PlannedError[]>;
}

export function describePlan(report: ImportReport, facts: PlanFacts): ImportPlan {
  const { plans, notices, languages, declaredLanguages } = report;
  const missing = new Set(languages);
  const copies = Map.groupBy(report.identical, ([, original]) => original);
  const { ofBooks, failures } = separateErrors(report.failures);
  const planned = plans.map((plan) => {
    const { place } = plan.wanted;
    const errors = (place !== undefined && ofBooks.get(place)?.errors) || [];
    if (place !== undefined) ofBooks.delete(place);
    return describeBook(plan, missing, copies, [...(facts.errors.get(plan) ?? []), ...errors]);
  });
  const books = [...planned, ...Array.from(ofBooks.values(), describeFailedBook)];
  const leftOut = [
    ...failures.flatMap(describeFailure),
    ...report.remarks.flatMap(describeRemark),
    ...facts.leftOut.map(
      (path): LeftOut => ({ path, code: "left_out", reason: "It is left out by a correction." }),
    ),
    ...facts.hidden.map(
      (path): LeftOut => ({ path, code: "hidden", reason: "Hidden files aren't imported." }),
    ),
  ];
  const described = new Set([
    ...books.flatMap(({ files, covers }) => [...files, ...covers]).map(({ path }) => path),
    ...plans.flatMap(({ wanted }) => wanted.covers.flatMap(({ place }) => place ?? [])),
    ...leftOut.map(({ path }) => path),
  ]);
  const others = facts.paths.filter((path) => !described.has(path));
  return {
    books,
    languages: declaredLanguages.map(describeLanguage),
    leftOut: [...leftOut, ...others.map((path) => explainOther(path, facts))],
    notices,
  };
}

/** With what the service gives a language for which nothing else is declared. */
function describeLanguage({ parentCode, ...given }: DeclaredLanguage): ImportPlan["languages"][number] {
  const names = findLanguageNames(given.code);
  return {
    ...given,
    name: given.name ?? names.name,
    nativeName: given.nativeName ?? names.nativeName,
    direction: given.direction ?? findDirection(given.code),
    parentCode: parentCode ?? null,
  };
}

const explainOther = (path: string, { catalogue }: PlanFacts): LeftOut =>
  path === catalogue
    ? { path, code: "catalogue", reason: "It is the catalogue." }
    : { path, code: "book_not_imported", reason: "Its book can't be imported." };

interface BookErrors {
  book: FailedBook;
  errors: PlannedError[];
}

/** What is wrong with books of a catalogue, by the places of these, and what isn't about one. */
function separateErrors(all: readonly Failure[]) {
  const ofBooks = new Map<string, BookErrors>();
  const failures: Failure[] = [];
  for (const failure of all) {
    const { book, problem, code } = failure;
    if (!book || problem === undefined || code !== undefined) failures.push(failure);
    if (!book || problem === undefined) continue;
    const known = ofBooks.get(book.place) ?? { book, errors: [] };
    ofBooks.set(book.place, known);
    known.errors.push(describeError(failure, problem));
  }
  return { ofBooks, failures };
}

const describeError = ({ reason, detail, cell, path, subject }: Failure, code: string): PlannedError => ({
  code,
  message: detail === undefined ? `${subject}: ${reason}` : `${subject}: ${reason} (${detail})`,
  ...(cell && { line: cell.line }),
  ...(cell?.column !== undefined && { column: cell.column }),
  ...(cell?.value !== undefined && { value: cell.value }),
  ...(path !== undefined && { path }),
});

const describeFailedBook = ({ book: { slug, titleEn }, errors }: BookErrors): PlannedBook => ({
  slug,
  bookId: null,
  titleEn,
  status: "create",
  files: [],
  covers: [],
  coversCount: 0,
  titleIsBorrowed: false,
  keptTexts: [],
  errors,
});

type Copies = ReadonlyMap<LocalFile, readonly (readonly [LocalFile, LocalFile])[]>;

function describeBook(
  plan: BookPlan,
  missing: ReadonlySet<string>,
  copies: Copies,
  errors: readonly PlannedError[],
): PlannedBook {
  const { wanted, titleEn, covers, knownFiles } = plan;
  const titles = new Map(wanted.translations.map(({ languageCode, title }) => [languageCode, title]));
  const unknown = listCodes(wanted).filter((code) => missing.has(code));
  return {
    slug: wanted.slug,
    bookId: plan.bookId ?? null,
    titleEn,
    status: describeStatus(plan),
    files: [
      ...wanted.files.flatMap((file) => [
        { ...describeFile(file, titles), status: statusOf(plan, file), remarks: listRemarks(plan, file) },
        ...(copies.get(file.file) ?? []).map(([{ path, name }]) => ({
          ...describeFile(file, titles),
          path,
          fileName: name,
          ...describeKnown([{ path: file.file.path }]),
        })),
      ]),
      ...knownFiles.map(({ file, places }) => ({
        ...describeFile(file, titles),
        ...describeKnown(
          places.map(({ bookId, fileId, languageCode }) => ({ bookId, fileId, languageCode })),
        ),
      })),
    ],
    covers: covers.flatMap(({ place: path, languageCode = null }) =>
      path === undefined ? [] : [{ path, languageCode }],
    ),
    coversCount: covers.length,
    titleIsBorrowed: wanted.titleOrigin === "borrowed",
    keptTexts: plan.keptTexts.map(({ languageCode = null, fields }) => ({ languageCode, fields })),
    errors: [
      ...(plan.isUnsure ? [explainUnsure(plan)] : []),
      ...unknown.map((code) => ({
        code: "language_missing",
        message: `The language ${code} doesn't exist; create it first.`,
        languageCode: code,
      })),
      ...errors,
    ],
  };
}

/** Each once. */
const listCodes = ({ translations, files, links, covers }: BookPlan["wanted"]): string[] => [
  ...new Set(
    [...translations, ...files, ...links, ...covers].flatMap(({ languageCode }) => languageCode ?? []),
  ),
];

type PlannedFile = PlannedBook["files"][number];

const describeFile = (
  { file, languageCode, fileType, metadata }: BookFile,
  titles: ReadonlyMap<string, string | undefined>,
): Omit<PlannedFile, "status" | "remarks"> => ({
  path: file.path,
  languageCode,
  fileType,
  fileName: file.name,
  title: titles.get(languageCode) ?? metadata.title ?? null,
});

const describeKnown = (knownAs: PlannedFile["knownAs"]) => ({
  status: "known" as const,
  knownAs,
  remarks: [],
});

function statusOf({ newFiles, replacedFiles, keptFiles }: BookPlan, file: BookFile): PlannedFile["status"] {
  if (newFiles.includes(file)) return "create";
  if (replacedFiles.some((replaced) => replaced.file === file)) return "replace";
  return keptFiles.includes(file) ? "differs" : "unchanged";
}

const listRemarks = ({ remarks }: BookPlan, file: BookFile): PlannedRemark[] => [
  ...listContentRemarks(file.metadata.unreadable, file.metadata.coverIsMissing).map((remark) => ({
    ...remark,
    found: null,
    expected: null,
  })),
  ...(remarks.get(file) ?? []).map((remark) => ({ ...remark, message: describeDifference(remark) })),
];

const explainUnsure = ({ titleEn, bookId, wanted: { slug } }: BookPlan): PlannedError => ({
  code: "unsure",
  message: `It could be the book “${titleEn}” (${slug}), which has other bytes or another title. Stored as planned, it becomes that book.`,
  ...(bookId !== undefined && { bookId }),
});

function describeFailure({ subject, places = [subject], reason, detail, code, by }: Failure): LeftOut[] {
  const text = REWORDED.get(reason) ?? reason;
  return places.map((path) => ({
    path,
    reason: detail === undefined ? text : `${text} (${detail})`,
    ...(code && { code }),
    ...(by !== undefined && { by }),
  }));
}

function describeRemark({ kind, subject: path }: Remark): LeftOut[] {
  const found = REASONS[kind];
  return found ? [{ path, ...found }] : [];
}

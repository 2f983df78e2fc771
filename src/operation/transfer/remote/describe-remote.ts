/** The plan and the result of a service as the report of the command. */
import type { ImportNotice } from "../../../schemas/import-notices.schemas.ts";
import type { ImportResult } from "../../../schemas/import-runs.schemas.ts";
import type { ImportPlan, LeftOutCode } from "../../../schemas/imports.schemas.ts";
import type { Failure } from "../library.ts";
import type { Remark, RemarkKind } from "../remarks.ts";
import type { Reported, ReportedBook } from "../reported.ts";
import { describeRemarks } from "../say-other.ts";

type PlannedBook = ImportPlan["books"][number];
type PlannedFile = PlannedBook["files"][number];
type LeftOut = ImportPlan["leftOut"][number];
type ResultBook = ImportResult["books"][number];

const KINDS: Partial<Record<LeftOutCode, RemarkKind>> = {
  about_the_collection: "about",
  cover_of_no_book: "noBook",
  not_in_catalogue: "notInCatalogue",
  other_type: "otherType",
};

/** What the operator has decided, or another line of the report names. */
const UNSAID: readonly (LeftOutCode | undefined)[] = ["book_not_imported", "catalogue", "hidden", "left_out"];

export function describePlanned(
  { books, languages, leftOut, notices }: ImportPlan,
  failures: readonly Failure[],
  ownNotices: readonly ImportNotice[],
): Reported {
  return {
    languages: languages.map(({ code }) => code).sort(),
    books: books.filter(isPlanned).map(describePlannedBook),
    failures: [...failures, ...leftOut.flatMap(describeFailure), ...books.flatMap(describeErrors)],
    notices: [...ownNotices, ...notices],
    skipped: [],
    remarks: [...leftOut.flatMap(describeRemark), ...listRemarks(books)],
    titleField: undefined,
  };
}

/** @param planned before the start: the result doesn't have what wasn't to be written */
export function describeRun(
  { result }: { result: ImportResult | null },
  planned: Reported,
  failures: readonly Failure[],
): Reported {
  const { books, leftOut, failed } = result ?? { books: [], leftOut: [], failed: [] };
  return {
    ...planned,
    books: books.filter(({ status }) => status !== "failed").map(describeResultBook),
    failures: [
      ...failures,
      ...leftOut.flatMap(describeFailure),
      ...failed.map(({ path, slug, message }) => ({ subject: path ?? slug ?? "", reason: message })),
    ],
    remarks: [...leftOut.flatMap(describeRemark), ...listRemarks(books)],
  };
}

/** A row of a catalogue that can't be used is a failure. */
const isPlanned = ({ files, errors, coversCount }: PlannedBook): boolean =>
  files.length + coversCount > 0 || errors.every(isAboutAll);

/** Of a whole book that is imported all the same, or of the report's own lines. */
const isAboutAll = ({ code }: { code: string }): boolean => code === "unsure" || code === "language_missing";

const describeErrors = ({ slug, errors }: PlannedBook): Failure[] =>
  errors.filter((error) => !isAboutAll(error)).map(({ message }) => ({ subject: slug, reason: message }));

function describePlannedBook(book: PlannedBook): ReportedBook {
  const { status, slug, titleEn, titleIsBorrowed, files, coversCount, keptTexts } = book;
  return {
    status,
    slug,
    titleEn,
    isBorrowed: titleIsBorrowed,
    covers: coversCount,
    keptTexts,
    ...describeFiles(files),
  };
}

function describeResultBook(book: ResultBook): ReportedBook {
  const { status, slug, titleEn, files, covers, keptTexts } = book;
  return {
    status: status === "failed" ? "unchanged" : status,
    slug,
    titleEn,
    isBorrowed: false,
    covers: covers.length,
    keptTexts,
    ...describeFiles(files),
  };
}

type AnyFile = Omit<PlannedFile, "status" | "fileName"> & { status: PlannedFile["status"] | "failed" };

function describeFiles(files: readonly AnyFile[]) {
  const placed = files.filter(({ status }) => status !== "known");
  const changed = placed.filter(({ status }) => status === "create" || status === "replace");
  const count = (wanted: AnyFile["status"]) => placed.filter(({ status }) => status === wanted).length;
  return {
    titleAfter: "",
    isArchived: false,
    generatedOf: undefined,
    codes: [...new Set(placed.map(({ languageCode }) => languageCode))].sort(),
    newFiles: count("create"),
    replacedFiles: count("replace"),
    places: placed.map(({ path }) => path),
    newCodes: placed.filter(({ status }) => status === "create").map(({ languageCode }) => languageCode),
    sayings: changed.flatMap(({ languageCode, path: place, remarks }) => {
      const said = remarks.filter(({ code }) => /_differs$/.test(code));
      return said.length === 0 ? [] : [{ languageCode, place, text: describeRemarks(said) }];
    }),
    keptFiles: placed
      .filter(({ status }) => status === "differs")
      .map(({ languageCode, path: place }) => ({ languageCode, place })),
  };
}

/** Copies, what the service has elsewhere, and what can't be read. */
function listRemarks(books: readonly { files: readonly AnyFile[] }[]): Remark[] {
  return books
    .flatMap(({ files }) => files)
    .flatMap(({ path: subject, status, knownAs = [], remarks }): Remark[] => {
      const [first] = knownAs;
      if (status === "known" && first && "path" in first)
        return [{ kind: "identical", subject, detail: `identical to ${first.path}` }];
      if (status === "known") return [{ kind: "known", subject }];
      return remarks.flatMap(({ code, message }): Remark[] => {
        if (code === "metadata_unreadable") return [{ kind: "unreadable", subject, detail: message }];
        return code === "cover_missing" ? [{ kind: "noCover", subject }] : [];
      });
    });
}

function describeRemark({ path: subject, code }: LeftOut): Remark[] {
  const kind = code && KINDS[code];
  return kind ? [{ kind, subject }] : [];
}

const describeFailure = ({ path: subject, code, reason }: LeftOut): Failure[] =>
  (code && KINDS[code]) || UNSAID.includes(code) ? [] : [{ subject, reason }];

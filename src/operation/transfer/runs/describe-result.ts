/** What the API returns of an import that has run. */
import type { ImportResult } from "../../../schemas/import-runs.schemas.ts";
import type { ImportPlan } from "../../../schemas/imports.schemas.ts";
import type { ImportReport } from "../import.ts";
import type { Failure } from "../library.ts";
import type { BookPlan } from "../plan.ts";
import { describePlan } from "../plans/describe-plan.ts";

type PlannedBook = ImportPlan["books"][number];
type ResultBook = ImportResult["books"][number];

interface ResultFacts {
  paths: readonly string[];
  catalogue: string | undefined;
  hidden: readonly string[];
  leftOut: readonly string[];
  /** Whether it was stopped: then books are missing that nothing speaks against. */
  isStopped: boolean;
}

export function describeResult(report: ImportReport, facts: ResultFacts): ImportResult {
  const plans = report.plans.filter((plan) => report.settled.has(plan));
  const written = report.failures.filter((failure) => failure.written);
  const others = report.failures.filter((failure) => !failure.written);
  const plan = describePlan({ ...report, plans, failures: others }, { ...facts, errors: new Map() });
  const failedPlaces = new Set(written.map(({ subject }) => subject));
  const books = plan.books.slice(0, plans.length).map((book, index) => {
    const written = plans[index];
    const bookId = written && report.bookIds.get(written);
    return describeBook({ ...book, covers: listCovers(written) }, bookId, failedPlaces);
  });
  return {
    books,
    leftOut: plan.leftOut.filter(({ code }) => !facts.isStopped || code !== "book_not_imported"),
    failed: [
      ...plan.books.flatMap(({ slug, errors }) =>
        errors.filter(isFailure).map((error) => ({ ...error, slug })),
      ),
      ...written.map(describeFailure),
    ],
  };
}

/** With those inside of files. */
const listCovers = (plan: BookPlan | undefined): ResultBook["covers"] =>
  (plan?.covers ?? []).flatMap(({ place, read, languageCode = null }) => {
    const path = place ?? plan?.wanted.files.find(({ metadata }) => metadata.cover === read)?.file.path;
    return path === undefined ? [] : [{ path, languageCode }];
  });

/** A book that is unsure is no failure, and languages were created. */
const isFailure = ({ code }: { code: string }): boolean => code !== "unsure" && code !== "language_missing";

function describeBook(
  { slug, titleEn, status, files, covers, keptTexts, errors, bookId: known }: PlannedBook,
  written: string | undefined,
  failedPlaces: ReadonlySet<string>,
): ResultBook {
  const bookId = written ?? known;
  return {
    slug,
    bookId,
    titleEn,
    status: bookId === null && status !== "unchanged" ? "failed" : status,
    files: files.map(({ fileName: _, ...file }) => ({
      ...file,
      status: failedPlaces.has(file.path) ? "failed" : file.status,
    })),
    covers: covers.filter(({ path }) => !failedPlaces.has(path)),
    keptTexts,
    remarks: errors.filter(({ code }) => code === "unsure"),
  };
}

function describeFailure({ subject, reason, problem, written }: Failure): ImportResult["failed"][number] {
  const { slug, bookId } = written ?? {};
  return {
    code: problem ?? "not_written",
    message: reason,
    ...(subject !== slug && { path: subject }),
    ...(slug !== undefined && { slug }),
    ...(bookId !== undefined && { bookId }),
  };
}

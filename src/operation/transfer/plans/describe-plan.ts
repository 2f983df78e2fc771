/** What the API returns of the dry run of an import. */
import type { ImportPlan } from "../../../schemas/imports.schemas.ts";
import type { ImportReport } from "../import.ts";
import type { Failure } from "../library.ts";
import { type BookPlan, isChanging } from "../plan.ts";
import type { Remark, RemarkKind } from "../remarks.ts";

type PlannedBook = ImportPlan["books"][number];
type LeftOut = ImportPlan["leftOut"];

/** The remarks about files that aren't imported; the others are about files that are. */
const REASONS: Partial<Record<RemarkKind, string>> = {
  otherType: "Files of its type aren't imported.",
  notInCatalogue: "No imported book of the catalogue names it.",
  about: "It is a text about the collection.",
  noBook: "It is an image that is the cover of no book.",
};

interface PlanFacts {
  /** All paths of the request. */
  paths: readonly string[];
  /** The path of the catalogue. */
  catalogue: string | undefined;
  /** Of hidden files. */
  hidden: readonly string[];
  /** By plan, without those about languages. */
  errors: ReadonlyMap<BookPlan, readonly string[]>;
}

export function describePlan(
  { plans, failures, remarks, languages }: ImportReport,
  facts: PlanFacts,
): ImportPlan {
  const missing = new Set(languages);
  const books = plans.map((plan) => describeBook(plan, missing, facts.errors.get(plan) ?? []));
  const leftOut = [
    ...failures.flatMap(describeFailure),
    ...remarks.flatMap(describeRemark),
    ...facts.hidden.map((path) => ({ path, reason: "Hidden files aren't imported." })),
  ];
  const described = new Set([
    ...books.flatMap(({ files, covers }) => [...files, ...covers]).map(({ path }) => path),
    ...plans.flatMap(({ wanted }) => wanted.covers.flatMap(({ place }) => place ?? [])),
    ...leftOut.map(({ path }) => path),
  ]);
  const others = facts.paths.filter((path) => !described.has(path));
  return { books, leftOut: [...leftOut, ...others.map((path) => explainOther(path, facts))] };
}

const explainOther = (path: string, { catalogue }: PlanFacts) => ({
  path,
  reason: path === catalogue ? "It is the catalogue." : "Its book can't be imported.",
});

function describeBook(plan: BookPlan, missing: ReadonlySet<string>, errors: readonly string[]): PlannedBook {
  const { wanted, titleEn, newFiles, keptFiles, covers } = plan;
  const titles = new Map(wanted.translations.map(({ languageCode, title }) => [languageCode, title]));
  const codes = [...wanted.translations, ...wanted.files, ...wanted.links, ...wanted.covers].flatMap(
    ({ languageCode }) => languageCode ?? [],
  );
  const unknown = [...new Set(codes)].filter((code) => missing.has(code));
  return {
    slug: wanted.slug,
    titleEn,
    status: plan.bookId === undefined ? "create" : isChanging(plan) ? "update" : "unchanged",
    files: wanted.files.map((file) => {
      const { languageCode, fileType, metadata } = file;
      const isNew = newFiles.includes(file);
      return {
        path: file.file.path,
        languageCode,
        fileType,
        title: titles.get(languageCode) ?? metadata.title ?? null,
        status: isNew ? "create" : keptFiles.includes(file) ? "differs" : "unchanged",
      };
    }),
    covers: covers.flatMap(({ place: path, languageCode = null }) =>
      path === undefined ? [] : [{ path, languageCode }],
    ),
    errors: [...unknown.map((code) => `The language ${code} doesn't exist; create it first.`), ...errors],
  };
}

const describeFailure = ({ subject, places = [subject], reason, detail }: Failure): LeftOut =>
  places.map((path) => ({ path, reason: detail === undefined ? reason : `${reason} (${detail})` }));

function describeRemark({ kind, subject: path }: Remark): LeftOut {
  const reason = REASONS[kind];
  return reason === undefined ? [] : [{ path, reason }];
}

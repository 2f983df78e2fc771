/** What an import reports, whether this program has run it or a service. */
import { isSpelledOut } from "../../lib/slug.ts";
import type { ImportNotice } from "../../schemas/import-notices.schemas.ts";
import type { ImportReport } from "./import.ts";
import type { Failure } from "./library.ts";
import { type BookPlan, describeStatus } from "./plan.ts";
import type { Remark } from "./remarks.ts";
import { describeRemarks } from "./say-other.ts";

export interface ReportedBook {
  status: ReturnType<typeof describeStatus>;
  slug: string;
  /** As the files or the catalogue have it. */
  titleEn: string;
  /** After the import. */
  titleAfter: string;
  /** Whether the title is that of another language. */
  isBorrowed: boolean;
  isArchived: boolean;
  codes: readonly string[];
  /** Of its first file, if the slug was generated because its letters can't be in one. */
  generatedOf: string | undefined;
  newFiles: number;
  replacedFiles: number;
  covers: number;
  /** Of its files. */
  places: readonly string[];
  /** The languages in which readers get new files. */
  newCodes: readonly string[];
  /** What new files say otherwise than their places. */
  sayings: readonly { languageCode: string; place: string; text: string }[];
  keptTexts: readonly { languageCode: string | null; fields: readonly string[] }[];
  keptFiles: readonly { languageCode: string; place: string }[];
}

export interface Reported {
  languages: readonly string[];
  books: readonly ReportedBook[];
  failures: readonly Failure[];
  notices: readonly ImportNotice[];
  /** The slugs of books that would be empty. */
  skipped: readonly string[];
  remarks: readonly Remark[];
  /** Where an English title is to be given; undefined without a catalogue. */
  titleField: string | undefined;
}

export const describeReport = ({ plans, titleField, ...report }: ImportReport): Reported => ({
  ...report,
  titleField,
  books: plans.map(describeBook),
});

export function describeBook(plan: BookPlan): ReportedBook {
  const { wanted, newFiles, replacedFiles, keptFiles, keptTexts, remarks } = plan;
  const { slug, titleOrigin, translations, files, derivedFrom } = wanted;
  const changed = [...newFiles, ...replacedFiles.map(({ file }) => file)];
  const isGenerated =
    plan.bookId === undefined && derivedFrom !== undefined && !isSpelledOut(derivedFrom.name);
  return {
    status: describeStatus(plan),
    slug,
    titleEn: wanted.fields.titleEn,
    titleAfter: plan.titleEn,
    isBorrowed: titleOrigin === "borrowed",
    isArchived: plan.isArchived,
    codes: [...new Set([...translations, ...files].map(({ languageCode }) => languageCode))].sort(),
    generatedOf: isGenerated ? files[0]?.file.place : undefined,
    newFiles: newFiles.length,
    replacedFiles: replacedFiles.length,
    covers: plan.covers.length,
    places: files.map(({ file }) => file.place),
    newCodes: [...newFiles, ...wanted.links].map(({ languageCode }) => languageCode),
    sayings: changed.flatMap((file) => {
      const said = remarks.get(file) ?? [];
      const { languageCode } = file;
      return said.length === 0 ? [] : [{ languageCode, place: file.file.place, text: describeRemarks(said) }];
    }),
    keptTexts: keptTexts.map(({ languageCode = null, fields }) => ({ languageCode, fields })),
    keptFiles: keptFiles.map(({ languageCode, file }) => ({ languageCode, place: file.place })),
  };
}

/** What an import prints: a table of what would happen, or a summary of what has happened. */
import { findLanguageNames } from "../../lib/bcp47.ts";
import { isSpelledOut } from "../../lib/slug.ts";
import type { ImportReport } from "./import.ts";
import type { Failure } from "./library.ts";
import { type BookPlan, isChanging } from "./plan.ts";
import { formatCount, formatRemarks } from "./remarks.ts";
import { describeRemarks } from "./say-other.ts";

const MAX_SLUG_WIDTH = 40;
const MAX_CODES = 12;

/** One line for each book. */
export function importTable({ plans, languages, remarks, titleField }: ImportReport): string {
  const width = Math.min(MAX_SLUG_WIDTH, Math.max(0, ...plans.map(({ wanted }) => wanted.slug.length)));
  const lines = plans.map((plan) => formatLine(plan, width));
  const names = remarks.flatMap(({ kind, subject, detail }) =>
    kind === "languageName" ? [`${subject} ${detail}`] : [],
  );
  const notes = [
    ...(plans.some(({ wanted }) => wanted.titleOrigin === "borrowed")
      ? [formatBorrowedNote(titleField)]
      : []),
    ...formatSlugNotes(plans),
  ];
  return [
    ...(languages.length > 0 ? [`New languages: ${languages.map(withName).join(", ")}`] : []),
    ...(names.length > 0 ? [`Names that were read as languages: ${names.join(", ")}`] : []),
    ...(languages.length + names.length > 0 ? [""] : []),
    ...lines,
    ...notes.flatMap((note) => ["", note]),
    "",
    "",
  ].join("\n");
}

function withName(code: string): string {
  const { name } = findLanguageNames(code);
  return `${code} (${name === code ? "CLDR has no name for it" : name})`;
}

const formatBorrowedNote = (titleField = "titleEn in a catalogue"): string =>
  `* No English edition: the title in the list of books is that of the first language by code. Change it with ${titleField}, or later on the page of the book in the console.`;

function formatSlugNotes(plans: readonly BookPlan[]): string[] {
  const generated = plans.filter(
    ({ bookId, wanted: { derivedFrom } }) =>
      bookId === undefined && derivedFrom !== undefined && !isSpelledOut(derivedFrom.name),
  );
  const slugs = generated.map(({ wanted: { slug, files } }) => `  ${slug}: ${files[0]?.file.place}`);
  return slugs.length === 0 ? [] : [[GENERATED, ...slugs].join("\n")];
}

const GENERATED =
  "Generated slugs: names with letters that slugs can't have. The slug is the book's address. To choose it, rename the file or folder before the import, or use a catalogue with a slug.";

function formatLine(plan: BookPlan, width: number): string {
  const { slug, fields, titleOrigin, translations, files } = plan.wanted;
  const codes = [...new Set([...translations, ...files].map(({ languageCode }) => languageCode))].sort();
  const shown = codes.length > MAX_CODES ? [...codes.slice(0, MAX_CODES), "…"] : codes;
  const title = `${fields.titleEn}${titleOrigin === "borrowed" ? " *" : ""}`;
  const archived = plan.isArchived ? " (archived)" : "";
  const parts = [
    describeStatus(plan),
    slug.padEnd(width),
    shown.join(" "),
    describeChanges(plan),
    title + archived,
  ];
  return parts.filter((part) => part !== "").join("  ");
}

function describeStatus(plan: BookPlan): string {
  if (plan.isUnsure) return "unsure   ";
  if (plan.bookId === undefined) return "create   ";
  return isChanging(plan) ? "update   " : "unchanged";
}

function describeChanges({ newFiles, replacedFiles, covers }: BookPlan): string {
  const parts = [
    formatCountIfAny(newFiles.length, "new file"),
    formatCountIfAny(replacedFiles.length, "replaced file"),
    formatCountIfAny(covers.length, "cover"),
  ];
  return parts.filter((part) => part !== undefined).join(", ");
}

const formatCountIfAny = (count: number, noun: string): string | undefined =>
  count === 0 ? undefined : formatCount(count, noun);

/** `the-well  am  am/the-well.epub: its language is ru` for each new file that says something else. */
function formatSayings(plans: readonly BookPlan[]): string[] {
  const lines = plans.flatMap(({ wanted: { slug }, newFiles, replacedFiles, remarks }) =>
    [...newFiles, ...replacedFiles.map(({ file }) => file)].flatMap((file) => {
      const said = remarks.get(file) ?? [];
      return said.length === 0
        ? []
        : [`  ${slug}  ${file.languageCode}  ${file.file.place}: ${describeRemarks(said)}`];
    }),
  );
  const more = lines.length - MAX_SAYINGS;
  const what = lines.length === 1 ? "1 file says" : `${lines.length} files say`;
  return lines.length === 0
    ? []
    : [
        `${what} another language, title or ISBN than folder, name or catalogue, which count:`,
        ...lines.slice(0, MAX_SAYINGS),
        ...(more > 0 ? [`  and ${more} more`] : []),
      ];
}

const MAX_SAYINGS = 100;

/** `unsure     the-well  fr/the-well.epub: perhaps “The Well”` for each book, and what to do. */
function formatUnsure(plans: readonly BookPlan[]): string[] {
  if (plans.length === 0) return [];
  const width = Math.min(MAX_SLUG_WIDTH, Math.max(...plans.map(({ wanted }) => wanted.slug.length)));
  const lines = plans.map(({ wanted: { slug, files }, titleEn }) => {
    const places = files.map(({ file }) => file.place).join(", ");
    return `unsure     ${slug.padEnd(width)}  ${places}: perhaps “${titleEn}”`;
  });
  const what = plans.length === 1 ? "1 book could be one" : `${plans.length} books could be some`;
  const them = plans.length === 1 ? "it" : "them";
  return [
    ...lines,
    `${what} that the service has, and ${them === "it" ? "was" : "were"} left out: the name or the slug is the same, but not what tells the books apart. --same-book imports ${them} as such; to make new books, rename ${them}, or use a catalogue with slugs.`,
  ];
}

const MAX_NOTICES = 100;

function formatNotices(notices: readonly string[]): string[] {
  const more = notices.length - MAX_NOTICES;
  return [...notices.slice(0, MAX_NOTICES), ...(more > 0 ? [`${more} more such lines.`] : [])];
}

const formatSkipped = (slugs: readonly string[]): string[] =>
  slugs.map((slug) => `skipped    ${slug}  none of its files can be imported`);

/** `differs    the-moon  sw  title, file sw/moon.epub` for each book or edition of which something stays, and the count. */
function formatDifferences(plans: readonly BookPlan[]): string[] {
  const lines = plans.flatMap(listDifferences);
  if (lines.length === 0) return [];
  const longest = lines.reduce((length, { slug }) => Math.max(length, slug.length), 0);
  const width = Math.min(MAX_SLUG_WIDTH, longest);
  const texts = plans.flatMap(({ keptTexts }) => keptTexts).flatMap(({ fields }) => fields).length;
  const files = plans.flatMap(({ keptFiles }) => keptFiles).length;
  const counts = [formatCountIfAny(texts, "text"), formatCountIfAny(files, "file")].filter(
    (count) => count !== undefined,
  );
  const them = texts + files === 1 ? "it" : "them";
  return [
    ...lines.map(({ slug, code, parts }) => `differs    ${slug.padEnd(width)}  ${code}  ${parts.join(", ")}`),
    `${counts.join(" and ")} with other content stayed as stored; --overwrite replaces ${them}.`,
  ];
}

function listDifferences({ wanted: { slug }, keptTexts, keptFiles }: BookPlan) {
  const texts = keptTexts.map(({ languageCode: code = "book", fields }) => ({ code, parts: fields }));
  const files = keptFiles.map(({ languageCode: code, file }) => ({ code, parts: [`file ${file.place}`] }));
  const byCode = Map.groupBy([...texts, ...files], ({ code }) => code);
  return [...byCode].map(([code, same]) => ({ slug, code, parts: same.flatMap(({ parts }) => parts) }));
}

/** A line for a failure; for several with the same reason, the reason once, and a line for each below. */
export function formatFailures(failures: readonly Failure[]): string[] {
  const withDetail = (text: string, { detail }: Failure) =>
    detail === undefined ? text : `${text} (${detail})`;
  return [...Map.groupBy(failures, ({ reason }) => reason)].flatMap(([reason, same]) => {
    const [first, second] = same;
    if (first && !second) return [withDetail(`Failed: ${first.subject}: ${reason}`, first)];
    return [
      `Failed: ${same.length} times: ${reason}`,
      ...same.map((failure) => withDetail(`  ${failure.subject}`, failure)),
    ];
  });
}

export function importSummary(report: ImportReport, isDryRun: boolean): string {
  const { plans, languages, failures, notices, remarks, skipped } = report;
  const isNew = ({ bookId }: BookPlan) => bookId === undefined;
  const changed = plans.filter((plan) => !isNew(plan) && isChanging(plan));
  const unchanged = plans.filter((plan) => !isNew(plan) && !isChanging(plan) && !plan.isUnsure);
  const unsure = plans.filter(({ isUnsure }) => isUnsure);
  const sum = (countOf: (plan: BookPlan) => number) =>
    plans.reduce((total, plan) => total + (plan.isUnsure ? 0 : countOf(plan)), 0);
  const counts = [
    formatCountIfAny(languages.length, "new language"),
    formatCountIfAny(plans.filter(isNew).length, "new book"),
    formatCountIfAny(changed.length, "updated book"),
    formatCountIfAny(unchanged.length, "unchanged book"),
    formatCountIfAny(unsure.length, "unsure book"),
    formatCountIfAny(
      sum(({ newFiles }) => newFiles.length),
      "new file",
    ),
    formatCountIfAny(
      sum(({ replacedFiles }) => replacedFiles.length),
      "replaced file",
    ),
    formatCountIfAny(
      sum(({ covers }) => covers.length),
      "cover",
    ),
    formatCountIfAny(skipped.length, "skipped book"),
    formatCountIfAny(failures.length, "failure"),
  ].filter((count) => count !== undefined);
  const found = counts.length === 0 ? "No books found" : counts.join(", ");
  const end = `${found}.${isDryRun ? " Dry run: nothing was changed." : ""}`;
  const leftOut = [...formatRemarks(remarks), ...formatNotices(notices), ...formatSkipped(skipped)];
  const others = plans.filter(({ isUnsure }) => !isUnsure);
  const about = [...formatSayings(others), ...formatDifferences(others), ...formatUnsure(unsure)];
  return [...leftOut, ...about, end, ""].join("\n");
}

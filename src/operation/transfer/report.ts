/** What an import prints: a table of what would happen, or a summary of what has happened. */
import { findLanguageNames } from "../../lib/bcp47.ts";
import type { Failure } from "./library.ts";
import { formatCount, formatRemarks } from "./remarks.ts";
import type { Reported, ReportedBook } from "./reported.ts";

const MAX_SLUG_WIDTH = 40;
const MAX_CODES = 12;

interface TableOptions {
  /** Whether new books are archived. */
  archives: boolean;
}

/** One line for each book. */
export function importTable(
  { books, languages, remarks, titleField }: Reported,
  { archives }: TableOptions = { archives: false },
): string {
  const width = Math.min(MAX_SLUG_WIDTH, Math.max(0, ...books.map(({ slug }) => slug.length)));
  const lines = books.map((book) => formatLine(book, width));
  const names = remarks.flatMap(({ kind, subject, detail }) =>
    kind === "languageName" ? [`${subject} ${detail}`] : [],
  );
  const notes = [
    ...(books.some(({ isBorrowed }) => isBorrowed) ? [formatBorrowedNote(titleField)] : []),
    ...formatSlugNotes(books),
    ...formatNewForReaders(books, archives),
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

/** What readers get by the import; none if it has no new book for them. */
export function formatNewForReaders(books: readonly ReportedBook[], archives: boolean): string[] {
  const made = books.filter(({ status, newCodes }) => status === "create" && newCodes.length > 0);
  const languages = new Set(made.flatMap(({ newCodes }) => newCodes));
  if (made.length === 0) return [];
  const what = formatCount(made.length, "book");
  if (archives) return [`${what} will be archived: readers get none of them until somebody restores them.`];
  const become = made.length === 1 ? "becomes" : "become";
  return [
    `Readers: ${what} ${become} public in ${formatCount(languages.size, "language")}; --archived makes new books that readers don't get.`,
  ];
}

function withName(code: string): string {
  const { name } = findLanguageNames(code);
  return `${code} (${name === code ? "CLDR has no name for it" : name})`;
}

const formatBorrowedNote = (titleField = "titleEn in a catalogue"): string =>
  `* No English edition: the title in the list of books is that of the first language by code. Change it with ${titleField}, or later on the page of the book in the console.`;

function formatSlugNotes(books: readonly ReportedBook[]): string[] {
  const slugs = books.flatMap(({ slug, generatedOf }) =>
    generatedOf === undefined ? [] : [`  ${slug}: ${generatedOf}`],
  );
  return slugs.length === 0 ? [] : [[GENERATED, ...slugs].join("\n")];
}

const GENERATED =
  "Generated slugs: names with letters that slugs can't have. The slug is the book's address. To choose it, rename the file or folder before the import, or use a catalogue with a slug.";

function formatLine(book: ReportedBook, width: number): string {
  const { slug, codes, titleEn, isBorrowed, isArchived } = book;
  const shown = codes.length > MAX_CODES ? [...codes.slice(0, MAX_CODES), "…"] : codes;
  const title = `${titleEn}${isBorrowed ? " *" : ""}`;
  const archived = isArchived ? " (archived)" : "";
  const parts = [
    book.status.padEnd(STATUS_WIDTH),
    slug.padEnd(width),
    shown.join(" "),
    describeChanges(book),
    title + archived,
  ];
  return parts.filter((part) => part !== "").join("  ");
}

const STATUS_WIDTH = "unchanged".length;

function describeChanges({ newFiles, replacedFiles, covers }: ReportedBook): string {
  const parts = [
    formatCountIfAny(newFiles, "new file"),
    formatCountIfAny(replacedFiles, "replaced file"),
    formatCountIfAny(covers, "cover"),
  ];
  return parts.filter((part) => part !== undefined).join(", ");
}

const formatCountIfAny = (count: number, noun: string): string | undefined =>
  count === 0 ? undefined : formatCount(count, noun);

/** `the-well  am  am/the-well.epub: its language is ru` for each new file that says something else. */
function formatSayings(books: readonly ReportedBook[]): string[] {
  const lines = books.flatMap(({ slug, sayings }) =>
    sayings.map(({ languageCode, place, text }) => `  ${slug}  ${languageCode}  ${place}: ${text}`),
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
function formatUnsure(books: readonly ReportedBook[]): string[] {
  if (books.length === 0) return [];
  const width = Math.min(MAX_SLUG_WIDTH, Math.max(...books.map(({ slug }) => slug.length)));
  const lines = books.map(
    ({ slug, places, titleAfter }) =>
      `unsure     ${slug.padEnd(width)}  ${places.join(", ")}: perhaps “${titleAfter}”`,
  );
  const what = books.length === 1 ? "1 book could be one" : `${books.length} books could be some`;
  const them = books.length === 1 ? "it" : "them";
  return [
    ...lines,
    `${what} that the service has, and ${them === "it" ? "was" : "were"} left out: the name or the slug is the same, but not what tells the books apart. --same-book imports ${them} as such; to make new books, rename ${them}, or use a catalogue with slugs.`,
  ];
}

const MAX_NOTICES = 100;

function formatNotices(notices: Reported["notices"]): string[] {
  const more = notices.length - MAX_NOTICES;
  return [
    ...notices.slice(0, MAX_NOTICES).map(({ message }) => message),
    ...(more > 0 ? [`${more} more such lines.`] : []),
  ];
}

const formatSkipped = (slugs: readonly string[]): string[] =>
  slugs.map((slug) => `skipped    ${slug}  none of its files can be imported`);

/** `differs    the-moon  sw  title, file sw/moon.epub` for each book or edition of which something stays, and the count. */
function formatDifferences(books: readonly ReportedBook[]): string[] {
  const lines = books.flatMap(listDifferences);
  if (lines.length === 0) return [];
  const longest = lines.reduce((length, { slug }) => Math.max(length, slug.length), 0);
  const width = Math.min(MAX_SLUG_WIDTH, longest);
  const texts = books.flatMap(({ keptTexts }) => keptTexts).flatMap(({ fields }) => fields).length;
  const files = books.flatMap(({ keptFiles }) => keptFiles).length;
  const counts = [formatCountIfAny(texts, "text"), formatCountIfAny(files, "file")].filter(
    (count) => count !== undefined,
  );
  const them = texts + files === 1 ? "it" : "them";
  return [
    ...lines.map(({ slug, code, parts }) => `differs    ${slug.padEnd(width)}  ${code}  ${parts.join(", ")}`),
    `${counts.join(" and ")} with other content stayed as stored; --overwrite replaces ${them}.`,
  ];
}

function listDifferences({ slug, keptTexts, keptFiles }: ReportedBook) {
  const texts = keptTexts.map(({ languageCode, fields }) => ({
    code: languageCode ?? "book",
    parts: fields,
  }));
  const files = keptFiles.map(({ languageCode: code, place }) => ({ code, parts: [`file ${place}`] }));
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

export function importSummary(report: Reported, isDryRun: boolean): string {
  const { books, languages, failures, notices, remarks, skipped } = report;
  const countOf = (status: ReportedBook["status"]) => books.filter((book) => book.status === status).length;
  const others = books.filter(({ status }) => status !== "unsure");
  const sum = (numberOf: (book: ReportedBook) => number) =>
    others.reduce((total, book) => total + numberOf(book), 0);
  const counts = [
    formatCountIfAny(languages.length, "new language"),
    formatCountIfAny(countOf("create"), "new book"),
    formatCountIfAny(countOf("update"), "updated book"),
    formatCountIfAny(countOf("unchanged"), "unchanged book"),
    formatCountIfAny(countOf("unsure"), "unsure book"),
    formatCountIfAny(
      sum(({ newFiles }) => newFiles),
      "new file",
    ),
    formatCountIfAny(
      sum(({ replacedFiles }) => replacedFiles),
      "replaced file",
    ),
    formatCountIfAny(
      sum(({ covers }) => covers),
      "cover",
    ),
    formatCountIfAny(skipped.length, "skipped book"),
    formatCountIfAny(failures.length, "failure"),
  ].filter((count) => count !== undefined);
  const found = counts.length === 0 ? "No books found" : counts.join(", ");
  const end = `${found}.${isDryRun ? " Dry run: nothing was changed." : ""}`;
  const leftOut = [...formatRemarks(remarks), ...formatNotices(notices), ...formatSkipped(skipped)];
  const unsure = books.filter(({ status }) => status === "unsure");
  const about = [...formatSayings(others), ...formatDifferences(others), ...formatUnsure(unsure)];
  return [...leftOut, ...about, end, ""].join("\n");
}

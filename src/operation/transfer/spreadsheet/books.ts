/** Makes books of a table: one row for each file or edition. Rows with the same slug, or else title, are one book. */
import { basename } from "node:path";
import type { FieldError } from "../../../errors.ts";
import { canonicalizeTitle, createSlug } from "../../../lib/slug.ts";
import { parse } from "../../../schemas/parse.ts";
import { type DescribedBook, describedBook } from "../catalogue-book.ts";
import { MAX_ERRORS } from "../catalogue-source.ts";
import type { Failure } from "../library.ts";
import type { SourceDeps } from "../source.ts";
import { BookDraft } from "./book-draft.ts";
import type { Column } from "./column-names.ts";
import { readHeader } from "./columns.ts";
import { type Row, readRows } from "./rows.ts";
import type { Table } from "./table.ts";

type Messages = Pick<SourceDeps, "failures" | "notices" | "remarks">;

/**
 * A book with a wrong row becomes failures that name line and column.
 * @param skipsUnknown whether unknown columns are left out
 * @throws OperatorError if the columns aren't those of a catalogue
 */
export function readBooks(table: Table, skipsUnknown: boolean, messages: Messages): DescribedBook[] {
  const header = readHeader(table, skipsUnknown);
  if (header.unknown.length > 0) {
    const columns = header.unknown.map((text) => `“${text}”`).join(", ");
    const message = `Columns left out of ${basename(table.name)}: ${columns}.`;
    messages.notices.push({ code: "unknown_columns", message, names: [...header.unknown] });
  }
  const rows = readRows(table, { header, skipsUnknown, remarks: messages.remarks });
  const byBook = groupByBook(rows);
  return [...byBook.values()].flatMap((same) => describeBook(same, messages) ?? []);
}

/**
 * By slug, or by title without regard to case and white space. A row without a slug can belong to one with it, unless
 * that one has another English title.
 */
function groupByBook(rows: readonly Row[]): Map<string, Row[]> {
  const titles = Map.groupBy(
    rows.filter(({ cells }) => cells.has("slug")),
    ({ cells }) => cells.get("slug")?.text,
  );
  const isOf = (slug: string, title: string): boolean => {
    const inEnglish = titles.get(slug)?.flatMap(({ cells }) => cells.get("title_en")?.text ?? []);
    const isAny = inEnglish?.length === 0;
    return isAny || (inEnglish?.some((each) => canonicalizeTitle(each) === title) ?? false);
  };
  return Map.groupBy(rows, ({ cells, place }) => {
    const sent = cells.get("slug")?.text;
    const text = (cells.get("title_en") ?? cells.get("title"))?.text;
    if (sent !== undefined || text === undefined) return sent === undefined ? place : `slug ${sent}`;
    const [slug, title] = [createSlug(text), canonicalizeTitle(text)];
    return isOf(slug, title) ? `slug ${slug}` : `title ${title}`;
  });
}

function describeBook(rows: readonly Row[], { failures, notices }: Messages): DescribedBook | undefined {
  const draft = new BookDraft(rows);
  const parsed = parse(describedBook, draft.describe(), "body");
  const place = rows[0]?.place ?? "";
  const found = [
    ...rows.flatMap((row) => row.failures),
    ...draft.listFailures(),
    ...(parsed.ok ? [] : parsed.errors.map((error) => failureOf(error, draft, place))),
  ];
  const book = { place, ...nameBook(rows) };
  failures.push(...limitFailures(removeRepetitions(found), place).map((failure) => ({ ...failure, book })));
  if (!parsed.ok || found.length > 0) return undefined;
  notices.push(...draft.listNotices());
  return { book: parsed.value, place, cellOf: (path) => draft.cellOf(path) };
}

/** What the rows call the book, whether or not it is right. */
function nameBook(rows: readonly Row[]): { slug: string; titleEn: string } {
  const first = (...columns: Column[]) =>
    columns.flatMap((column) => rows.flatMap(({ cells }) => cells.get(column)?.text ?? []))[0];
  const titleEn = first("title_en", "title", "file") ?? "";
  return { slug: first("slug") ?? createSlug(titleEn), titleEn };
}

function failureOf({ path, message, code }: FieldError, draft: BookDraft, place: string): Failure {
  const cell = draft.cellOf(path);
  const reason = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
  return { subject: cell?.place ?? place, reason, problem: code, cell: cell?.at };
}

/** A cell can be the language of an edition, a file and a cover. */
const removeRepetitions = (failures: readonly Failure[]): Failure[] => [
  ...new Map(failures.map((failure) => [`${failure.subject}\n${failure.reason}`, failure])).values(),
];

function limitFailures(failures: readonly Failure[], place: string): Failure[] {
  const more = failures.length - MAX_ERRORS;
  const rest = { subject: place, reason: `The book has ${more} more errors.`, problem: "more_errors" };
  return [...failures.slice(0, MAX_ERRORS), ...(more > 0 ? [rest] : [])];
}

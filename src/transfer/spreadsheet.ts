/** Reads a catalogue that was made with a spreadsheet: one row for each file or edition. */
import { type CsvError, parse as parseCsv } from "csv-parse/sync";
import { OperatorError } from "../errors.ts";
import { slugOf } from "../lib/slug.ts";
import { parse } from "../schemas/parse.ts";
import { type CatalogueBook, catalogueBook, reasonOf } from "./catalogue-source.ts";
import type { Failure } from "./library.ts";

/** By the column's name in lower case, without anything but letters. */
const COLUMNS: ReadonlyMap<string, Column> = new Map([
  ["slug", "slug"],
  ["titleen", "titleEn"],
  ["englishtitle", "titleEn"],
  ["descriptionen", "descriptionEn"],
  ["languagecode", "languageCode"],
  ["language", "languageCode"],
  ["title", "title"],
  ["description", "description"],
  ["file", "file"],
  ["path", "file"],
  ["cover", "cover"],
  ["authors", "authors"],
  ["author", "authors"],
  ["tags", "tags"],
  ["series", "series"],
  ["seriesposition", "seriesPosition"],
  ["contributors", "contributors"],
  ["publisher", "publisher"],
  ["license", "license"],
  ["licence", "license"],
  ["isbn", "isbn"],
]);

type Column =
  | "slug"
  | "titleEn"
  | "descriptionEn"
  | "languageCode"
  | "title"
  | "description"
  | "file"
  | "cover"
  | "authors"
  | "tags"
  | "series"
  | "seriesPosition"
  | "contributors"
  | "publisher"
  | "license"
  | "isbn";

/** A row: the cells that aren't empty. */
type Row = Partial<Record<Column, string>>;

/** Longer than any text of a book. Longer cells are rejected before anything searches in them. */
const MAX_CELL = 10_000;

/**
 * Rows with the same slug, or else the same English title, are one book.
 * @param name of the file, for messages
 * @throws OperatorError if the file isn't such a table
 */
export function spreadsheetBooks(bytes: Buffer, name: string, failures: Failure[]): CatalogueBook[] {
  const rows = rowsOf(bytes, name);
  const byBook = Map.groupBy(
    rows.map((row, index) => ({ row, line: index + 2 })),
    ({ row, line }) =>
      row.slug ?? (slugOf((row.titleEn ?? row.title ?? "").slice(0, MAX_CELL)) || `line ${line}`),
  );
  return [...byBook.values()].flatMap((lines) => {
    const book = readBook(lines.map(({ row }) => row));
    if ("value" in book) return [book.value];
    const { reason } = book;
    failures.push({ subject: `line ${lines.map(({ line }) => line).join(", ")} of ${name}`, reason });
    return [];
  });
}

function readBook(rows: readonly Row[]): { value: CatalogueBook } | { reason: string } {
  const long = rows.map(longColumn).find((column) => column !== undefined);
  if (long !== undefined) return { reason: `${long}: must have at most ${MAX_CELL} characters` };
  const parsed = parse(catalogueBook, bookOf(rows), "body");
  if (parsed.ok) return parsed;
  return { reason: reasonOf(parsed.errors) };
}

const longColumn = (row: Row): string | undefined =>
  Object.entries(row).find(([, cell]) => cell.length > MAX_CELL)?.[0];

function rowsOf(bytes: Buffer, name: string): Row[] {
  const text = decode(bytes, name);
  try {
    const [header = [], ...records] = parseCsv(text, {
      delimiter: delimiterOf(text),
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
    });
    const columns = header.map((cell) => columnOf(cell, name));
    if (!columns.includes("file") && !columns.includes("title")) {
      throw new OperatorError(`${name} has neither a column “file” nor a column “title”.`);
    }
    return records.map((cells) => rowOf(columns, cells));
  } catch (error) {
    if (isCsvError(error)) throw new OperatorError(`${name} is not CSV: ${error.message}`);
    throw error;
  }
}

const isCsvError = (error: unknown): error is CsvError =>
  error instanceof Error && "code" in error && String(error.code).startsWith("CSV_");

function rowOf(columns: readonly Column[], cells: readonly string[]): Row {
  const row: Row = {};
  for (const [index, column] of columns.entries()) {
    const cell = cells[index]?.trim();
    if (cell) row[column] = cell;
  }
  return row;
}

function columnOf(cell: string, name: string): Column {
  const column = COLUMNS.get(cell.toLowerCase().replace(/[^a-z]/g, ""));
  if (column) return column;
  const known =
    "slug, title_en, description_en, language, title, description, file, cover, authors, tags, series, series_position, contributors, publisher, license, isbn";
  throw new OperatorError(`${name} has an unknown column “${cell.slice(0, 100)}”. The columns are ${known}.`);
}

/** UTF-8, or the UTF-16 of a spreadsheet's “Unicode text”. */
function decode(bytes: Buffer, name: string): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  try {
    return new TextDecoder(isUtf16 ? "utf-16le" : "utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new OperatorError(`${name} is not in UTF-8. Save it as “CSV UTF-8”.`);
  }
}

/** Spreadsheets use the list separator of their language; it is the one that the header has most of. */
function delimiterOf(text: string): string {
  const end = text.search(/[\r\n]/);
  const header = end < 0 ? text : text.slice(0, end);
  const counted = [",", ";", "\t"].map((delimiter) => ({ delimiter, count: header.split(delimiter).length }));
  return counted.reduce((best, each) => (each.count > best.count ? each : best)).delimiter;
}

/** As in `catalogue.json`; the schema checks it. */
function bookOf(rows: readonly Row[]): unknown {
  const first = (column: Column) => rows.find((row) => row[column] !== undefined)?.[column];
  const english = rows.find(({ languageCode }) => languageCode?.toLowerCase() === "en");
  const series = first("series");
  const position = first("seriesPosition");
  const titled = rows.filter(({ languageCode, title }) => languageCode !== undefined && title !== undefined);
  return {
    slug: first("slug"),
    titleEn: first("titleEn") ?? english?.title,
    description: first("descriptionEn") ?? english?.description,
    authors: listOf(first("authors")),
    tags: listOf(first("tags")),
    series: series && { name: series, position: position && Number(position) },
    translations: [...Map.groupBy(titled, ({ languageCode }) => languageCode?.toLowerCase()).values()].map(
      editionOf,
    ),
    localFiles: rows.flatMap(({ file, languageCode }) => (file ? [{ path: file, languageCode }] : [])),
    localCovers: rows.flatMap(({ cover, languageCode }) => (cover ? [{ path: cover, languageCode }] : [])),
  };
}

/** The rows of one language. */
function editionOf(rows: readonly Row[]): unknown {
  const first = (column: Column) => rows.find((row) => row[column] !== undefined)?.[column];
  return {
    languageCode: first("languageCode"),
    title: first("title"),
    description: first("description"),
    authors: listOf(first("authors")),
    contributors: listOf(first("contributors"))?.map(contributorOf),
    publisher: first("publisher"),
    license: first("license"),
    isbn: first("isbn"),
  };
}

/** Names separated by semicolons. */
const listOf = (cell: string | undefined): string[] | undefined =>
  cell
    ?.split(";")
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** `Ben Okoro (translator)`. */
function contributorOf(text: string): { name: string; role?: string } {
  const start = text.lastIndexOf("(");
  const name = text.slice(0, Math.max(0, start)).trimEnd();
  const role = text.slice(start + 1, -1);
  const hasRole = name !== "" && role !== "" && !role.includes(")") && text.endsWith(")");
  return hasRole ? { name, role } : { name: text };
}

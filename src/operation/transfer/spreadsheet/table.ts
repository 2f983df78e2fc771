/** A table of texts, and how it is read from CSV and from the sheet of a workbook. */
import { CsvError, parse as parseCsv } from "csv-parse/sync";
import { z } from "zod";
import { OperatorError } from "../../../errors.ts";

export interface Table {
  /** Of its file, for messages. */
  name: string;
  /** Those with text; the first one is the header. */
  lines: Line[];
}

export interface Line {
  /** The number that a spreadsheet shows beside it: an empty line counts, and a line break within a cell doesn't. */
  number: number;
  cells: readonly string[];
}

/** @throws OperatorError if the bytes aren't CSV in UTF-8 or UTF-16 */
export function readCsv(bytes: Buffer, name: string): Table {
  const given = decode(bytes, name);
  const [named = "", separator] = SEPARATOR_LINE.exec(given) ?? [];
  const text = given.slice(named.length);
  const options = {
    delimiter: separator ?? detectDelimiter(text),
    // A file that was edited on several systems has several.
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
  };
  try {
    return { name, lines: selectLinesWithText(parseCsv(text, options)) };
  } catch (error) {
    if (error instanceof CsvError) throw new OperatorError(`${name} is not CSV: ${explainCsvError(error)}`);
    throw error;
  }
}

const sheetLine = z.tuple([z.int()], z.string());

/** @param lines in each the JSON of its number and its cells */
export function readSheet(lines: Uint8Array, name: string): Table {
  const texts = new TextDecoder().decode(lines).split("\n");
  const parsed = texts.flatMap((text) => (text === "" ? [] : [sheetLine.parse(JSON.parse(text))]));
  return { name, lines: parsed.map(([number, ...cells]) => ({ number, cells })) };
}

const selectLinesWithText = (records: readonly (readonly string[])[]): Line[] =>
  records
    .map((cells, index) => ({ number: index + 1, cells }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ""));

/** By the codes of csv-parse; all others are about quotes, too. */
function explainCsvError(error: CsvError): string {
  const line = typeof error.lines === "number" ? ` in line ${error.lines}` : "";
  return error.code === "CSV_QUOTE_NOT_CLOSED"
    ? "a quotation mark isn't closed."
    : `a quotation mark${line} is neither at the begin or end of a value nor doubled.`;
}

/** UTF-8, or the UTF-16 of a spreadsheet's “Unicode text”, in either order of bytes. */
function decode(bytes: Buffer, name: string): string {
  const [first, second] = bytes;
  try {
    return new TextDecoder(findUtf(first, second), { fatal: true }).decode(bytes);
  } catch {
    throw new OperatorError(`${name} is not in UTF-8. Save it as “CSV UTF-8”.`);
  }
}

/** By the byte order mark, or by the NUL that a letter of ASCII has: a header begins with one. */
function findUtf(first: number | undefined, second: number | undefined): string {
  if ((first === 0xff && second === 0xfe) || (first && second === 0)) return "utf-16le";
  if ((first === 0xfe && second === 0xff) || (first === 0 && second)) return "utf-16be";
  return "utf-8";
}

/**
 * A first line that names the separator, as Excel understands it. Programs that saved the file again may have put it in
 * quotes or added separators. Spreadsheets don't show it: the header is line 1.
 */
const SEPARATOR_LINE = /^"?sep=([,;|\t])"?[,;|\t ]*(?:\r\n|\r|\n|$)/i;

/** Spreadsheets use the list separator of their language; it is the one that the header, the first line with text, has most of. */
function detectDelimiter(text: string): string {
  const [header = ""] = /\S[^\r\n]*/.exec(text) ?? [];
  const counted = [",", ";", "\t"].map((delimiter) => ({ delimiter, count: header.split(delimiter).length }));
  return counted.reduce((best, each) => (each.count > best.count ? each : best)).delimiter;
}

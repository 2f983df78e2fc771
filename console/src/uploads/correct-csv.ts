/** A spreadsheet of somebody's own with the cells that were corrected: another import of it needs no corrections. */
import { writeCsv } from "../lib/csv.ts";
import { COLUMNS } from "./column-names.ts";

/** A corrected cell of a spreadsheet; in line 1, the name of a column. */
export interface Cell {
  line: number;
  column: string;
  value: string;
}

const hasText = (record: readonly string[]): boolean => record.some((cell) => cell.trim() !== "");
const fold = (heading: string): string => heading.trim().toLowerCase();
/** By which the service recognises columns. */
const lettersOf = (heading: string): string => heading.toLowerCase().replace(/[^a-z]/g, "");

/**
 * Lines are counted as the service does: an empty one counts, and a line break within a cell doesn't.
 * @param ignoresColumns whether columns without a known name are left out
 */
export function correctCsv(bytes: Uint8Array, cells: readonly Cell[], ignoresColumns: boolean): string {
  const records = readRecords(decode(bytes));
  const header = records.findIndex(hasText);
  const headings = records[header] ?? [];
  const indexes = new Map(headings.map((heading, index) => [fold(heading), index]));
  const isOfHeader = ({ line }: Cell) => line === header + 1;
  for (const cell of [...cells.filter(isOfHeader), ...cells.filter((each) => !isOfHeader(each))]) {
    const index = indexes.get(fold(cell.column));
    const record = records[cell.line - 1];
    if (index === undefined || !record || !hasText(record)) continue;
    // Lines can end before their last columns.
    while (record.length < index) record.push("");
    record[index] = cell.value;
    if (isOfHeader(cell)) indexes.set(fold(cell.value), index);
  }
  const known = new Set(COLUMNS.map(lettersOf));
  const isKept = (index: number) => !ignoresColumns || known.has(lettersOf(headings[index] ?? ""));
  return writeCsv(records.filter(hasText).map((record) => record.filter((_, index) => isKept(index))));
}

/** UTF-8, or UTF-16 by its byte order mark or the NUL that a letter of ASCII has, as the service reads it. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isLittle = (first === 0xff && second === 0xfe) || second === 0;
  const isBig = (first === 0xfe && second === 0xff) || first === 0;
  return new TextDecoder(isLittle ? "utf-16le" : isBig ? "utf-16be" : "utf-8").decode(bytes);
}

const SEPARATOR_LINE = /^"?sep=([,;|\t])"?[,;|\t ]*(?:\r\n|\r|\n|$)/i;

/** The separator that the first line names, or that the header, the first line with text, has most of. */
function readRecords(given: string): string[][] {
  const [named = "", separator] = SEPARATOR_LINE.exec(given) ?? [];
  const text = given.slice(named.length);
  const [header = ""] = /\S[^\r\n]*/.exec(text) ?? [];
  const [delimiter = ","] = separator
    ? [separator]
    : [",", ";", "\t"].toSorted((one, other) => header.split(other).length - header.split(one).length);
  const part = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^${delimiter}\\r\\n]*))(${delimiter === "|" ? "\\|" : delimiter}|\\r\\n|\\n|\\r|$)`,
    "y",
  );
  const records: string[][] = [[]];
  for (let found = part.exec(text); found && part.lastIndex <= text.length; found = part.exec(text)) {
    const [whole, quoted, plain = "", end] = found;
    records.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === "" || whole === "") break;
    if (end !== delimiter) records.push([]);
  }
  return records;
}

/** Which columns a table of books has, by its header. */
import { OperatorError } from "../../../errors.ts";
import { findNearest } from "../../../lib/nearest.ts";
import { COLUMNS, type Column } from "./column-names.ts";
import type { Line, Table } from "./table.ts";

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, "");

/** By the letters of its name in lower case. */
const BY_LETTERS: ReadonlyMap<string, Column> = new Map([
  ...COLUMNS.map((column) => [lettersOf(column), column] as const),
  ["englishtitle", "title_en"],
  ["languagecode", "language"],
  ["path", "file"],
  ["filetype", "format"],
  ["author", "authors"],
  ["licence", "license"],
]);

interface Heading {
  column: Column;
  /** As the header has it. */
  text: string;
}

export interface Header {
  /** By their position in a line; undefined where a column is unknown or has no name. */
  headings: readonly (Heading | undefined)[];
  /** Those that are left out, as the header has them. */
  unknown: string[];
}

export interface UnknownColumn {
  /** As the header has it. */
  text: string;
  /** The known one with a similar name. */
  nearest: string | undefined;
}

/** The columns aren't those of a catalogue. */
export class ColumnsError extends OperatorError {
  readonly unknown: readonly UnknownColumn[];

  constructor(message: string, unknown: readonly UnknownColumn[]) {
    super(message);
    this.unknown = unknown;
  }
}

/** Longer than the name of any column. */
const MAX_HEADING = 100;
const MAX_LISTED = 50;

/** @throws ColumnsError that names all columns that are unknown, unless these are ignored, and all that occur twice */
export function readHeader({ name, lines: [first] }: Table, ignoresUnknown: boolean): Header {
  const texts = listHeadings(first);
  const headings = texts.map((text) => {
    const column = BY_LETTERS.get(lettersOf(text));
    return column && { column, text };
  });
  const unknown = texts.filter((text, index) => text !== "" && !headings[index]);
  const found = unknown.map((text) => ({ text, nearest: findNearest(text, COLUMNS) }));
  const problems = [...(ignoresUnknown ? [] : found.map(describeUnknown)), ...findRepetitions(headings)];
  if (problems.length > 0) {
    const listed = problems.slice(0, MAX_LISTED).map((problem) => `  ${problem}`);
    const option = ignoresUnknown ? "" : " --ignore-unknown-columns leaves the others out.";
    const sentences = [
      `${name} has columns that can't be read:`,
      ...listed,
      `The columns are ${COLUMNS.join(", ")}.${option}`,
    ];
    throw new ColumnsError(sentences.join("\n"), ignoresUnknown ? [] : found);
  }
  if (!headings.some((heading) => heading?.column === "file" || heading?.column === "title"))
    throw new ColumnsError(`${name} has neither a column “file” nor a column “title”.`, found);
  return { headings, unknown };
}

const listHeadings = (line: Line | undefined): string[] =>
  (line?.cells ?? []).map((cell) => cell.trim().slice(0, MAX_HEADING));

function describeUnknown({ text, nearest }: UnknownColumn): string {
  return `“${text}” is unknown${nearest === undefined ? "" : `: did you mean ${nearest}?`}`;
}

function findRepetitions(headings: Header["headings"]): string[] {
  const known = headings.filter((heading) => heading !== undefined);
  return [...Map.groupBy(known, ({ column }) => column)].flatMap(([column, same]) =>
    same.length > 1 ? [`${same.map(({ text }) => `“${text}”`).join(" and ")} are both ${column}`] : [],
  );
}

/** Receives the elements of a sheet and of its strings, and keeps the texts. */
import { MAX_CELL, MAX_TABLE_BYTES } from "./metadata-messages.ts";
import { UnreadableError } from "./unreadable-error.ts";
import { GENERAL, showNumber } from "./xlsx-numbers.ts";

export interface XmlListener {
  /** Names are without prefix, in lower case. */
  open(name: string, attributes: ReadonlyMap<string, string>): void;
  close(name: string): void;
  text(text: string): void;
}

/** Texts of a catalogue are shorter; one more shows that it was longer. */
const isFull = (text: string): boolean => text.length > MAX_CELL;
const cut = (text: string): string => text.slice(0, MAX_CELL + 1);

/** The text of `<si>` or `<is>`: of all its runs, without the readings that East Asian texts can have. */
export class StringTexts implements XmlListener {
  readonly all: string[] = [];
  current = "";
  #isText = false;
  #isReading = false;

  open(name: string): void {
    if (name === "si" || name === "is") this.current = "";
    if (name === "rph") this.#isReading = true;
    this.#isText = name === "t";
  }

  close(name: string): void {
    if (name === "si") this.all.push(decodeEscapes(this.current));
    if (name === "rph") this.#isReading = false;
    this.#isText = false;
  }

  text(text: string): void {
    if (this.#isText && !this.#isReading && !isFull(this.current))
      this.current = cut(this.current + cut(text));
  }
}

/** Characters that XML can't have, such as the carriage return in `_x000D_`. */
export const decodeEscapes = (text: string): string =>
  text.replace(/_x([0-9A-F]{4})_/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));

export interface CellDeps {
  /** Texts that cells name by their index. */
  strings: readonly string[];
  /** Number formats, by the index of a style. */
  patterns: readonly string[];
  /** To add to dates. */
  days: number;
}

/** Of a catalogue, with room for columns that aren't known. */
const MAX_COLUMNS = 200;

export class SheetLines implements XmlListener {
  readonly #deps: CellDeps;
  readonly #pieces: Buffer[] = [];
  readonly #inline = new StringTexts();
  #length = 0;
  #line = 0;
  #cells: string[] = [];
  #column = -1;
  #attributes: ReadonlyMap<string, string> = new Map();
  #value = "";
  #isValue = false;
  #isFormula = false;

  constructor(deps: CellDeps) {
    this.#deps = deps;
  }

  /** In each line the JSON of its number and its cells; empty lines are left out. */
  bytes(): Buffer {
    return Buffer.concat(this.#pieces);
  }

  open(name: string, attributes: ReadonlyMap<string, string>): void {
    if (name === "row") {
      this.#line = Number(attributes.get("r")) || this.#line + 1;
      this.#column = -1;
      this.#cells = [];
    } else if (name === "c") {
      const reference = attributes.get("r");
      this.#column = reference === undefined ? this.#column + 1 : parseColumn(reference);
      this.#attributes = attributes;
      this.#value = "";
      this.#isFormula = false;
    }
    if (name === "f") this.#isFormula = true;
    this.#isValue = name === "v";
    this.#inline.open(name);
  }

  close(name: string): void {
    this.#isValue = false;
    this.#inline.close(name);
    if (name === "c") this.#addCell(this.#formatShown());
    if (name === "row") this.#addLine();
  }

  text(text: string): void {
    this.#inline.text(text);
    if (this.#isValue && !isFull(this.#value)) this.#value = cut(this.#value + cut(text));
  }

  #formatShown(): string {
    const { strings, patterns, days } = this.#deps;
    const type = this.#attributes.get("t") ?? "n";
    const value = this.#value;
    if (type === "inlineStr") return decodeEscapes(this.#inline.current);
    if (type === "str") return decodeEscapes(value);
    if (value === "" && this.#isFormula)
      throw new UnreadableError(`Its cell ${this.#reference()} ${NOT_CALCULATED}`);
    if (value === "") return "";
    if (type === "s") return strings[Number(value)] ?? "";
    if (type === "b") return value === "1" ? "TRUE" : "FALSE";
    const number = Number(value);
    if (type !== "n" || !Number.isFinite(number)) return value;
    return showNumber(number, patterns[Number(this.#attributes.get("s"))] ?? GENERAL, days);
  }

  #addCell(text: string): void {
    if (text === "") return;
    if (this.#column >= MAX_COLUMNS)
      throw new UnreadableError(`Its cell ${this.#reference()} is beyond the first ${MAX_COLUMNS} columns.`);
    while (this.#cells.length < this.#column) this.#cells.push("");
    this.#cells[this.#column] = text;
  }

  #addLine(): void {
    if (this.#cells.length === 0) return;
    const piece = Buffer.from(`${JSON.stringify([this.#line, ...this.#cells])}\n`);
    this.#cells = [];
    this.#length += piece.length;
    if (this.#length > MAX_TABLE_BYTES)
      throw new UnreadableError(
        `Its first sheet has more than ${MAX_TABLE_BYTES / 1024 / 1024} MiB of text.`,
      );
    this.#pieces.push(piece);
  }

  #reference(): string {
    return (this.#attributes.get("r") ?? `${this.#column + 1} of row ${this.#line}`).slice(0, 20);
  }
}

const NOT_CALCULATED =
  "has a formula without a stored result. Open the workbook in a spreadsheet program, and save it.";

/** `B7` is 1. */
function parseColumn(reference: string): number {
  let column = 0;
  for (const letter of reference.slice(0, 3)) {
    if (letter < "A" || letter > "Z") break;
    column = column * 26 + letter.charCodeAt(0) - 64;
  }
  return column - 1;
}

/** A book as its rows describe it, in the shape of a catalogue, and the cell that each value comes from. */
import type { ImportNotice } from "../../../schemas/import-notices.schemas.ts";
import type { Failure } from "../library.ts";
import { parsePosition } from "../metadata/metadata.ts";
import type { Column } from "./column-names.ts";
import type { Cell, Row } from "./rows.ts";

/** What belongs to an edition alone. Authors are also those of the book. */
const EDITION_COLUMNS = ["title", "description", "contributors", "publisher", "license", "isbn"] as const;
/** Of which a book has one value. */
const BOOK_COLUMNS = [
  "title_en",
  "description_en",
  "tags",
  "series",
  "series_position",
  "publish_at",
  "unpublish_at",
] as const;

export class BookDraft {
  readonly #rows: readonly Row[];
  readonly #editions: readonly (readonly Row[])[];
  /** The places of cells, by the path of the value. */
  readonly #places = new Map<string, Pick<Cell, "place" | "at">>();

  constructor(rows: readonly Row[]) {
    this.#rows = rows;
    this.#editions = groupByEdition(rows);
  }

  /** The schema checks it. An edition without a language has that of its file. */
  describe(): unknown {
    const rows = this.#rows;
    const english = rows.filter((row) => textOf(row, "language")?.toLowerCase() === "en");
    const series = this.#take(rows, "series", "series.name");
    const position = this.#take(rows, "series_position", "series.position");
    return {
      slug: this.#take(rows, "slug", "slug"),
      titleEn: this.#take(rows, "title_en", "titleEn") ?? this.#take(english, "title", "titleEn"),
      description:
        this.#take(rows, "description_en", "description") ??
        this.#take(english, "description", "description"),
      authors: listOf(this.#take(rows, "authors", "authors")),
      publishAt: this.#take(rows, "publish_at", "publishAt"),
      unpublishAt: this.#take(rows, "unpublish_at", "unpublishAt"),
      tags: listOf(this.#take(rows, "tags", "tags")),
      series: series && { name: series, position: position && (parsePosition(position) ?? Number(position)) },
      translations: this.#editions.map((edition, index) =>
        this.#draftEdition(edition, `translations.${index}`),
      ),
      localFiles: withColumn(rows, "file").map((row, index) => this.#draftFile(row, `localFiles.${index}`)),
      localCovers: withColumn(rows, "cover").map((row, index) =>
        this.#draftLocal(row, "cover", `localCovers.${index}`),
      ),
    };
  }

  #draftEdition(rows: readonly Row[], path: string): unknown {
    const [first] = rows;
    if (first) {
      const at = { line: first.line, column: "title" };
      this.#places.set(path, { place: `${first.place}, column title`, at });
    }
    const take = (column: Column, field: string) => this.#take(rows, column, `${path}.${field}`);
    const languageCode = take("language", "languageCode");
    return {
      languageCode,
      path: languageCode === undefined ? take("file", "path") : undefined,
      title: take("title", "title"),
      description: take("description", "description"),
      authors: listOf(take("authors", "authors")),
      contributors: listOf(take("contributors", "contributors"))?.map(parseContributor),
      publisher: take("publisher", "publisher"),
      license: take("license", "license"),
      isbn: take("isbn", "isbn"),
    };
  }

  #draftFile(row: Row, path: string): unknown {
    return {
      ...this.#draftLocal(row, "file", path),
      fileType: this.#take([row], "format", `${path}.fileType`)?.toLowerCase(),
      replace: listOf(this.#take([row], "replace", `${path}.replace`)?.toLowerCase()),
    };
  }

  #draftLocal(row: Row, column: "file" | "cover", path: string) {
    return {
      path: this.#take([row], column, `${path}.path`),
      languageCode: this.#take([row], "language", `${path}.languageCode`),
    };
  }

  /** The first value of a column. */
  #take(rows: readonly Row[], column: Column, path: string): string | undefined {
    const cell = rows.map(({ cells }) => cells.get(column)).find((each) => each !== undefined);
    if (cell) this.#places.set(path, cell);
    return cell?.text;
  }

  /** The cell of a described value, by the path of the value or of a part of it. */
  cellOf(path: string): Pick<Cell, "place" | "at"> | undefined {
    for (let known = path; known !== ""; known = known.slice(0, Math.max(0, known.lastIndexOf(".")))) {
      const place = this.#places.get(known);
      if (place !== undefined) return place;
    }
    return undefined;
  }

  /** Rows with texts of an edition, of which neither the language nor a file is known. */
  listFailures(): Failure[] {
    return this.#rows
      .filter((row) => describesEdition(row) && editionKey(row) === undefined)
      .map(({ place, line }) => ({
        subject: `${place}, column language`,
        reason: NO_EDITION,
        problem: "missing",
        cell: { line, column: "language" },
      }));
  }

  /** What isn't imported because another row of the book or of the edition comes first. */
  listNotices(): ImportNotice[] {
    return [
      ...BOOK_COLUMNS.flatMap((column) => listLaterValues(this.#rows, column)),
      ...this.#editions.flatMap((rows) => EDITION_COLUMNS.flatMap((column) => listLaterValues(rows, column))),
    ];
  }
}

const NO_EDITION = "A row with texts of an edition needs its language, or a file that has one.";

const textOf = ({ cells }: Row, column: Column): string | undefined => cells.get(column)?.text;

const withColumn = (rows: readonly Row[], column: Column): Row[] =>
  rows.filter(({ cells }) => cells.has(column));

const describesEdition = ({ cells }: Row): boolean => EDITION_COLUMNS.some((column) => cells.has(column));

/** The language of a row, or else its file, whose metadata has the language. */
const editionKey = (row: Row): string | undefined =>
  textOf(row, "language")?.toLowerCase() ?? textOf(row, "file");

/** The rows of each edition that has texts of its own. */
function groupByEdition(rows: readonly Row[]): Row[][] {
  const [first] = withColumn(rows, "authors");
  const authors = first && textOf(first, "authors");
  const isOwn = (row: Row) => describesEdition(row) || (textOf(row, "authors") ?? authors) !== authors;
  const keyed = rows.filter((row) => editionKey(row) !== undefined);
  return [...Map.groupBy(keyed, editionKey).values()].filter((edition) => edition.some(isOwn));
}

function listLaterValues(rows: readonly Row[], name: Column): ImportNotice[] {
  const [first, ...later] = rows.flatMap(({ cells }) => cells.get(name) ?? []);
  return later
    .filter(({ text }) => text !== first?.text)
    .map(({ text, place, at: { line, column } }) => {
      const message = `Left out: ${place}, because ${first?.place} is used.`;
      return { code: "later_value", message, names: [text], line, column };
    });
}

/** Names separated by semicolons, of any script. */
const listOf = (cell: string | undefined): string[] | undefined =>
  cell
    ?.split(/[;；؛]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** `Ben Okoro (translator)`. */
function parseContributor(given: string): { name: string; role?: string } {
  const text = given.replaceAll("（", "(").replaceAll("）", ")");
  const start = text.lastIndexOf("(");
  const name = text.slice(0, Math.max(0, start)).trimEnd();
  const role = text.slice(start + 1, -1);
  const hasRole = name !== "" && role !== "" && !role.includes(")") && text.endsWith(")");
  return hasRole ? { name, role } : { name: given };
}

/** Makes a library of a `catalogue.json`: the body of a bulk upsert, with the paths of local files and covers. */
import { basename } from "node:path";
import { z } from "zod";
import { type FieldError, OperatorError } from "../../errors.ts";
import { messageOf } from "../../lib/node-errors.ts";
import { createSlug } from "../../lib/slug.ts";
import { languageCode, optional } from "../../schemas/atoms.ts";
import { languageCreation } from "../../schemas/languages.schemas.ts";
import { parse } from "../../schemas/parse.ts";
import { catalogueBook, type DescribedBook } from "./catalogue-book.ts";
import { withFiles } from "./catalogue-files.ts";
import type { CatalogueFolder } from "./catalogue-folder.ts";
import type { Failure, Library } from "./library.ts";
import type { Remark } from "./remarks.ts";
import type { SourceDeps } from "./source.ts";
import { createNameReplacer } from "./written-language.ts";

/** Room for 100,000 books with a title and a file each. */
export const MAX_CATALOGUE_BYTES = 64 * 1024 * 1024;

const catalogueLanguage = languageCreation
  .omit({ parentId: true })
  .extend({ parentCode: optional(languageCode) });

const catalogueEnvelope = z.strictObject({
  languages: optional(z.array(catalogueLanguage)),
  books: z.array(z.unknown()),
});

export interface CatalogueFile {
  /** For messages. */
  path: string;
  /** To which its paths are relative. */
  folder: CatalogueFolder;
  bytes: Buffer;
}

/**
 * A book that is described wrongly becomes a failure; the others are imported.
 * @throws OperatorError if the file isn't such a catalogue
 */
export async function readCatalogueLibrary(
  { path: catalogue, folder, bytes }: CatalogueFile,
  deps: SourceDeps,
): Promise<Library> {
  const envelope = parse(
    catalogueEnvelope,
    parseJson(bytes.toString("utf8"), catalogue, deps.remarks),
    "body",
  );
  if (!envelope.ok) {
    const errors = envelope.errors.map(({ path, message }) => `  ${path}: ${message}`);
    throw new OperatorError(`${catalogue} is not a catalogue:\n${errors.join("\n")}`);
  }
  const { languages, books: given } = envelope.value;
  const books = given.flatMap((book, index) => readBook(book, `books.${index}`, deps.failures) ?? []);
  const titleField = `titleEn in ${basename(catalogue)}`;
  return { languages: languages ?? [], titleField, ...(await withFiles(folder, books, deps)) };
}

function parseJson(text: string, catalogue: string, remarks: Remark[]): unknown {
  const replaceName = createNameReplacer(remarks);
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""), (key, value: unknown) =>
      key === "languageCode" && typeof value === "string" ? replaceName(value) : value,
    );
  } catch (error) {
    throw new OperatorError(`${catalogue} is not JSON: ${messageOf(error)}`);
  }
}

/** Of a book. */
export const MAX_ERRORS = 20;

/** In one line. */
function explainErrors(errors: readonly FieldError[]): string {
  const listed = errors.slice(0, MAX_ERRORS).map(({ path, message }) => `${path}: ${message}`);
  const more = errors.length - listed.length;
  return `${listed.join("; ")}${more > 0 ? `; and ${more} more errors` : ""}`;
}

function readBook(given: unknown, path: string, failures: Failure[]): DescribedBook | undefined {
  const parsed = parse(catalogueBook, given, "body");
  const place = `${path} of the catalogue`;
  // The paths of its files say where they are described.
  if (parsed.ok) return { book: parsed.value, place, cellOf: () => undefined };
  const [first] = parsed.errors;
  failures.push({
    subject: place,
    reason: explainErrors(parsed.errors),
    problem: first?.code,
    path: first && `${path}.${first.path}`,
    book: { place, ...nameBook(given) },
  });
  return undefined;
}

/** What a book is called that may be described wrongly. */
function nameBook(given: unknown): { slug: string; titleEn: string } {
  const textOf = (field: string) => {
    const value: unknown = typeof given === "object" && given !== null ? Reflect.get(given, field) : "";
    return typeof value === "string" ? value.slice(0, MAX_TITLE) : "";
  };
  const titleEn = textOf("titleEn");
  return { slug: textOf("slug") || createSlug(titleEn), titleEn };
}

const MAX_TITLE = 500;

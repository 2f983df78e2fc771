/** A book as a catalogue describes it: the body of a bulk upsert, with the paths of local files and covers. */
import { z } from "zod";
import { optional } from "../../schemas/atoms.ts";
import { bookCreation, bookTranslationFields } from "../../schemas/books.schemas.ts";
import { MAX_PARTS } from "../../schemas/bulk.schemas.ts";
import { DEFAULT_COVER } from "../../schemas/covers.schemas.ts";
import { creationOf } from "../../schemas/fields.ts";
import { cloudFileCreation, fileType } from "../../schemas/files.schemas.ts";
import { title } from "../../schemas/translations.schemas.ts";
import type { CellPlace } from "./library.ts";
import { languageCodeOrName } from "./written-language.ts";

const path = z.string().min(1).max(4096);
const languageCode = languageCodeOrName();

const localFileEntry = z.strictObject({
  path,
  /** For readers; without it, that of the file. */
  fileName: optional(z.string().min(1).max(255)),
  /** Without it, the metadata of the file says it. */
  languageCode: optional(languageCode),
  fileType: optional(fileType),
  /** What the file takes the place of in a known book: the file there, and the title of its edition. */
  replace: optional(z.array(z.enum(["file", "title"]))),
  /** Ignored: the file itself says it. */
  fileSizeBytes: optional(z.number()),
});

const localCoverEntry = z.strictObject({
  path,
  languageCode: optional(
    z
      .string()
      .transform((text) => (text === DEFAULT_COVER ? undefined : text))
      .pipe(languageCode.optional()),
  ),
});

/** Without a title, it has that of its file's metadata, or the one that it has in the service. */
const catalogueTranslation = creationOf(bookTranslationFields).extend({
  languageCode,
  title: optional(title),
});

/**
 * A book as in a bulk upsert, with local files, whose metadata can have the titles. An import fills what is empty: `null`
 * clears nothing in known books.
 */
export const catalogueBook = bookCreation.extend({
  titleEn: optional(title),
  translations: optional(z.array(catalogueTranslation).max(MAX_PARTS)),
  files: optional(z.array(cloudFileCreation.extend({ languageCode })).max(MAX_PARTS)),
  localFiles: optional(z.array(localFileEntry)),
  localCovers: optional(z.array(localCoverEntry)),
});

/** In a table, an edition can leave its language to the metadata of the file at `path`. */
export const describedBook = catalogueBook.extend({
  translations: optional(
    z
      .array(catalogueTranslation.extend({ languageCode: optional(languageCode), path: optional(path) }))
      .max(MAX_PARTS),
  ),
});

/** A book of a catalogue, and where it is described, for messages. */
export interface DescribedBook {
  book: z.output<typeof describedBook>;
  place: string;
  /** Of a value; undefined if the value itself is enough. */
  cellOf(path: string): { place: string; at: CellPlace } | undefined;
}

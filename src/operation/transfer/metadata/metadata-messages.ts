/** What is sent to the process that reads metadata, and what it sends back. */
import { z } from "zod";
import { MAX_COVER_BYTES } from "../../../schemas/covers.schemas.ts";
import { METADATA_TYPES } from "../../../schemas/file-types.ts";
import { MAX_DESCRIPTION, MAX_ITEMS, MAX_LINE, MAX_TITLE, MAX_WORD } from "./metadata.ts";

const file = {
  path: z.string(),
  sizeBytes: z.number(),
  identity: z.strictObject({ device: z.number(), inode: z.number() }),
};

export const question = z.discriminatedUnion("part", [
  z.strictObject({ part: z.enum(["metadata", "cover"]), fileType: z.enum(METADATA_TYPES), ...file }),
  /** The first sheet of an XLSX workbook. */
  z.strictObject({ part: z.literal("sheet"), ...file }),
]);
export type Question = z.output<typeof question>;

const text = (max: number) => z.string().max(max).optional();
const list = <S extends z.ZodType>(item: S) => z.array(item).max(MAX_ITEMS);
const line = z.string().max(MAX_LINE);
const word = z.string().max(MAX_WORD);

export const fileMetadata = z.strictObject({
  title: text(MAX_TITLE),
  languageCode: text(MAX_WORD),
  authors: list(line),
  contributors: list(z.strictObject({ name: line, role: word })),
  description: text(MAX_DESCRIPTION),
  publisher: text(MAX_LINE),
  license: text(MAX_TITLE),
  isbn: text(MAX_WORD),
  tags: list(word),
  series: z.strictObject({ name: line, position: z.number().optional() }).optional(),
  hasCover: z.boolean(),
  coverIsMissing: z.boolean().optional(),
});

const bytes = z.custom<Uint8Array>((given) => given instanceof Uint8Array && given.length <= MAX_COVER_BYTES);

/** In UTF-16 units; longer than any text of a book. Longer cells are rejected before anything searches in them. */
export const MAX_CELL = 10_000;
export const MAX_TABLE_BYTES = 32 * 1024 * 1024;

const sheetTexts = z.strictObject({
  name: z.string(),
  /** The names of further sheets. */
  others: z.array(z.string()),
  /** In each line the JSON of its number and its cells; in one piece, because a hundred thousand take much memory. */
  lines: z.custom<Uint8Array>((given) => given instanceof Uint8Array && given.length <= MAX_TABLE_BYTES),
});
export type SheetTexts = z.output<typeof sheetTexts>;

export const outcome = z.union([
  z.strictObject({ metadata: fileMetadata }),
  z.strictObject({ cover: bytes }),
  z.strictObject({ sheet: sheetTexts }),
  z.strictObject({
    /** A sentence. */
    error: z.string(),
    /** Whether it is about the file and not its content: it can't be opened, or is another one by now. */
    isOfFile: z.boolean().optional(),
    /** What a library says of the content, for the log. */
    detail: z.string().optional(),
  }),
]);
export type Outcome = z.input<typeof outcome>;

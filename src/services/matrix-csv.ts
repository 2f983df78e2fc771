/** The publication matrix as CSV: a row for each book, a column for each channel. */
import { batchesOf } from "../lib/batches.ts";
import type { ChannelRow } from "../repositories/channels.repository.ts";
import type { LanguageRow } from "../repositories/languages.repository.ts";
import type { MatrixBookRow } from "../repositories/matrix.repository.ts";
import type { CsvOptions } from "../schemas/csv.schemas.ts";
import { type CsvDocument, csvOptionsOf } from "./csv-document.ts";
import type { Placements } from "./placements.ts";

/** What the matrix of a language is made of. */
export interface MatrixParts {
  language: LanguageRow;
  channels: readonly ChannelRow[];
  books: readonly MatrixBookRow[];
  placements: Placements;
}

/** Channels go by their slugs, which have no capitals: none is called as one of these. */
const BOOK_COLUMNS = ["bookId", "bookSlug", "titleEn", "sortOrder"] as const;

const PAGE_ROWS = 500;

export const matrixCsv = (parts: MatrixParts, options: CsvOptions): CsvDocument => ({
  fileName: `publications-${parts.language.code}.csv`,
  columns: [...BOOK_COLUMNS, ...parts.channels.map(({ slug }) => slug)],
  pages: pagesOf(parts),
  ...csvOptionsOf(options),
});

async function* pagesOf({ channels, books, placements }: MatrixParts) {
  for (const page of batchesOf(books, PAGE_ROWS)) {
    yield page.map(({ id, slug, titleEn, sortOrder }) => [
      ...[id, slug, titleEn, sortOrder],
      ...channels.map((channel) => String(placements.isOn(id, channel.id))),
    ]);
  }
}

/** The publication matrix of a language as CSV. */
import type { CsvCell } from "../../lib/csv.ts";
import type { BookCreditsRow } from "../../repositories/books.repository.ts";
import type { ChannelRow, MatrixBookRow } from "../../repositories/channels.repository.ts";
import type { CatalogueRepositories } from "../../repositories/index.ts";
import type { LanguageRow } from "../../repositories/languages.repository.ts";
import { scopeIds } from "../../repositories/publication-rules.ts";
import type { TranslationRow } from "../../repositories/translations.repository.ts";
import type { CsvOptions } from "../../schemas/queries.ts";
import { chooseCredits } from "../catalogue/publication-parts.ts";
import { formatContributors, formatNames, readBookCredits } from "../shared/credits.ts";
import { type CsvDocument, csvOptionsOf, formatExportName } from "../shared/results.ts";
import type { Placements } from "./presenters.ts";

/** The rows from which the matrix of a language is composed. */
export interface MatrixParts {
  language: LanguageRow;
  channels: readonly ChannelRow[];
  /** In their order, some at a time. */
  books: AsyncIterable<readonly MatrixBookRow[]>;
  placements: Placements;
}

/** Channel slugs have no capital letters, so no channel column has one of these names. */
const BOOK_COLUMNS = ["bookId", "bookSlug", "titleEn", "sortOrder"] as const;
/** After the channels, where programs that know an earlier version don't look. */
const CREDIT_COLUMNS = [
  "bookAuthors",
  "bookTags",
  "bookSeries",
  "bookSeriesPosition",
  "bookContributors",
  "bookPublisher",
  "bookLicense",
  "bookIsbn",
] as const;

type Reads = Pick<CatalogueRepositories, "books" | "translations">;

export const exportMatrix = (
  reads: Reads,
  parts: MatrixParts,
  options: CsvOptions & { now: number },
): CsvDocument => ({
  fileName: formatExportName("publications", {}, options.now, parts.language.code),
  columns: [...BOOK_COLUMNS, ...parts.channels.map(({ slug }) => slug), ...CREDIT_COLUMNS],
  pages: readPages(reads, parts),
  ...csvOptionsOf(options),
});

async function* readPages(reads: Reads, { language, channels, books, placements }: MatrixParts) {
  for await (const page of books) {
    const ids = page.map(({ id }) => id);
    const credits = new Map((await reads.books.findCredits(ids)).map((row) => [row.id, row]));
    const rows = await reads.translations.listOfBooks(ids, scopeIds(language));
    const translations = Map.groupBy(rows, ({ bookId }) => bookId);
    yield page.map(({ id, slug, titleEn, sortOrder }) => [
      id,
      slug,
      titleEn,
      sortOrder,
      ...channels.map((channel) => String(placements.isOn(id, channel.id))),
      ...formatCredits(credits.get(id), translations.get(id) ?? [], language),
    ]);
  }
}

/** Empty if the book has been deleted since the export began. */
function formatCredits(
  row: BookCreditsRow | undefined,
  translations: readonly TranslationRow[],
  language: LanguageRow,
): CsvCell[] {
  if (!row) return CREDIT_COLUMNS.map(() => null);
  const { tags, series } = readBookCredits(row);
  const { authors, contributors, publisher, license, isbn } = chooseCredits(translations, language, row);
  return [
    formatNames(authors),
    formatNames(tags),
    series?.name ?? null,
    series?.position ?? null,
    formatContributors(contributors),
    publisher,
    license,
    isbn,
  ];
}

/** The result of an import as a table: a row for each file, and for each book without one. */
import type { ImportResult } from "../../../schemas/import-runs.schemas.ts";
import type { CsvCell, CsvDocument, CsvPage } from "../../../services/shared/results.ts";

const RESULT_COLUMNS = [
  "path",
  "slug",
  "bookId",
  "status",
  "languageCode",
  "fileType",
  "code",
  "message",
] as const;

type Row = { readonly [Column in (typeof RESULT_COLUMNS)[number]]?: CsvCell | undefined };

const ROWS_AT_ONCE = 500;

export const formatResult = (id: string, result: ImportResult | null): CsvDocument => ({
  bom: false,
  raw: false,
  delimiter: "comma",
  fileName: `import-${id}.csv`,
  columns: RESULT_COLUMNS,
  pages: listPages(result ?? { books: [], leftOut: [], failed: [] }),
});

async function* listPages(result: ImportResult): AsyncGenerator<CsvPage, void> {
  let page: CsvCell[][] = [];
  for (const row of listRows(result)) {
    page.push(RESULT_COLUMNS.map((column) => row[column] ?? ""));
    if (page.length < ROWS_AT_ONCE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

function* listRows({ books, leftOut, failed }: ImportResult): Generator<Row, void> {
  for (const { slug, bookId, status, files, remarks } of books) {
    const ofBook = { slug, bookId };
    if (files.length === 0) yield { ...ofBook, status, ...describe(remarks) };
    for (const { path, languageCode, fileType, status: ofFile, remarks: said } of files)
      yield { ...ofBook, path, status: ofFile, languageCode, fileType, ...describe([...remarks, ...said]) };
  }
  for (const { path, code, reason } of leftOut) yield { path, status: "left_out", code, message: reason };
  for (const { path, slug, bookId, code, message } of failed)
    yield { path, slug, bookId, status: "failed", code, message };
}

const describe = (remarks: readonly { code: string; message: string }[]): Row => ({
  code: remarks.map(({ code }) => code).join(" "),
  message: remarks.map(({ message }) => message).join(" "),
});

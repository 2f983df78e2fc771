/** Reads long tables in pages, so that no statement stays open while a slow client receives them. */
import type { CsvExport, RecordsFormat } from "../../repositories/exports/csv-export.ts";

/** Rows scanned per page: a few milliseconds of a thread's time, and about a hundred kilobytes. */
const PAGE_ROWS = 500;

/** Pages that are prepared while the client receives one. */
const PREFETCHED_PAGES = 4;

/** A table as CSV records in UTF-8. The memory of a page is reused when the next one is requested. */
export async function* readCsvPages<Filter, Cursor>(
  table: CsvExport<Filter, Cursor>,
  filter: Filter,
  options: RecordsFormat,
): AsyncGenerator<Buffer, void> {
  const { delimiter, raw, timezone } = options;
  const format = { delimiter, raw, timezone };
  const coming: Promise<ArrayBuffer>[] = [];
  const pageEndAfter = (after?: Cursor) => markHandled(table.findPageEnd(PAGE_ROWS, filter, after));
  let after: Cursor | undefined;
  let last = pageEndAfter();
  do {
    const upTo = await last;
    // Requested before the page, which would otherwise delay it.
    if (upTo !== undefined) last = pageEndAfter(upTo);
    coming.push(markHandled(table.readRecords(filter, { after, upTo }, format)));
    yield* yieldInTurn(coming.splice(0, coming.length - PREFETCHED_PAGES));
    after = upTo;
  } while (after !== undefined);
  yield* yieldInTurn(coming);
}

/** Marks a rejection as handled: if the client disconnects, the result is never awaited. */
function markHandled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

async function* yieldInTurn(pages: Iterable<Promise<ArrayBuffer>>): AsyncGenerator<Buffer, void> {
  for (const page of pages) {
    const bytes = await page;
    yield Buffer.from(bytes);
    // The garbage collector doesn't count this memory, and a hundred megabytes could accumulate.
    bytes.transfer(0);
  }
}

/**
 * The pages of a long table, each read when it is requested. A page that isn't full is the last one.
 * @param read returns the rows after a row, or the first rows
 */
export async function* readPages<Row>(
  pageRows: number,
  read: (last: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[], void> {
  let last: Row | undefined;
  do {
    const rows = await read(last);
    yield rows;
    last = rows.length < pageRows ? undefined : rows.at(-1);
  } while (last !== undefined);
}

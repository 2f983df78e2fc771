/** Long tables in pages, so that no statement stays open while a client takes its time. */
import type { CsvExport, RecordsFormat } from "../repositories/exports/csv-export.ts";

/** Rows that are looked at for one page: some milliseconds' work of a thread, a hundred kilobytes. */
const PAGE_ROWS = 500;

/** Pages that are in the making while the client takes one. */
const AHEAD = 4;

/** A table as records in UTF-8. A page is gone when the next one is asked for. */
export async function* csvPages<Filter, Place>(
  table: CsvExport<Filter, Place>,
  filter: Filter,
  options: RecordsFormat,
): AsyncGenerator<Buffer, void> {
  const { delimiter, raw, timezone } = options;
  const format = { delimiter, raw, timezone };
  const coming: Promise<ArrayBuffer>[] = [];
  const placeAfter = (place?: Place) => expected(table.lastOfNext(PAGE_ROWS, filter, place));
  let after: Place | undefined;
  let last = placeAfter();
  do {
    const upTo = await last;
    // Requested before the page, which would otherwise delay it.
    if (upTo !== undefined) last = placeAfter(upTo);
    coming.push(expected(table.records(filter, { after, upTo }, format)));
    yield* inTurn(coming.splice(0, coming.length - AHEAD));
    after = upTo;
  } while (after !== undefined);
  yield* inTurn(coming);
}

/** A client that leaves will never ask what has become of it. */
function expected<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

async function* inTurn(pages: Iterable<Promise<ArrayBuffer>>): AsyncGenerator<Buffer, void> {
  for (const page of pages) {
    const bytes = await page;
    yield Buffer.from(bytes);
    // The collector doesn't see how much it holds, and would let a hundred megabytes of them gather.
    bytes.transfer(0);
  }
}

export interface PageByKey<Row, Key> {
  rows: readonly Row[];
  /** After which row the next page begins; undefined when this is the last one. */
  next: Key | undefined;
}

/** The pages of rows from the first to the last, each read when it is asked for. */
export async function* pagesByKey<Row, Key>(
  read: (after: Key | undefined) => Promise<PageByKey<Row, Key>>,
): AsyncGenerator<readonly Row[], void> {
  let after: Key | undefined;
  do {
    const page = await read(after);
    yield page.rows;
    after = page.next;
  } while (after !== undefined);
}

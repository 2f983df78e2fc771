/** All rows of a table in the order of their ids, a page at a time: no statement stays open meanwhile. */

const PAGE_ROWS = 500;

export async function* pagesOf<R extends { id: string }>(
  page: (afterId: string, limit: number) => Promise<readonly R[]>,
): AsyncGenerator<R> {
  let last = "";
  for (;;) {
    const rows = await page(last, PAGE_ROWS);
    yield* rows;
    const end = rows.at(-1);
    if (end === undefined || rows.length < PAGE_ROWS) return;
    last = end.id;
  }
}

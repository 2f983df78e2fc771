/** Long tables, page by page. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { CsvExport, RowRange } from "../../src/repositories/exports/csv-export.ts";
import { readCsvPages, readPages } from "../../src/services/shared/export-pages.ts";

const RAW = { raw: true, delimiter: "comma" } as const;

/** The numbers from 1 on as a table, and which stretches of it have been read. */
function numbers(count: number, fail?: (range: RowRange<number>) => boolean) {
  const read: RowRange<number>[] = [];
  const table: CsvExport<undefined, number> = {
    async findPageEnd(next, _, after = 0) {
      return after + next <= count ? after + next : undefined;
    },
    async readRecords(_, range) {
      read.push(range);
      if (fail?.(range)) throw new Error("The disk is gone");
      const { after = 0, upTo = count } = range;
      const rows = Array.from({ length: upTo - after }, (_, index) => `${after + index + 1}\r\n`);
      return new TextEncoder().encode(rows.join("")).buffer;
    },
  };
  return { read, pages: readCsvPages(table, undefined, RAW) };
}

/** The bytes of a page are gone when the next one is asked for. */
async function textOf(pages: AsyncIterable<Buffer>): Promise<string> {
  let text = "";
  for await (const page of pages) text += page.toString();
  return text;
}

const upTo = (count: number): string => Array.from({ length: count }, (_, row) => `${row + 1}\r\n`).join("");

describe("a table as pages of CSV", () => {
  it.each([0, 1, 499, 500, 501, 3000, 3001])("has each of %i rows once, in their order", async (count) => {
    expect(await textOf(numbers(count).pages)).toBe(upTo(count));
  });

  it("reads a few pages ahead, none before the first is requested, and no more if they aren't consumed", async () => {
    const { read, pages } = numbers(1_000_000);
    await sleep(1);
    expect(read).toEqual([]);
    let taken = 0;
    for await (const _ of pages) {
      await sleep(1);
      taken += 1;
      expect(read).toHaveLength(taken + 4);
      if (taken === 3) break;
    }
    await sleep(1);
    expect(read).toHaveLength(7);
  });

  it("ends with the error of a page in the order of pages", async () => {
    const { read, pages } = numbers(10_000, ({ after }) => after === 1000);
    expect((await pages.next()).value?.toString()).toBe(upTo(500));
    await sleep(1);
    expect(read.length).toBeGreaterThan(2);
    expect((await pages.next()).value?.toString()).toMatch(/^501\r\n/);
    await expect(pages.next()).rejects.toThrow("The disk is gone");
    expect(await pages.next()).toEqual({ done: true, value: undefined });
  });

  it("ignores an error of a page that is no longer requested", async () => {
    const { read, pages } = numbers(10_000, ({ after }) => after === 500);
    for await (const _ of pages) break;
    await sleep(1);
    expect(read.map(({ after }) => after)).toContain(500);
    expect(await pages.next()).toEqual({ done: true, value: undefined });
  });
});

describe("rows in pages", () => {
  const numbersUpTo = (count: number) => {
    const asked: number[] = [];
    const pages = readPages<number>(2, async (after = 0) => {
      asked.push(after);
      return [after + 1, after + 2].filter((number) => number <= count);
    });
    return { asked, pages };
  };

  it("are read page by page, each from the end of the previous one", async () => {
    const { asked, pages } = numbersUpTo(5);
    expect(await Array.fromAsync(pages)).toEqual([[1, 2], [3, 4], [5]]);
    expect(asked).toEqual([0, 2, 4]);
    expect(await Array.fromAsync(numbersUpTo(0).pages)).toEqual([[]]);
  });

  it("are read no further if the pages are no longer consumed", async () => {
    const { asked, pages } = numbersUpTo(100);
    expect(asked).toEqual([]);
    for await (const _ of pages) break;
    await sleep(1);
    expect(asked).toEqual([0]);
  });
});

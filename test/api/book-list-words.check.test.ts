/** Words that most books have, in the list for administrators: the same books, order and number as without an index. */
import { expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";

const BOOKS = "/api/admin/books";
/** More than are sorted. */
const COUNT = 1300;
const LIMIT = 200;

it("finds what the list has, of each status, in both directions, on all pages", async () => {
  const { client } = await startWithAdmin();
  const books = Array.from({ length: COUNT }, (_, number) => ({
    titleEn: number % 10 === 9 ? `Other ${number}` : `Tale ${number} of the well`,
    sortOrder: (number * 7) % 100,
  }));
  for (let first = 0; first < COUNT; first += 500)
    await client.post(`${BOOKS}/bulk`, { books: books.slice(first, first + 500) });
  const read = async (query: string) => {
    const titles: string[] = [];
    for (let page = 1; ; page += 1) {
      const { body } = await client.get(`${BOOKS}?limit=${LIMIT}&page=${page}&${query}`);
      titles.push(...body.books.map(({ titleEn }: { titleEn: string }) => titleEn));
      if (page > body.pagination.totalPages) return { titles, total: body.pagination.total };
    }
  };
  const all = await client.get(`${BOOKS}?search=tale&limit=40`);
  const bookIds = all.body.books.map(({ id }: { id: string }) => id);
  await client.post(`${BOOKS}/actions`, { bookIds, action: { type: "archive" } });
  for (const status of ["active", "archived", "all"]) {
    for (const sort of ["sortOrder", "-sortOrder", "title"]) {
      const whole = (await read(`status=${status}&sort=${sort}`)).titles;
      for (const search of ["tale", "tale well", "wel tal 1"]) {
        const words = search.split(" ");
        const expected = whole.filter((title) => words.every((word) => title.toLowerCase().includes(word)));
        const found = await read(`status=${status}&sort=${sort}&search=${encodeURIComponent(search)}`);
        expect(found, `${status} ${sort} ${search}`).toEqual({ titles: expected, total: expected.length });
      }
    }
  }
});

/** A move among many books while others change the catalogue. */
import { sql } from "kysely";
import { expect, it } from "vitest";
import { createSystemAuthor } from "../../src/repositories/change.ts";
import type { ChangeCatalogue } from "../../src/repositories/index.ts";
import { BookOrderService } from "../../src/services/books/book-order.service.ts";
import { startApp } from "../support/app.ts";
import { writeRows } from "../support/catalogue-rows.ts";
import { countTurns } from "../support/count-turns.ts";

const BOOKS = 50_000;

it("lets other work run while it is planned again, because the catalogue has changed", async () => {
  const app = await startApp();
  const { reports: report, changeCatalogue } = app.container;
  await writeRows(app, (db) =>
    sql`
      insert into books (id, slug, "titleEn", description, "sortOrder", "legacyDownloadCount", "isActive", "searchText", "createdAt", "updatedAt")
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${BOOKS})
      select 'b' || n, 'b' || n, 'Book', '', n, 0, 1, '', 0, 0 from numbers
    `.execute(db),
  );
  let turns = 0;
  const change: ChangeCatalogue = async (by, work) => {
    await app.make.book("Meanwhile", { sortOrder: 1 });
    return changeCatalogue(by, async (repositories) => {
      const done = Promise.withResolvers<Awaited<ReturnType<typeof work>>>();
      turns = await countTurns(async () => done.resolve(await work(repositories)));
      return done.promise;
    });
  };
  const order = new BookOrderService({ report, change });
  // Where it is already, so that nothing but the plan is done.
  const moves = [{ bookId: `b${BOOKS}`, after: `b${BOOKS - 1}` }];
  const places = await order.reorder(createSystemAuthor("test"), { moves });
  expect(places).toMatchObject([{ id: `b${BOOKS}`, sortOrder: BOOKS, formerlyAfter: `b${BOOKS - 1}` }]);
  expect(turns).toBeGreaterThan(0);
});

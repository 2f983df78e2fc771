/** What migrations make of rows that are there. */
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { FORMER_TABLES } from "../../src/db/soundness.ts";
import { openWriter } from "../../src/db/sqlite/connection.ts";
import { findForeignSchema } from "../../src/db/sqlite/examine.ts";
import { migrate } from "../../src/db/sqlite/migrator.ts";
import { createOlderMigrations } from "../support/migrations-folder.ts";
import { createTempFolder } from "../support/temp-folder.ts";

/** A database as it was before a migration. */
async function before(number: string) {
  const folder = createTempFolder();
  const connection = openWriter(join(folder, "database.sqlite"));
  onTestFinished(() => void connection.close());
  await migrate(connection, join(folder, "backups"), createOlderMigrations(number));
  return { connection, finish: () => migrate(connection, join(folder, "backups")) };
}

it("0020 the texts of a book and its translations are in one row, with each word of a description once", async () => {
  const { connection, finish } = await before("0020");
  connection.exec(`
    insert into languages (id, code, codeKey, name, nativeName, direction, legacyDownloadCount, isActive, createdAt, updatedAt)
      values (1, 'es', 'es', 'Spanish', 'Español', 'ltr', 0, 1, 1, 1), (2, 'fr', 'fr', 'French', 'Français', 'ltr', 0, 1, 1, 1)`);
  const book = connection.prepare(
    `insert into books (id, slug, titleEn, description, sortOrder, legacyDownloadCount, isActive, searchText, createdAt, updatedAt)
      values (?, ?, '', '', 1, 0, 1, ?, 1, 1)`,
  );
  for (let number = 1; number <= 1001; number += 1)
    book.run(`book${number}`, `s${number}`, `the the well\na b a\ns${number}\nan an author`);
  connection.exec(`insert into translations (id, bookId, languageId, title, searchText, createdAt, updatedAt)
    values ('t1', 'book7', 1, '', 'el el pozo' || char(10) || 'x y y' || char(10) || 'a a', 1, 1), ('t2', 'book7', 2, '', 'puits', 1, 1)`);
  expect((await finish()).applied).toContain("0020-book-texts");
  const own = "the the well\na b\ns7\nan an author";
  expect(connection.prepare("select searchText from books where id = 'book7'").pluck().get()).toBe(own);
  const textOf = connection.prepare("select searchText from book_texts where bookId = ?").pluck();
  expect(textOf.get("book7")).toBe(`${own}\nel el pozo\nx y\na a\npuits`);
  expect(textOf.get("book1001")).toBe("the the well\na b\ns1001\nan an author");
  expect(connection.prepare("select count(*) from book_texts").pluck().get()).toBe(1001);
});

const RECORD = `select serviceId, secretFingerprint, lastHour, movingFrom, epoch is not null as hasEpoch from installation`;

it("0031 the record of the installation takes over the tables of one value", async () => {
  const { connection, finish } = await before("0031");
  connection.exec(`
    insert into service_id (id, serviceId) values ('current', 'service');
    insert into secret_fingerprint (id, fingerprint) values ('current', 'secret');
    insert into recorded_hour (id, recordedAt) values ('last', 1700000000000);`);
  const [epoch] = connection.prepare("select epoch from installation").pluck().all();
  expect(findForeignSchema(connection)).toEqual({ programs: [], data: [] });
  await finish();
  expect(connection.prepare(RECORD).all()).toEqual([
    {
      serviceId: "service",
      secretFingerprint: "secret",
      lastHour: 1_700_000_000_000,
      movingFrom: null,
      hasEpoch: 1,
    },
  ]);
  expect(connection.prepare("select epoch from installation").pluck().all()).toEqual([epoch]);
  const former = connection.prepare(
    "select name from sqlite_schema where name in (select value from json_each(?))",
  );
  expect(former.all(JSON.stringify(FORMER_TABLES))).toEqual([]);
  const { stopsOlderVersions } = await import("../../migrations/0031-record-of-the-installation.ts");
  expect(stopsOlderVersions).toBe(true);
});

it("0031 the record of a database that no server has used is empty, and an unfinished move stays unfinished", async () => {
  const { connection, finish } = await before("0031");
  connection.exec(
    "create table unfinished_move (source text not null); insert into unfinished_move values ('/data')",
  );
  expect(findForeignSchema(connection).data).toEqual([]);
  await finish();
  expect(connection.prepare(RECORD).all()).toEqual([
    { serviceId: null, secretFingerprint: null, lastHour: null, movingFrom: "/data", hasEpoch: 1 },
  ]);
});

it("0032 the index of trigrams has the letters of the new folding", async () => {
  const { connection, finish } = await before("0032");
  connection.exec(`
    insert into books (id, slug, titleEn, description, sortOrder, legacyDownloadCount, isActive, searchText, createdAt, updatedAt)
      values ('a', 'a', '', '', 1, 0, 1, 'سورۃ' || char(10) || 'ٱلكتاب الكتاب', 1, 1), ('b', 'b', '', '', 2, 0, 1, 'well', 1, 1);
    insert into book_texts (bookId, searchText) select id, searchText from books;
    insert into book_numbers (bookId) select id from books;
    insert into book_trigrams (rowid, searchText)
      select number, searchText || char(10, 10) from book_numbers join book_texts using (bookId);`);
  expect((await finish()).applied).toContain("0032-more-search-letters");
  expect(connection.prepare("select searchText from book_texts order by bookId").pluck().all()).toEqual([
    "سوره\nالكتاب",
    "well",
  ]);
  const find = connection.prepare(
    "select bookId from book_trigrams join book_numbers on number = book_trigrams.rowid where book_trigrams match ?",
  );
  const found = ["سوره", "الك", "سورۃ", "ٱلك", "well"].map((text) => find.pluck().all(text));
  expect(found).toEqual([["a"], ["a"], [], [], ["b"]]);
});

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

it("consents get the download of the same form, and its address unless that is of another reader", async () => {
  const { connection, finish } = await before("0007");
  connection.exec(`
    insert into contacts (id, publicId, email, firstName, lastName, phone, country, searchText, firstDownloadAt, lastDownloadAt, totalDownloads)
      values (1, 'a', 'a@example.org', 'A', '', '', '', '', 100, 300, 3), (2, 'b', 'b@example.org', 'B', '', '', '', '', 100, 100, 1);
    insert into download_events (id, downloadedAt, redeemedAt, contactId, isDownloadAll, booksCount, languageId, bookTitle, fileType, fileName,
        languageName, languageCode, ipAddress, deviceType, browserName, browserVersion, osName, osVersion, referrer, isBot)
      values (1, 100, null, 2, 0, 1, 1, '', '', '', '', '', '192.0.2.2', '', '', '', '', '', '', 0),
             (2, 100, null, 1, 0, 1, 1, '', '', '', '', '', '192.0.2.1', '', '', '', '', '', '', 0),
             (3, 200, 250, 1, 0, 1, 1, '', '', '', '', '', '192.0.2.9', '', '', '', '', '', '', 0);
    insert into consents (id, contactId, marketing, textVersion, languageCode, givenAt)
      values ('1', 1, 1, '1', 'en', 100), ('2', 1, 0, '1', 'en', 200), ('3', 1, 1, '2', 'en', 201);`);
  expect((await finish()).applied).toContain("0007-consent-ledger");
  const facts = {
    contactId: 1,
    languageCode: "en",
    repeatedAt: null,
    userId: null,
    userName: null,
    confirmation: null,
  };
  expect(connection.prepare("select * from consents order by id").all()).toEqual([
    { ...facts, id: "1", marketing: 1, textVersion: "1", givenAt: 100, eventId: 2, ipAddress: "192.0.2.1" },
    { ...facts, id: "2", marketing: 0, textVersion: "1", givenAt: 200, eventId: 3, ipAddress: null },
    { ...facts, id: "3", marketing: 1, textVersion: "2", givenAt: 201, eventId: null, ipAddress: null },
  ]);
  // An event that goes takes nothing of the ledger with it.
  connection.exec("delete from download_events where id = 2");
  expect(connection.prepare("select eventId, marketing from consents where id = '1'").get()).toEqual({
    eventId: null,
    marketing: 1,
  });
});

it("0008 books are found by their slug, contacts by their phone in any spacing and by their country", async () => {
  const { connection, finish } = await before("0008");
  connection.exec(`
    insert into books (id, slug, titleEn, description, sortOrder, legacyDownloadCount, isActive, searchText, createdAt, updatedAt)
      values ('a', 'a-deep-well', 'The Well', '', 1, 0, 1, 'the well' || char(10), 1, 1)`);
  const insert = connection.prepare(
    `insert into contacts (publicId, email, firstName, lastName, phone, country, searchText, firstDownloadAt, lastDownloadAt, totalDownloads)
      values (?, ?, 'Zoë', '', ?, ?, 'zoe' || char(10) || 'mail' || char(10), 1, 1, 1)`,
  );
  const given = [
    ["+34 600-111", "Éthiopie"],
    ["600111", " Straße "],
    ["", ""],
    ["", "Côte d’Ivoire"],
  ] as const;
  const many = Array.from({ length: 1001 }, () => given[0]);
  for (const [index, [phone, country]] of [...given, ...many].entries())
    insert.run(index, index, phone, country);
  await finish();
  expect(connection.prepare("select searchText from books").pluck().get()).toBe("the well\n\na-deep-well");
  const contacts = connection.prepare("select searchText, countryText from contacts order by id").all();
  expect(contacts).toHaveLength(1005);
  expect(contacts.slice(0, 4)).toEqual([
    { searchText: "zoe\nmail\n\n34600111\nethiopie", countryText: "ethiopie" },
    { searchText: "zoe\nmail\n\nstrasse", countryText: "strasse" },
    { searchText: "zoe\nmail\n", countryText: "" },
    { searchText: "zoe\nmail\n\ncote d'ivoire", countryText: "cote d'ivoire" },
  ]);
  expect(contacts.at(-1)).toEqual(contacts[0]);
});

it("0012 books and translations have no credits at first", async () => {
  const { connection, finish } = await before("0012");
  connection.exec(`
    insert into languages (id, code, codeKey, name, nativeName, direction, legacyDownloadCount, isActive, createdAt, updatedAt)
      values (1, 'es', 'es', 'Spanish', 'Español', 'ltr', 0, 1, 1, 1);
    insert into books (id, slug, titleEn, description, sortOrder, legacyDownloadCount, isActive, searchText, createdAt, updatedAt)
      values ('a', 'well', 'Well', '', 1, 0, 1, 'well', 1, 1);
    insert into translations (id, bookId, languageId, title, searchText, createdAt, updatedAt) values ('b', 'a', 1, 'Pozo', 'pozo', 1, 1)`);
  await finish();
  expect(connection.prepare("select searchText, authors, tags, series from books").get()).toEqual({
    searchText: "well",
    authors: "[]",
    tags: "[]",
    series: null,
  });
  const columns = "searchText, authors, contributors, publisher, license, isbn";
  expect(connection.prepare(`select ${columns} from translations`).get()).toEqual({
    searchText: "pozo",
    authors: "[]",
    contributors: "[]",
    publisher: null,
    license: null,
    isbn: null,
  });
});

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

it("0023 files and covers had nothing before, and nothing waits for its removal", async () => {
  const { connection, finish } = await before("0023");
  connection.exec(`
    insert into languages (id, code, codeKey, name, nativeName, direction, legacyDownloadCount, isActive, createdAt, updatedAt)
      values (1, 'es', 'es', 'Spanish', 'Español', 'ltr', 0, 1, 1, 1);
    insert into books (id, slug, titleEn, description, sortOrder, legacyDownloadCount, isActive, searchText, createdAt, updatedAt)
      values ('a', 'well', 'Well', '', 1, 0, 1, 'well', 1, 1);
    insert into book_files (id, bookId, languageId, fileType, sourceType, fileName, fileSizeBytes, sha256, downloadCount, isActive, createdAt, updatedAt)
      values ('f', 'a', 1, 'txt', 'local', 'a.txt', 4, 'abcd', 0, 1, 1, 1);
  `);
  await finish();
  const countIn = (table: string) => connection.prepare(`select count(*) from ${table}`).pluck().get();
  expect(["book_files", "replaced_bytes", "released_bytes", "last_sweep"].map(countIn)).toEqual([1, 0, 0, 0]);
  const { stopsOlderVersions } = await import("../../migrations/0023-released-bytes.ts");
  expect(stopsOlderVersions).toBe(true);
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

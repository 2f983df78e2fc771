/** Indexes and constraints of a SQLite file that are missing are named, and made again. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { describeMissing, readExpectedParts, sortParts } from "../../src/db/schema-parts.ts";
import { openWriter } from "../../src/db/sqlite/connection.ts";
import { findForeignSchema } from "../../src/db/sqlite/examine.ts";
import { migrate } from "../../src/db/sqlite/migrator.ts";
import { repairSqlite } from "../../src/db/sqlite/repair.ts";
import { findMissingInSqlite, readSqliteParts } from "../../src/db/sqlite/schema-parts.ts";
import { createOlderMigrations } from "../support/migrations-folder.ts";
import { createTempFolder } from "../support/temp-folder.ts";

/** A migrated file, and a connection to it. */
function openCopy() {
  const file = join(createTempFolder(), "database.sqlite");
  cpSync(inject("emptyDatabase"), file);
  const connection = openWriter(file);
  onTestFinished(() => void connection.close());
  const missing = () => findMissingInSqlite(connection).map(describeMissing);
  return { file, connection, missing };
}

/** Makes a table again by another statement, as a database browser does. */
function rebuild(
  { connection }: ReturnType<typeof openCopy>,
  table: string,
  change: (sql: string) => string,
) {
  const sql = String(connection.prepare("select sql from sqlite_schema where name = ?").pluck().get(table));
  const changed = change(sql);
  expect(changed).not.toBe(sql);
  connection.pragma("foreign_keys = off");
  connection.exec(`pragma writable_schema = off; drop table "${table}"; ${changed}`);
  connection.pragma("foreign_keys = on");
}

const INDEXES = readExpectedParts("sqlite").filter(({ name }) => name !== "");

describe("what the migrations make", () => {
  it("is what src/db/sqlite/schema-parts.json has: otherwise run npm run schema-parts", () => {
    const found = sortParts(readSqliteParts(openCopy().connection));
    expect(found).toEqual(readExpectedParts("sqlite"));
    expect(INDEXES.length).toBeGreaterThan(30);
  });

  it.each(["0003", "0008", "0015", "0023"])("is there after an upgrade from before %s", async (number) => {
    const folder = createTempFolder();
    const connection = openWriter(join(folder, "database.sqlite"));
    onTestFinished(() => void connection.close());
    await migrate(connection, join(folder, "backups"), createOlderMigrations(number));
    expect(findMissingInSqlite(connection)).not.toEqual([]);
    await migrate(connection, join(folder, "backups"));
    expect(findMissingInSqlite(connection)).toEqual([]);
  });
});

describe("an index that is missing", () => {
  it("is named with its statement, and made again: each in turn", async () => {
    const { file, connection, missing } = openCopy();
    for (const { name, table, kind } of INDEXES) {
      connection.exec(`drop index "${name}"`);
      const noun = kind === "unique" ? "unique index" : "index";
      expect(missing()).toEqual([
        expect.stringContaining(`The database lacks the ${noun} ${name} on ${table}. Make it again: create `),
      ]);
      expect(await repairSqlite(file)).toEqual([{ part: `${noun} ${name} on ${table}`, reason: undefined }]);
      expect(missing()).toEqual([]);
    }
    expect(sortParts(readSqliteParts(connection))).toEqual(readExpectedParts("sqlite"));
  });

  it("isn't, if another one does the same under another name, or was typed otherwise", () => {
    const { connection, missing } = openCopy();
    connection.exec(`
      drop index contacts_country; create unique  INDEX mine ON contacts(countryText ,  [id]);
      drop index languages_parent; create index if not exists "its parent" on "languages" (PARENTID);
      drop index book_files_published;
      create index x on book_files ("languageId","bookId") WHERE "isActive"=1;
      create index extra on books ("titleEn")`);
    expect(missing().filter((text) => !text.includes("contacts_country"))).toEqual([]);
  });

  it.each([
    ["on other columns", "create index languages_parent on languages (code)"],
    ["on these columns in another order", "create index books_order on books (id, sortOrder)"],
    ["for fewer rows", "create index books_order on books (sortOrder, id) where isActive = 1"],
  ])("is, if one of its name is %s", (_, statement) => {
    const { connection, missing } = openCopy();
    const [, name = ""] = /index (\w+)/.exec(statement) ?? [];
    connection.exec(`drop index ${name}; ${statement}`);
    expect(missing()).toEqual([expect.stringContaining(name)]);
  });

  it("isn't made again while rows prevent it, which are named and stay", async () => {
    const { file, connection, missing } = openCopy();
    connection.exec(`
      drop index book_files_active;
      insert into languages values (1, 'en', 'en', 'English', 'English', 'ltr', null, null, 0, 1, 0, 0, null);
      insert into books (id, slug, titleEn, description, sortOrder, legacyDownloadCount, isActive, searchText, createdAt, updatedAt)
        values ('b', 'well', 'Well', '', 1, 0, 1, '', 0, 0)`);
    const insert = connection.prepare(
      `insert into book_files (id, bookId, languageId, fileType, sourceType, fileName, fileSizeBytes, sha256, downloadCount, isActive, createdAt, updatedAt)
         values (?, 'b', 1, 'txt', 'upload', 'x', 1, 'a', 0, ?, 0, 0)`,
    );
    for (const [id, isActive] of [
      ["one", 1],
      ["two", 1],
      ["old", 0],
      ["older", 0],
    ] as const)
      insert.run(id, isActive);
    expect(await repairSqlite(file)).toEqual([
      {
        part: "unique index book_files_active on book_files",
        reason:
          'rows of book_files have the same values: bookId "b", languageId 1, fileType "txt" (2 rows, ids one, two). Change or delete all but one of each, then repeat',
      },
    ]);
    expect(missing()).toHaveLength(1);
    expect(connection.prepare("select count(*) from book_files").pluck().get()).toBe(4);
    connection.exec("delete from book_files where id = 'two'");
    expect(await repairSqlite(file)).toMatchObject([{ reason: undefined }]);
    expect(missing()).toEqual([]);
  });
});

describe("a constraint that is missing", () => {
  it("of unique values is replaced by a unique index, which is the service's own", async () => {
    const scene = openCopy();
    const { file, connection, missing } = scene;
    rebuild(scene, "channels", (sql) => sql.replaceAll(/ unique/g, ""));
    expect(missing()).toEqual([
      'The database lacks the unique index ("slug") on channels. Make it again: create unique index "channels_slug_remade" on "channels" ("slug")',
    ]);
    expect(await repairSqlite(file)).toMatchObject([{ reason: undefined }]);
    expect(missing()).toEqual([]);
    expect(findForeignSchema(connection).data).toEqual([]);
  });

  it.each([
    ["channels", "primary key", (sql: string) => sql.replace(" primary key", "")],
    [
      "sessions",
      "foreign key",
      (sql: string) => sql.replace(/ references "users" \("id"\)( on delete cascade)?/, ""),
    ],
    ["sessions", "foreign key", (sql: string) => sql.replace(" on delete cascade", "")],
    [
      "book_files",
      "check",
      (sql: string) => sql.replace(/, constraint "book_files_have_content" check .*\)/, ")"),
    ],
  ])("of %s, a %s, is named, and can't be made again alone", async (table, noun, change) => {
    const scene = openCopy();
    const indexes = INDEXES.filter((each) => each.table === table).length;
    rebuild(scene, table, change);
    // Those of the table went with it.
    expect((await repairSqlite(scene.file)).filter(({ reason }) => reason === undefined)).toHaveLength(
      indexes,
    );
    expect(scene.missing()).toEqual([
      expect.stringMatching(
        new RegExp(`^The database lacks the ${noun} .* on ${table}, which can't be made again alone`),
      ),
    ]);
  });

  it("of a missing table isn't named beside the table", () => {
    const { connection, missing } = openCopy();
    connection.exec("drop table rate_limits");
    expect(missing()).toEqual(["The database lacks the table rate_limits, which can't be made again alone."]);
  });
});

it("tables of a search index, and those that keep its data, need no index", () => {
  const { connection, missing } = openCopy();
  connection.exec("create virtual table words using fts5(text, tokenize = 'trigram')");
  expect(missing()).toEqual([]);
  expect(readSqliteParts(connection).filter(({ table }) => table.startsWith("words"))).toEqual([]);
});

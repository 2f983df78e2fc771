import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Connection, openWriter } from "../../src/db/sqlite/connection.ts";
import { migrate } from "../../src/db/sqlite/migrator.ts";
import { createMigrationsFolder } from "../support/migrations-folder.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const OWN_MIGRATIONS = readdirSync(new URL("../../migrations", import.meta.url))
  .filter((name) => name.endsWith(".ts"))
  .map((name) => name.replace(/\.ts$/, ""))
  .sort();

function setUp() {
  const folder = createTempFolder();
  const file = join(folder, "database.sqlite");
  const backups = join(folder, "backups");
  const connection = openWriter(file);
  onTestFinished(() => {
    connection.close();
  });
  return { file, backups, connection };
}

const tablesOf = (connection: Connection): unknown[] =>
  connection
    .prepare("select name from sqlite_master where type = 'table' and name not like 'kysely%' order by name")
    .pluck()
    .all();

const PEOPLE = `await db.schema.createTable("people").addColumn("id", "integer", (c) => c.primaryKey()).execute();
  await db.schema.createTable("letters")
    .addColumn("id", "integer", (c) => c.primaryKey())
    .addColumn("personId", "integer", (c) => c.references("people.id").onDelete("cascade").notNull())
    .execute();`;
const PLACES = `await db.schema.createTable("places").addColumn("id", "integer").execute();`;

describe("the migrations of this version", () => {
  it("create the schema in an empty file, once", async () => {
    const { connection, backups } = setUp();
    expect(await migrate(connection, backups)).toEqual({ applied: OWN_MIGRATIONS, copy: undefined });
    expect(tablesOf(connection)).toEqual(
      expect.arrayContaining(["book_files", "books", "contacts", "users"]),
    );
    expect(connection.pragma("integrity_check", { simple: true })).toBe("ok");
    expect(connection.pragma("foreign_keys", { simple: true })).toBe(1);
    expect(connection.pragma("synchronous", { simple: true })).toBe(2);
    expect(await migrate(connection, backups)).toEqual({ applied: [], copy: undefined });
  });

  it("keep one active file for each book, language and type", async () => {
    const { connection, backups } = setUp();
    await migrate(connection, backups);
    connection.exec(
      `insert into languages (id, code, codeKey, name, nativeName, direction, legacyDownloadCount, isActive, createdAt, updatedAt)
         values (1, 'es', 'es', 'Spanish', 'Español', 'ltr', 0, 1, 1, 1);
       insert into books (id, slug, titleEn, description, sortOrder, legacyDownloadCount, isActive, searchText, createdAt, updatedAt)
         values ('book', 'book', 'Book', '', 1, 0, 1, '', 1, 1)`,
    );
    const insert = connection.prepare(
      `insert into book_files (id, bookId, languageId, fileType, sourceType, fileName, fileSizeBytes, sha256, cloudUrl, downloadCount, isActive, createdAt, updatedAt)
         values (?, ?, 1, ?, 'local', 'f', 1, ?, ?, 0, ?, 1, 1)`,
    );
    insert.run("old", "book", "pdf", "aa", null, 0);
    insert.run("older", "book", "pdf", "bb", null, 0);
    insert.run("now", "book", "pdf", "cc", null, 1);
    insert.run("other type", "book", "epub", "cc", null, 1);
    expect(() => insert.run("second", "book", "pdf", "dd", null, 1)).toThrow("UNIQUE constraint failed");
    expect(() => insert.run("nothing", "book", "txt", null, null, 1)).toThrow("CHECK constraint failed");
    expect(() => insert.run("both", "book", "txt", "aa", "https://a.org", 1)).toThrow(
      "CHECK constraint failed",
    );
    expect(() => insert.run("orphan", "no book", "txt", "aa", null, 1)).toThrow(
      "FOREIGN KEY constraint failed",
    );
    connection.exec("delete from books");
    expect(connection.prepare("select count(*) from book_files").pluck().get()).toBe(0);
  });
});

describe("a database with data", () => {
  it("is copied before it is changed, readable by its owner only", async () => {
    const { connection, backups } = setUp();
    await migrate(connection, backups, createMigrationsFolder({ "0001-people": PEOPLE }));
    connection.exec("insert into people values (7)");
    const newer = createMigrationsFolder({ "0001-people": PEOPLE, "0002-places": PLACES });
    const { applied, copy = "" } = await migrate(connection, backups, newer);
    expect(applied).toEqual(["0002-places"]);
    expect(tablesOf(connection)).toEqual(["letters", "people", "places"]);

    expect(dirname(copy)).toBe(backups);
    expect(basename(copy)).toMatch(/^before-0002-places-\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z\.sqlite$/);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    expect(statSync(backups).mode & 0o777).toBe(0o700);
    const kept = new Database(copy, { readonly: true });
    expect(kept.pragma("integrity_check", { simple: true })).toBe("ok");
    expect(tablesOf(kept)).toEqual(["letters", "people"]);
    expect(kept.prepare("select id from people").pluck().all()).toEqual([7]);
    kept.close();
  });

  it("leaves no copy if it couldn't be copied", async () => {
    const { connection, backups } = setUp();
    connection.exec("create table t (a); begin");
    await expect(migrate(connection, backups)).rejects.toThrow("cannot VACUUM");
    expect(readdirSync(backups)).toEqual([]);
  });

  it("is copied even if this service hasn't created it", async () => {
    const { connection, backups } = setUp();
    connection.exec("create table somebody_elses (a)");
    const { copy } = await migrate(connection, backups, createMigrationsFolder({ "0001-people": PEOPLE }));
    expect(copy).toMatch(/before-0001-people/);
  });

  it("of a newer version is rejected and unchanged, byte for byte", async () => {
    const { file, connection, backups } = setUp();
    const newer = createMigrationsFolder({ "0001-people": PEOPLE, "0002-places": PLACES });
    await migrate(connection, backups, newer);
    connection.close();
    const before = hashOf(file);
    const again = openWriter(file);
    const older = createMigrationsFolder({ "0001-people": PEOPLE });
    await expect(migrate(again, backups, older)).rejects.toThrow(
      expect.objectContaining({ code: "database_newer" }),
    );
    await expect(migrate(again, backups, older)).rejects.toThrow(/newer version .* \(it has 0002-places\)/);
    again.close();
    expect(hashOf(file)).toBe(before);
  });

  it("keeps its rows when a table that others refer to is rebuilt", async () => {
    const { connection, backups } = setUp();
    await migrate(connection, backups, createMigrationsFolder({ "0001-people": PEOPLE }));
    connection.exec("insert into people values (7); insert into letters values (1, 7)");
    const rebuild = `await db.schema.createTable("people2").addColumn("id", "integer", (c) => c.primaryKey()).execute();
      await db.insertInto("people2").expression(db.selectFrom("people").select("id")).execute();
      await db.schema.dropTable("people").execute();
      await db.schema.alterTable("people2").renameTo("people").execute();`;
    await migrate(
      connection,
      backups,
      createMigrationsFolder({ "0001-people": PEOPLE, "0002-rebuild": rebuild }),
    );
    expect(connection.prepare("select * from letters").all()).toEqual([{ id: 1, personId: 7 }]);
    expect(() => connection.exec("insert into letters values (2, 8)")).toThrow("FOREIGN KEY");
  });
});

it.each([
  ["break off", "throw new Error('half-way');", "half-way"],
  ["leave orphans", `await db.deleteFrom("people").execute();`, "Rows refer to missing rows"],
])(
  "migrations that fail leave the database as it was when they %s, including those before them",
  async (_, body, reason) => {
    const { connection, backups } = setUp();
    await migrate(connection, backups, createMigrationsFolder({ "0001-people": PEOPLE }));
    connection.exec("insert into people values (7); insert into letters values (1, 7)");
    const bodies = { "0001-people": PEOPLE, "0002-places": PLACES };
    const failing = migrate(connection, backups, createMigrationsFolder({ ...bodies, "0003-broken": body }));
    await expect(failing).rejects.toMatchObject({
      message: "The database could not be migrated and is unchanged",
      cause: { message: reason },
    });
    expect(connection.inTransaction).toBe(false);
    expect(tablesOf(connection)).toEqual(["letters", "people"]);
    expect(connection.prepare("select * from letters").all()).toEqual([{ id: 1, personId: 7 }]);
    expect(connection.pragma("foreign_keys", { simple: true })).toBe(1);

    const mended = await migrate(connection, backups, createMigrationsFolder(bodies));
    expect(mended.applied).toEqual(["0002-places"]);
  },
);

const hashOf = (file: string): string => createHash("sha256").update(readFileSync(file)).digest("hex");

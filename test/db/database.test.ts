import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { openReader, openWriter } from "../../src/db/sqlite/connection.ts";
import { openSqlite } from "../../src/db/sqlite/database.ts";
import { canListDescriptors, openDescriptors } from "../support/open-descriptors.ts";
import { addSlowCheck } from "../support/slow-check.ts";
import { watchStartedThreads } from "../support/started-threads.ts";
import { createTempFolder } from "../support/temp-folder.ts";

async function setUp() {
  const folder = createTempFolder();
  const file = join(folder, "database.sqlite");
  const database = await openSqlite(file, join(folder, "backups"));
  onTestFinished(() => database.close());
  return { folder, file, database };
}

const contact = (id: string) => ({
  publicId: id,
  email: `${id}@example.org`,
  firstName: "Sara",
  lastName: "",
  phone: "",
  country: "",
  searchText: "",
  firstDownloadAt: 1,
  lastDownloadAt: 1,
  totalDownloads: 1,
});

const put = (database: Database, id: string) =>
  database.commit(() => database.writer.insertInto("contacts").values(contact(id)).execute());

const idsSeenBy = async (handle: Database["read"]): Promise<string[]> =>
  (await handle.selectFrom("contacts").select("publicId").orderBy("id").execute()).map(
    ({ publicId }) => publicId,
  );

it("the three handles include a reader that can't write", async () => {
  const { database } = await setUp();
  const write = database.read.insertInto("contacts").values(contact("a")).execute();
  await expect(write).rejects.toThrow("attempt to write a readonly database");
  expect(await idsSeenBy(database.read)).toEqual([]);
});

describe("closing", () => {
  it("finishes pending writes and leaves one file with all data", async () => {
    const { folder, file, database } = await setUp();
    expect(await idsSeenBy(database.report)).toEqual([]);
    const writes = ["a", "b", "c"].map((id) => put(database, id));
    await database.close();
    await Promise.all(writes);
    expect(existsSync(`${file}-wal`)).toBe(false);
    if (canListDescriptors) expect(await openDescriptors(folder)).toEqual([]);

    const again = await openSqlite(file, join(folder, "backups"));
    expect(again.migration).toEqual({ applied: [], copy: undefined });
    expect(await idsSeenBy(again.read)).toEqual(["a", "b", "c"]);
    await again.close();
  });

  it("leaves one file even if no handle was ever used", async () => {
    const { folder, file, database } = await setUp();
    await database.close();
    expect(existsSync(`${file}-wal`)).toBe(false);
    if (canListDescriptors) expect(await openDescriptors(folder)).toEqual([]);
  });

  it("empties the WAL even while another process reads the database", async () => {
    const { file, database } = await setUp();
    const other = openReader(file);
    await put(database, "a");
    expect(other.prepare("select publicId from contacts").pluck().all()).toEqual(["a"]);
    await database.close();
    expect(statSync(`${file}-wal`).size).toBe(0);
    other.close();
  });

  it("closes all handles", async () => {
    const { database } = await setUp();
    await idsSeenBy(database.report);
    await database.close();
    await expect(idsSeenBy(database.read)).rejects.toThrow();
    await expect(idsSeenBy(database.report)).rejects.toThrow();
    await expect(put(database, "late")).rejects.toThrow("The database is closed");
    await database.close();
  });
});

describe("the integrity check", () => {
  it("runs in its own process, and finds nothing in a new database", async () => {
    const { database } = await setUp();
    await put(database, "a");
    const threads = watchStartedThreads();
    const nothing = { damage: [], brokenReferences: [], foreign: { programs: [], data: [] } };
    expect(await database.examine(10)).toEqual(nothing);
    expect(threads).toEqual([]);
  });

  it("ends immediately if the database is closed concurrently, which isn't taken for damage", async () => {
    const { file, database } = await setUp();
    addSlowCheck(file);
    const check = expect(database.examine(1)).rejects.toMatchObject({ code: "ERR_THREAD_FAILED" });
    await database.close();
    await check;
    await expect(database.examine(1)).rejects.toThrow("The database is closed");
  });
});

it("opening leaves nothing open if the database is of a newer version", async () => {
  const { folder, file, database } = await setUp();
  await database.close();
  const newer = openWriter(file);
  newer.exec("insert into kysely_migration values ('0099-newer', '2030-01-01')");
  newer.close();
  const before = statSync(file);
  await expect(openSqlite(file, join(folder, "backups"))).rejects.toThrow(
    expect.objectContaining({ code: "database_newer" }),
  );
  expect(statSync(file)).toMatchObject({ size: before.size, mtimeMs: before.mtimeMs });
  if (canListDescriptors) expect(await openDescriptors(folder)).toEqual([]);
});

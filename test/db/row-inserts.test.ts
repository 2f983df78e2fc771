/** Inserts that are composed once for each kind of them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { insertsInto } from "../../src/db/rows.ts";
import { openSqlite } from "../../src/db/sqlite/database.ts";

async function open() {
  const directory = mkdtempSync(join(tmpdir(), "bds-inserts-"));
  const database = await openSqlite(join(directory, "database.sqlite"), directory);
  onTestFinished(async () => {
    await database.close();
    rmSync(directory, { recursive: true });
  });
  return database;
}

const channel = (id: string) => ({
  id,
  name: `Name of ${id}`,
  slug: id,
  description: "",
  url: "",
  sortOrder: 1,
  isActive: 1 as const,
  createdAt: 0,
  updatedAt: 0,
});

it("inserts one row or several, the same kind again and again, each value in its column", async () => {
  const database = await open();
  const insert = insertsInto(database.writer, "channels");
  const rows = ["a", "b", "c", "d", "e", "f"].map((id) => channel(id));
  const [a = channel("a"), b = channel("b"), ...others] = rows;
  await database.commit(() => insert(a));
  await database.commit(() => insert(b));
  await database.commit(async () => {
    await insert(...others.slice(0, 2));
    await insert(...others.slice(2));
  });
  const stored = await database.read.selectFrom("channels").selectAll().orderBy("id").execute();
  expect(stored).toEqual(rows);
});

it("puts each value into its column, also when a row has them in another order or not all of them", async () => {
  const database = await open();
  const insert = insertsInto(database.writer, "channels");
  const [{ id, ...others }, { name, ...more }] = [channel("b"), channel("c")];
  await database.commit(() => insert(channel("a"), { ...others, id }));
  await database.commit(() => insert({ ...more, name }));
  const stored = await database.read.selectFrom("channels").selectAll().orderBy("id").execute();
  expect(stored).toEqual([channel("a"), channel("b"), channel("c")]);
  const insertLanguage = insertsInto(database.writer, "languages");
  const names = {
    code: "es",
    codeKey: "es",
    name: "Spanish",
    nativeName: "Español",
    direction: "ltr" as const,
  };
  const rest = { parentId: null, customDomain: null, legacyDownloadCount: 0, isActive: 1 as const };
  await database.commit(() => insertLanguage({ ...names, ...rest, createdAt: 0, updatedAt: 0 }));
  const languages = await database.read.selectFrom("languages").select(["id", "code"]).execute();
  expect(languages).toEqual([{ id: 1, code: "es" }]);
});

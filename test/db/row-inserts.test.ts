/** Inserts that are composed once for each kind of them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { addsTo, insertsInto } from "../../src/db/rows.ts";
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

describe("rows that return something", () => {
  /** Adds channels; `statements` has the number of rows of each statement. */
  async function adding() {
    const database = await open();
    const statements: number[] = [];
    const counted = database.writer.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        statements.push(result.rows.length);
        return result;
      },
    });
    const add = addsTo(counted, { table: "channels", end: sql<{ id: string }>`returning "id"` });
    const stored = async () => {
      const rows = await database.read.selectFrom("channels").selectAll().orderBy("id").execute();
      return rows.map(({ id }) => id);
    };
    return { database, add, statements, stored };
  }

  it("are inserted together for independent works, each of which gets its own", async () => {
    const { database, add, statements, stored } = await adding();
    const ids = Array.from({ length: 7 }, (_, index) => `c${index}`);
    const added = await Promise.all(ids.map((id) => database.commit(() => add(channel(id)), id)));
    expect(added).toEqual(ids.map((id) => ({ id })));
    expect(await stored()).toEqual(ids);
    expect(statements).toEqual([4, 2, 1]);
  });

  it("with other columns are inserted by statements of their own", async () => {
    const { database, add, statements } = await adding();
    const { updatedAt, ...rest } = channel("b");
    const rows = [channel("a"), { updatedAt, ...rest }, channel("c")];
    const added = await Promise.all(rows.map((row) => database.commit(() => add(row), row.id)));
    expect(added).toEqual([{ id: "a" }, { id: "b" }, { id: "c" }]);
    expect(statements).toEqual([1, 1, 1]);
  });

  it("fail for the work alone whose row can't be inserted", async () => {
    const { database, add, stored } = await adding();
    const works = ["a", "b", "c"].map((id) =>
      database.commit(() => add({ ...channel(id), slug: id === "b" ? null : id }), id),
    );
    const [a, b, c] = await Promise.allSettled(works);
    expect([a?.status, b?.status, c?.status]).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await stored()).toEqual(["a", "c"]);
  });

  it("aren't inserted with those of another work by what a failed one has left behind", async () => {
    const { database, add, stored } = await adding();
    const { promise: later, resolve: goOn } = Promise.withResolvers<void>();
    let leftover: Promise<unknown> | undefined;
    const failed = database.commit(async () => {
      leftover = later.then(() => add(channel("left")));
      leftover.catch(() => {});
      throw new Error("made to fail");
    });
    await expect(failed).rejects.toThrow("made to fail");
    await database.commit(async () => {
      goOn();
      return add(channel("own"));
    });
    await expect(leftover).rejects.toThrow("outside of a write");
    expect(await stored()).toEqual(["own"]);
  });
});

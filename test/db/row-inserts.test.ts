/** Rows of independent writes, which are inserted by shared statements. */
import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { createAdd } from "../../src/db/rows.ts";
import { openSqlite } from "../../src/db/sqlite/database.ts";
import { createTempFolder } from "../support/temp-folder.ts";

async function open() {
  const folder = createTempFolder();
  const database = await openSqlite(`${folder}/database.sqlite`, folder);
  onTestFinished(() => database.close());
  const add = createAdd(database.writer, { table: "channels", end: sql<{ id: string }>`returning "id"` });
  const channels = () =>
    database.read.selectFrom("channels").select(["id", "name", "slug"]).orderBy("id").execute();
  return { database, add, channels };
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
const shown = (id: string) => ({ id, name: `Name of ${id}`, slug: id });

it("returns its own row to each write, with values in any order of columns", async () => {
  const { database, add, channels } = await open();
  const ids = ["a", "b", "c", "d", "e", "f", "g"];
  const added = await Promise.all(
    ids.map((id, index) => {
      const { name, ...rest } = channel(id);
      const row = index % 3 === 1 ? { ...rest, name } : channel(id);
      return database.commit(() => add(row), id);
    }),
  );
  expect(added).toEqual(ids.map((id) => ({ id })));
  expect(await channels()).toEqual(ids.map(shown));
});

it("rejects only the write whose row can't be inserted", async () => {
  const { database, add, channels } = await open();
  const writes = ["a", "b", "c"].map((id) =>
    database.commit(() => add({ ...channel(id), slug: id === "b" ? null : id }), id),
  );
  const [a, b, c] = await Promise.allSettled(writes);
  expect([a?.status, b?.status, c?.status]).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await channels()).toEqual([shown("a"), shown("c")]);
});

it("inserts nothing together with rows of a later write that a failed one has left unfinished", async () => {
  const { database, add, channels } = await open();
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
  expect(await channels()).toEqual([shown("own")]);
});

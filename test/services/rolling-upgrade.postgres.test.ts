/** An instance keeps serving while a newer version changes the tables on which it has prepared its statements. */
import { sql } from "kysely";
import { expect, it } from "vitest";
import { routes } from "../../src/routes/index.ts";
import { createAccount } from "../support/accounts.ts";
import { startApp } from "../support/app.ts";
import type { Client } from "../support/client.ts";
import { callExample } from "../support/example-calls.ts";
import { migrateBy } from "../support/migrated-by.ts";
import { createOneOfEverything } from "../support/one-of-everything.ts";

/** One connection reads, which so has every statement prepared. */
const ONE_CONNECTION = { DATABASE_POOL_SIZE: "1" };

const ADDS_COLUMNS = `export async function up(db) {
  for (const { name } of await db.introspection.getTables())
    await db.schema.alterTable(name).addColumn("newer", "text").execute();
}`;
const CHANGES_TYPES = `export async function up(db) {
  for (const column of ["sortOrder", "updatedAt", "legacyDownloadCount"])
    await db.schema.alterTable("books").alterColumn(column, (to) => to.setDataType("numeric")).execute();
}`;

/** Those that change nothing for the other ones, and ask no one outside. */
const REPEATED = routes.filter(
  ({ method, path }) => method !== "delete" && !/logout|password|update-geoip|doctor\/runs/.test(path),
);

async function callAll(client: Client, ids: Readonly<Record<string, string | number>>): Promise<string[]> {
  const statuses: string[] = [];
  for (const route of REPEATED) {
    const { status } = await callExample(client, route, ids);
    statuses.push(`${route.method} ${route.path} ${status}`);
  }
  return statuses;
}

it("responds as before to everything after a column was added to each table", async () => {
  const app = await startApp(ONE_CONNECTION);
  const ids = await createOneOfEverything(app);
  const { client } = await createAccount(app);
  await callAll(client, ids);
  const before = await callAll(client, ids);
  expect(before.filter((each) => / 5..$/.test(each))).toEqual([]);
  await migrateBy({ "9999-columns": ADDS_COLUMNS }, app.dataDir);
  expect(await callAll(client, ids)).toEqual(before);
});

it("prepares statements again whose results were changed: of reads at once, of writes at the latest after one 503", async () => {
  const app = await startApp(ONE_CONNECTION);
  const book = await app.make.book("Well");
  const { client } = await createAccount(app);
  const path = `/api/admin/books/${book.id}`;
  const change = () => client.put(path, { titleEn: "Deep well" });
  expect((await change()).status).toBe(200);
  expect((await client.get(path)).status).toBe(200);
  await migrateBy({ "9999-types": CHANGES_TYPES }, app.dataDir);
  expect((await client.get(path)).status).toBe(200);
  const { status, headers } = await change();
  expect([200, 503]).toContain(status);
  if (status === 503) expect(headers["retry-after"]).toBe("5");
  expect((await change()).status).toBe(200);
  expect(JSON.stringify((await client.get(path)).body)).toContain("Deep well");
});

it("an instance repeats no statement of a transaction on another connection", async () => {
  const { container } = await startApp(ONE_CONNECTION);
  const { database } = container;
  // By name: the service itself keeps only the first 500 statements of a process prepared.
  await sql`prepare all_books as select * from books`.execute(database.report);
  const changed = database.report.transaction().execute(async (db) => {
    await database.commit(() => sql`alter table books add column newer text`.execute(database.writer));
    await sql`execute all_books`.execute(db);
  });
  await expect(changed).rejects.toMatchObject({ code: "0A000" });
  expect(await sql`select * from books`.execute(database.report)).toMatchObject({ rows: [] });
});

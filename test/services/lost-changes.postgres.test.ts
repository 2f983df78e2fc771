/** A database that goes back below running instances: nothing is shown that it doesn't have. */
import type pg from "pg";
import { describe, expect, it } from "vitest";
import { onServer } from "../../tools/lib/postgres-process.ts";
import type { TestApp } from "../support/app.ts";
import { startInstances } from "../support/instances.ts";
import { linkTo } from "../support/reader.ts";

const LOST = "the database isn't the one that was read before";

function onDatabase<T>({ container }: TestApp, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const { source } = container.database;
  if (source.kind !== "postgres") throw new Error("There is no server");
  return onServer(source.url, work);
}

async function listTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query("select tablename from pg_tables where schemaname = 'public'");
  return rows.map(({ tablename }) => `"${tablename}"`);
}

const SEQUENCES = `select format('select setval(%L, %s, %L)', schemaname || '."' || sequencename || '"',
  coalesce(last_value, 1), last_value is not null) as set from pg_sequences where schemaname = 'public'`;

/** @returns what brings back all rows as they are now, and continues with the same numbers */
async function saveRows(app: TestApp) {
  const settings = await onDatabase(app, async (client) => {
    await client.query("create schema saved");
    for (const table of await listTables(client))
      await client.query(`create table saved.${table} as table public.${table}`);
    return (await client.query(SEQUENCES)).rows.map(({ set }) => String(set));
  });
  return (then: (client: pg.Client) => Promise<unknown>) =>
    onDatabase(app, async (client) => {
      await client.query("begin; set local session_replication_role = replica");
      for (const table of await listTables(client))
        await client.query(`delete from ${table}; insert into ${table} select * from saved.${table}`);
      for (const setting of settings) await client.query(setting);
      await then(client);
      await client.query("commit");
    });
}

/** What brings the rows back does besides. */
const WAYS: [string, (client: pg.Client) => Promise<unknown>][] = [
  [
    "a fail-over, after which the epoch is another one",
    (c) => c.query("update installation set epoch = 'other'"),
  ],
  ["a restore of the rows alone", async () => {}],
  [
    "a dump that makes all tables again",
    (c) =>
      c.query(`create table again (like installation including all); insert into again select * from installation;
        drop table installation; alter table again rename to installation`),
  ],
];

async function newScene() {
  const instances = await startInstances();
  const [one] = instances;
  const admin = await one.admin();
  const { book } = await one.make.published("Kept before", "en");
  const rename = async (titleEn: string) =>
    expect((await admin.patch(`/api/admin/books/${book.id}`, { titleEn })).status).toBe(200);
  const submit = () => linkTo(one.api, { slug: book.slug, languageCode: "en" });
  const admins = await Promise.all(instances.map((app) => app.admin()));
  /** At each instance. */
  const read = () =>
    Promise.all(
      instances.map(async ({ api, clock }, index) => {
        // As the check of each second does.
        clock.advance(1000);
        await api.get("/api/health/ready");
        const { body: list } = await api.get("/api/books?languageCode=en");
        const { body: details } = await api.get(`/api/books/${book.slug}`);
        const report = await admins[index]?.get("/api/admin/analytics/summary");
        const found = await admins[index]?.get("/api/admin/analytics/downloads?search=new");
        return {
          list: list.books[0]?.title,
          details: details.title,
          downloads: report?.body.totals.downloads,
          found: found?.body.pagination.total,
        };
      }),
    );
  return { instances, one, rename, submit, read };
}

const twice = <T>(value: T): T[] => [value, value];

describe.each(WAYS)("after %s", (_, way) => {
  it("lists, books, reports and searches are those of the database, also when its numbers are used again", async () => {
    const { instances, one, rename, submit, read } = await newScene();
    await submit();
    const restore = await saveRows(one);
    for (const title of ["Lost 1", "Lost 2", "Lost 3"]) await rename(title);
    for (let count = 0; count < 3; count += 1) await submit();
    expect(await read()).toEqual(twice({ list: "Lost 3", details: "Lost 3", downloads: 4, found: 0 }));

    await restore(way);
    expect(await read()).toEqual(
      twice({ list: "Kept before", details: "Kept before", downloads: 1, found: 0 }),
    );
    for (const title of ["New 1", "New 2", "New 3"]) {
      await rename(title);
      await submit();
      expect(await read()).toEqual(
        twice({
          list: title,
          details: title,
          downloads: 1 + Number(title.at(-1)),
          found: Number(title.at(-1)),
        }),
      );
    }
    for (const { logged } of instances)
      expect(logged.filter(({ msg }) => String(msg).startsWith(LOST))).toHaveLength(1);
  });
});

describe("the epoch", () => {
  const read = (app: TestApp) =>
    onDatabase(app, async (client) => (await client.query("select * from installation")).rows[0]);

  it.each([
    ["another server", "update installation set \"systemIdentifier\" = '1'"],
    ["a timeline that has ended", "update installation set timeline = '00000000'"],
  ])(
    "is renewed by the first write of a connection that finds that of %s, in its transaction",
    async (_, sql) => {
      const { one, rename } = await newScene();
      const before = await read(one);
      await rename("On the same connection");
      expect(await read(one)).toEqual(before);
      await onDatabase(one, async (client) => {
        await client.query(sql);
        await client.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'bookdist' and datname = current_database()",
        );
      });
      await expect
        .poll(() =>
          rename("New").then(
            () => true,
            () => false,
          ),
        )
        .toBe(true);
      const after = await read(one);
      expect(after).toEqual({ ...before, epoch: expect.not.stringMatching(before.epoch) });
      await rename("Newer");
      expect(await read(one)).toEqual(after);
    },
  );
});

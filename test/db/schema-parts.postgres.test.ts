/** Indexes and constraints of a PostgreSQL database that are missing are named, and made again. */
import type pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { createPool, endPool, executeOn } from "../../src/db/postgres/connection.ts";
import { repairPostgres } from "../../src/db/postgres/repair.ts";
import { findMissingInPostgres, readPostgresParts } from "../../src/db/postgres/schema-parts.ts";
import {
  describeMissing,
  describePart,
  readExpectedParts,
  type SchemaPart,
  sortParts,
} from "../../src/db/schema-parts.ts";
import { startApp } from "../support/app.ts";
import { createDatabaseSettings } from "../support/test-database.ts";

async function scene() {
  const app = await startApp();
  const { DATABASE_URL: url = "" } = await createDatabaseSettings(app.dataDir);
  const options = { url, size: 1, connectTimeoutMs: 5000, statementTimeoutMs: 60_000 };
  const pool = createPool(options);
  onTestFinished(() => endPool(pool));
  const run = (...statements: string[]) => runAll(pool, statements);
  const missing = async () => (await findMissingInPostgres(pool)).map(describeMissing);
  return { app, pool, run, missing, repair: () => repairPostgres(options) };
}

async function runAll(pool: pg.Pool, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await executeOn(pool, statement);
}

const byDefinition = (parts: readonly SchemaPart[]) =>
  sortParts(parts).map(({ kind, table, name, meaning }) => ({ kind, table, name, meaning }));

it("the migrations make what src/db/postgres/schema-parts.json has: otherwise run npm run schema-parts", async () => {
  const { pool } = await scene();
  expect(byDefinition(await readPostgresParts(pool))).toEqual(readExpectedParts("postgres"));
});

it("each index and constraint that is missing is named, and made again as it was", async () => {
  const { pool, run, missing, repair } = await scene();
  const parts = readExpectedParts("postgres").filter(({ kind }) => kind !== "table");
  const constraints = await executeOn(pool, "select conname from pg_constraint where contype <> 'n'");
  const names = new Set(constraints.rows.map(({ conname }) => conname));
  for (const part of parts) {
    const { table, name } = part;
    const drop = names.has(name)
      ? `alter table "${table}" drop constraint "${name}" cascade`
      : `drop index "${name}"`;
    await run(drop);
    expect(await missing(), drop).toContainEqual(
      expect.stringContaining(`lacks the ${describePart(part)}. Make it again: `),
    );
    const repairs = await repair();
    expect(
      repairs.filter(({ reason }) => reason !== undefined),
      drop,
    ).toEqual([]);
    expect(await missing(), drop).toEqual([]);
  }
  expect(byDefinition(await readPostgresParts(pool))).toEqual(readExpectedParts("postgres"));
});

it("an index of which the creation has failed is missing, and is built again", async () => {
  const { run, missing, repair } = await scene();
  await run(
    "update pg_index set indisvalid = false where indexrelid in ('contacts_email_key'::regclass, 'books_order'::regclass)",
  );
  expect(await missing()).toEqual([
    'The database lacks the unique index contacts_email_key on contacts. Make it again: reindex index concurrently "contacts_email_key"',
    'The database lacks the index books_order on books. Make it again: reindex index concurrently "books_order"',
  ]);
  expect(await repair()).toMatchObject([{ reason: undefined }, { reason: undefined }]);
  expect(await missing()).toEqual([]);
});

it("a constraint under another name, an operator's index and a foreign key that isn't validated are no findings", async () => {
  const { run, missing } = await scene();
  await run(
    'alter table contacts rename constraint "contacts_email_key" to "mine"',
    'create index extra on books ("titleEn")',
    'alter table sessions drop constraint "sessions_userId_fkey"',
    'alter table sessions add constraint other foreign key ("userId") references users (id) on delete cascade not valid',
  );
  expect(await missing()).toEqual([]);
});

it("rows that prevent a unique index, or refer to missing rows, are named and stay", async () => {
  const { pool, run, missing, repair } = await scene();
  const contact = (id: number) =>
    `insert into contacts (id, "publicId", email, "firstName", "lastName", phone, country, "searchText", "countryText", "firstDownloadAt", "lastDownloadAt", "totalDownloads")
       overriding system value values (${id}, 'p${id}', 'sara@example.org', '', '', '', '', '', '', 0, 0, 1)`;
  await run(
    'alter table contacts drop constraint "contacts_email_key"',
    contact(1),
    contact(2),
    "alter sequence contacts_id_seq restart 3",
    'alter table sessions drop constraint "sessions_userId_fkey"',
    `insert into sessions (id, "userId", "createdAt", "expiresAt", "lastSeenAt", "userAgent") values ('s', 'gone', 0, 0, 0, '')`,
  );
  expect(await repair()).toEqual([
    {
      part: "unique index contacts_email_key on contacts",
      reason:
        'rows of contacts have the same values: email "sara@example.org" (2 rows, ids 1, 2). Change or delete all but one of each, then repeat',
    },
    {
      part: "foreign key sessions_userId_fkey on sessions",
      reason:
        'rows of sessions refer by userId to missing rows of users: "gone". Change or delete them, then repeat',
    },
  ]);
  expect((await executeOn(pool, "select id from contacts")).rows).toHaveLength(2);
  await run("delete from contacts where id = 2", "delete from sessions");
  expect(await repair()).toMatchObject([{ reason: undefined }, { reason: undefined }]);
  expect(await missing()).toEqual([]);
});

it("the doctor and the form of a reader: a dropped unique index is an error, until it is repaired", async () => {
  const { app, run, repair } = await scene();
  await app.make.published("The Well", "en", "content");
  const submit = () =>
    app.api.post("/api/download/submit", {
      slug: "the-well",
      languageCode: "en",
      contact: { email: "sara@example.org", firstName: "Sara" },
    });
  const admin = await app.admin();
  await run('alter table contacts drop constraint "contacts_email_key"');
  expect((await submit()).status).toBe(503);
  const { body } = await admin.get("/api/admin/doctor");
  expect(body.isHealthy).toBe(false);
  expect(body.findings).toContainEqual(
    expect.objectContaining({
      check: "missing_constraint",
      severity: "error",
      object: { kind: "database", id: "contacts_email_key", name: "contacts" },
    }),
  );
  await repair();
  expect((await submit()).status).toBe(200);
  expect((await admin.get("/api/admin/doctor")).body.isHealthy).toBe(true);
});

// As after the promotion of a logical replica.
it("sequences that are behind their rows are named, and set", async () => {
  const { app, run, missing, repair } = await scene();
  await app.make.language("es");
  await app.make.language("fr");
  await run("alter sequence languages_id_seq restart 1");
  expect(await missing()).toEqual([
    "The sequence languages_id_seq on languages gives numbers that rows have already. Set it: select setval('public.languages_id_seq', 2)",
  ]);
  expect(await repair()).toEqual([{ part: "sequence languages_id_seq on languages", reason: undefined }]);
  expect(await missing()).toEqual([]);
  await app.make.language("de");
  expect(await missing()).toEqual([]);
});

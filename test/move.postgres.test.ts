/** Moving the rows of a data folder to PostgreSQL and back. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { readConfig } from "../src/config.ts";
import type { Database } from "../src/db/database.ts";
import { MOVED_TABLES } from "../src/db/moved-tables.ts";
import { openAnyDatabase, openDatabase, openExisting } from "../src/db/open-database.ts";
import { SECRET_FILE } from "../src/lib/data-dir-names.ts";
import { moveData } from "../src/operation/move/commands.ts";
import type { Progress } from "../src/operation/progress.ts";
import { onServer } from "../tools/lib/postgres-process.ts";
import { startApp } from "./support/app.ts";
import { RECIPE_SETTINGS } from "./support/change-recipes.ts";
import type { Client } from "./support/client.ts";
import { createPicture } from "./support/covers.ts";
import { contact } from "./support/factory.ts";
import { createOneOfEverything } from "./support/one-of-everything.ts";
import { runCli } from "./support/run-cli.ts";
import { hashBytes } from "./support/stored-files.ts";
import { createTempFolder } from "./support/temp-folder.ts";
import { createDatabaseSettings } from "./support/test-database.ts";

const configOf = (settings: Record<string, string>) => readConfig(settings);

/** A data folder with rows in every table. */
async function filled() {
  const dataDir = createTempFolder();
  // An empty setting counts as none: SQLite.
  const app = await startApp({ DATABASE_URL: "", ...RECIPE_SETTINGS }, { dataDir });
  const { make, api, container } = app;
  const { languageId, bookId, fileId, channelId, languageCode } = await createOneOfEverything(app);
  await make.publish(bookId, channelId, languageId);
  const admin = await app.admin();
  await replaceAndDelete(admin, bookId, fileId);
  await fillLibrary(admin, { channelId, languageCode });
  const files = [{ path: "es/book.txt", sha256: hashBytes(Buffer.from("none")) }];
  expect((await admin.post("/api/admin/imports", { files })).status).toBe(201);
  const child = await make.language("es-MX", { parentId: languageId });
  const parent = await make.language("qaa");
  // Its parent has a higher id than itself.
  const late = await admin.put(`/api/admin/languages/${child.id}`, { parentId: parent.id });
  expect(late.status).toBe(200);
  await make.override(child.id, bookId, false);
  // Their former addresses lead to the new ones.
  const renamed = [
    await admin.patch(`/api/admin/books/${bookId}`, { slug: "another-slug" }),
    await admin.patch(`/api/admin/languages/${parent.id}`, { code: "qax" }),
  ];
  expect(renamed.map(({ status }) => status)).toEqual([200, 200]);
  const consent = { marketing: true, textVersion: "1" };
  const { body } = await api.post("/api/download/submit-all", { languageCode, contact, consent });
  expect((await api.get(body.downloadUrl)).status).toBe(200);
  await container.writeRecords(({ installation }) => installation.update({ lastHour: app.clock.now() }));
  // What waits is held at the target.
  const given = { url: "http://127.0.0.1:9/hook", events: ["webhook.test"] };
  const { body: webhook } = await admin.post("/api/admin/webhooks", given);
  expect((await admin.post(`/api/admin/webhooks/${webhook.id}/test`)).status).toBe(202);
  await container.outbox.settle();
  await container.writeRecords(async ({ letters, outbox }) => {
    const at = app.clock.now();
    await letters.add({
      kind: "letter.download",
      at,
      recipient: "hash of an address",
      sender: null,
      maxWaiting: 1,
    });
    await outbox.hold();
    await outbox.countDropped(1, app.clock.now());
  });
  const { email } = await make.user("viewer");
  const now = app.clock.now();
  await container.writeRecords(async ({ passwordLinks }) => {
    const link = { id: container.newId(), now, expiresAt: now + 1, max: 1, since: now - 1 };
    await passwordLinks.addForEmail(email, link);
    await passwordLinks.countRequest(now);
  });
  // A number that was given and isn't there any more is never given again.
  const gone = await make.language("qab");
  expect((await admin.delete(`/api/admin/languages/${gone.id}`)).status).toBe(200);
  return { app, dataDir, folder: configOf({ DATA_DIR: dataDir }) };
}

async function fillLibrary(admin: Client, named: { channelId: string; languageCode: string }): Promise<void> {
  const path = "/api/admin/library";
  const file = { bytes: await createPicture("blue"), name: "logo.jpg" };
  const texts = { name: "Biblioteca", consent: "¿Noticias?", consentVersion: "1" };
  const sent = [
    await admin.put(path, { name: "Library", channelId: named.channelId }),
    await admin.put(`${path}/texts/${named.languageCode}`, texts),
    await admin.upload("put", `${path}/logo`, { file }),
  ];
  expect(sent.map(({ status }) => status)).toEqual([200, 200, 200]);
}

/** Bytes that can come back, and those that go in an hour. */
async function replaceAndDelete(admin: Client, bookId: string, fileId: string): Promise<void> {
  const path = `/api/admin/books/${bookId}/files`;
  const send = (method: "post" | "put", to: string, text: string, fields = {}) =>
    admin.upload(method, to, { fields, file: { bytes: Buffer.from(text), name: "a.txt" } });
  expect((await send("put", `${path}/${fileId}`, "another text")).status).toBe(200);
  const html = { languageCode: "es", fileType: "html" };
  const { body } = await send("post", path, "<p>A page</p>", html);
  expect((await admin.delete(`${path}/${body.id}`)).status).toBe(200);
}

/** A database that nothing has used. */
async function emptyServer(dataDir: string) {
  const { DATABASE_URL = "", AUTH_SECRET = "" } = await createDatabaseSettings(createTempFolder());
  return configOf({ DATA_DIR: dataDir, DATABASE_URL, AUTH_SECRET });
}

async function opened(config: ReturnType<typeof configOf>): Promise<Database> {
  const database = await openAnyDatabase(config);
  onTestFinished(() => database.close());
  return database;
}

async function rowsOf({ read }: Database) {
  const rows: Record<string, unknown[]> = {};
  for (const table of MOVED_TABLES) {
    const found = await sql<object>`select * from ${sql.table(table)}`.execute(read);
    rows[table] = found.rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();
  }
  return rows;
}

/** Fails when the operation reaches a step. */
const failingAt = (step: string): Progress => ({
  begin(doing) {
    if (doing === step) throw new Error("interrupted");
  },
  end() {},
});

it("copies every row to PostgreSQL and back, with the sequences of ids", async () => {
  const { app, dataDir, folder } = await filled();
  const rows = await rowsOf(app.container.database);
  expect(Object.entries(rows).filter(([, found]) => found.length === 0)).toEqual([]);
  const server = await emptyServer(dataDir);
  const { tables: there = [] } = await moveData({ from: folder, to: server });
  expect(there.map(({ rows: count }) => count)).toEqual(Object.values(rows).map(({ length }) => length));
  expect(await rowsOf(await opened(server))).toEqual(rows);

  const other = configOf({ DATA_DIR: join(createTempFolder(), "data") });
  const from = { ...server, dataDir: other.dataDir };
  expect(await moveData({ from, to: other })).toEqual({ tables: there, files: undefined });
  const back = await opened(other);
  expect(await rowsOf(back)).toEqual(rows);
  // A sequence that is no integer would still be equal here.
  const sequences = sql`select name, seq, typeof(seq) as type from sqlite_sequence order by name`;
  const [one, another] = [
    await sequences.execute(app.container.database.read),
    await sequences.execute(back.read),
  ];
  expect(another.rows).toEqual(one.rows);

  const onServer = await startApp(
    { DATABASE_URL: server.postgres?.url ?? "" },
    { dataDir: createTempFolder() },
  );
  const before = await sql<{ seq: number }>`select seq from sqlite_sequence where name = 'languages'`.execute(
    back.read,
  );
  expect((await onServer.make.language("qac")).id).toBe((before.rows[0]?.seq ?? 0) + 1);
});

it("continues after an interruption, before which no server starts", async () => {
  const { app, dataDir, folder } = await filled();
  const server = await emptyServer(dataDir);
  await expect(moveData({ from: folder, to: server, progress: failingAt("Comparing rows") })).rejects.toThrow(
    "interrupted",
  );
  await expect(openDatabase(server, () => {})).rejects.toThrow(/^A move into this database/);
  // As if it had been interrupted earlier: tables are filled in order.
  const target = await openAnyDatabase(server);
  await target.commit(async () => {
    for (const table of MOVED_TABLES.slice(MOVED_TABLES.indexOf("contacts")).reverse()) {
      await sql`delete from ${sql.table(table)}`.execute(target.writer);
    }
  });
  await target.close();
  await moveData({ from: folder, to: server });
  expect(await rowsOf(await opened(server))).toEqual(await rowsOf(app.container.database));
  await (await openDatabase(server, () => {})).close();
});

it("leaves tables at PostgreSQL of which lists read only the indexes, with statistics", async () => {
  const { dataDir, folder } = await filled();
  const server = await emptyServer(dataDir);
  await moveData({ from: folder, to: server });
  const { read } = await opened(server);
  const { rows } = await sql<{ name: string; isVacuumed: boolean; isAnalyzed: boolean }>`
    select relname as name, relallvisible = relpages as "isVacuumed", reltuples > 0 as "isAnalyzed" from pg_class
      where relnamespace = current_schema()::regnamespace and relkind = 'r'
  `.execute(read);
  const moved = rows.filter(({ name }) => MOVED_TABLES.some((table) => table === name));
  expect(moved.filter(({ isVacuumed, isAnalyzed }) => !isVacuumed || !isAnalyzed)).toEqual([]);
  expect(moved.length).toBe(MOVED_TABLES.length);
});

it("succeeds with a warning if the tables can't be vacuumed", async () => {
  const { app, dataDir } = await filled();
  const server = await emptyServer(dataDir);
  const url = server.postgres?.url ?? "";
  const { code, out, errors } = await onServer(url, async (other) => {
    // As another vacuum does.
    await other.query("begin; lock table users in share update exclusive mode");
    return runCli({ args: ["move", "--to-database", url], variables: { DATA_DIR: dataDir } });
  });
  expect(out).toMatch(/^Moved and compared \d+ rows\.\nThe source is unchanged\./m);
  expect({ code, errors }).toEqual({
    code: 0,
    errors:
      "The tables of the target could not be vacuumed (canceling statement due to lock timeout). Until the server does it, lists are slow: run VACUUM (ANALYZE) in that database.\n",
  });
  expect(await rowsOf(await opened(server))).toEqual(await rowsOf(app.container.database));
  await (await openDatabase(server, () => {})).close();
});

it("keeps the snapshot of its source while the target is read for longer than requests may pause", async () => {
  const server = await emptyServer(createTempFolder());
  await (await openAnyDatabase(server)).close();
  const source = await openExisting(server);
  onTestFinished(() => source[Symbol.asyncDispose]());
  await source.hold();
  const { rows } = await sql`show idle_in_transaction_session_timeout`.execute(source.db);
  expect(rows).toEqual([{ idle_in_transaction_session_timeout: "1h" }]);
});

it("rejects a target with other data, another move, and a source that has changed", async () => {
  const { app, dataDir, folder } = await filled();
  const server = await emptyServer(dataDir);
  const progress = failingAt("Comparing rows");
  await expect(moveData({ from: folder, to: server, progress })).rejects.toThrow("interrupted");
  const other = await filled();
  await expect(moveData({ from: other.folder, to: server })).rejects.toThrow(/interrupted move from/);
  const [book] = await app.container.database.read.selectFrom("books").select("id").execute();
  const admin = await app.admin();
  const changed = await admin.put(`/api/admin/books/${book?.id}`, { titleEn: "Changed" });
  expect(changed.status).toBe(200);
  await expect(moveData({ from: folder, to: server })).rejects.toThrow(/^The rows of .+ differ/);

  const used = await emptyServer(dataDir);
  await moveData({ from: folder, to: used });
  const url = used.postgres?.url ?? "";
  const variables = { DATA_DIR: dataDir, AUTH_SECRET: "Vh4x0pQ2s9LmT7cYzR1bN6wKdE8jUgAf" };
  expect(await runCli({ args: ["move", "--to-database", url], variables })).toEqual({
    code: 78,
    out: "",
    errors: "The target isn't empty: its table users has rows. Use an empty database.\n",
  });
});

it("makes the secret that the next step names where the folder has none, as after a restore", async () => {
  const { dataDir } = await filled();
  const secret = join(dataDir, SECRET_FILE);
  rmSync(secret, { force: true });
  const { DATABASE_URL = "" } = await createDatabaseSettings(createTempFolder());
  const moved = await runCli({
    args: ["move", "--to-database", DATABASE_URL],
    variables: { DATA_DIR: dataDir },
  });
  expect(moved).toMatchObject({
    code: 0,
    out: expect.stringContaining(`AUTH_SECRET to the content of ${secret}`),
  });
  expect(readFileSync(secret, "utf8").trim()).toMatch(/^\S{32,}$/);
});

it.each([[[]], [["--to-database", "postgres://h/a", "--from-database", "postgres://h/a"]]])(
  "requires one direction: %j",
  async (args) => {
    const { code, errors } = await runCli({
      args: ["move", ...args],
      variables: { DATA_DIR: createTempFolder() },
    });
    expect({ code, errors }).toEqual({
      code: 64,
      errors:
        "Name the servers: either --to-database and --to-storage, or --from-database and --from-storage.\n",
    });
  },
);

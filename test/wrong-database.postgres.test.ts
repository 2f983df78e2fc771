/** A server of the database that isn't the one of the data folder. */
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, it } from "vitest";
import { readConfig } from "../src/config.ts";
import { moveData } from "../src/operation/move/commands.ts";
import { onServer, withDatabase } from "../tools/lib/postgres-process.ts";
import { startApp } from "./support/app.ts";
import { TEST_DATABASE } from "./support/postgres-server.ts";
import { runCli } from "./support/run-cli.ts";
import { startAndEnd } from "./support/start-and-end.ts";
import { createTempFolder } from "./support/temp-folder.ts";
import { createDatabaseSettings } from "./support/test-database.ts";

const HERE = { DATABASE_URL: "", STORAGE_URL: "" };

/** A data folder with a book of one file on SQLite, whose service has ended. */
async function onSqlite() {
  const dataDir = createTempFolder();
  const app = await startApp(HERE, { dataDir });
  await app.make.published("The Well", "en", "the well");
  const files = await Array.fromAsync(app.container.store.list());
  await app.container.close();
  return { dataDir, files };
}

const idBeside = (dataDir: string) => readFileSync(join(dataDir, "files", "service-id"), "utf8");

it("an empty database beside a data folder with books is rejected before anything is written", async () => {
  const { dataDir } = await onSqlite();
  const url = inject("postgres")?.url ?? "";
  const name = `${TEST_DATABASE}${process.pid}_forgotten`;
  await onServer(url, (client) =>
    client.query(`create database ${name} template template0 encoding 'UTF8' locale 'C'`),
  );
  const { AUTH_SECRET = "" } = await createDatabaseSettings(createTempFolder());
  const settings = { DATA_DIR: dataDir, DATABASE_URL: withDatabase(url, name), AUTH_SECRET };
  await expect(startAndEnd(settings)).rejects.toThrow("was bookdist move forgotten?");
  const tables = await onServer(settings.DATABASE_URL, (client) =>
    client.query("select relname from pg_class where relnamespace = current_schema()::regnamespace"),
  );
  expect(tables.rows).toEqual([]);
  expect(existsSync(join(dataDir, "last-server"))).toBe(false);
  await onServer(url, (client) => client.query(`drop database ${name}`));
});

it("an empty database beside the files only changes nothing", async () => {
  const { dataDir, files } = await onSqlite();
  const id = idBeside(dataDir);
  const { DATABASE_URL = "", AUTH_SECRET = "" } = await createDatabaseSettings(createTempFolder());
  const settings = { DATA_DIR: dataDir, DATABASE_URL, AUTH_SECRET };
  renameSync(join(dataDir, "database.sqlite"), join(createTempFolder(), "database.sqlite"));
  await expect(startAndEnd(settings)).rejects.toThrow(/^The files may belong to another database/);
  expect(idBeside(dataDir)).toBe(id);
  expect(files).toHaveLength(1);
});

it("a move gives its target a new id; without the server, the folder is rejected until it is adopted", async () => {
  const { dataDir, files } = await onSqlite();
  const id = idBeside(dataDir);
  const { DATABASE_URL = "", AUTH_SECRET = "" } = await createDatabaseSettings(createTempFolder());
  const settings = { DATA_DIR: dataDir, DATABASE_URL, AUTH_SECRET };
  await moveData({ from: readConfig({ DATA_DIR: dataDir }), to: readConfig(settings) });
  expect(idBeside(dataDir)).not.toBe(id);
  expect((await startAndEnd(settings)).files).toEqual(files);
  const admin = { args: ["create-admin", "a@example.org"], input: "correct horse battery\n" };
  const refused = await runCli({ ...admin, variables: { DATA_DIR: dataDir } });
  expect([refused.code, refused.errors]).toEqual([78, expect.stringContaining("move --from-database")]);
  await runCli({ args: ["adopt-files", "--yes"], variables: { DATA_DIR: dataDir } });
  expect((await startAndEnd({ DATA_DIR: dataDir })).files).toEqual(files);
  // The server's side isn't the one of the files any more.
  await expect(startAndEnd(settings)).rejects.toThrow(/^The files may belong to another database/);
});

it("a move back makes the folder usable with SQLite again", async () => {
  const { dataDir, files } = await onSqlite();
  const { DATABASE_URL = "", AUTH_SECRET = "" } = await createDatabaseSettings(createTempFolder());
  const settings = { DATA_DIR: dataDir, DATABASE_URL, AUTH_SECRET };
  const folder = readConfig({ DATA_DIR: dataDir });
  await moveData({ from: folder, to: readConfig(settings) });
  await startAndEnd(settings);
  rmSync(join(dataDir, "database.sqlite"));
  await moveData({ from: readConfig(settings), to: folder });
  expect(existsSync(join(dataDir, "last-server"))).toBe(false);
  expect((await startAndEnd({ DATA_DIR: dataDir })).files).toEqual(files);
});

it("bookdist move names the secret that is used", async () => {
  const { dataDir } = await onSqlite();
  const { DATABASE_URL = "", AUTH_SECRET = "" } = await createDatabaseSettings(createTempFolder());
  const moved = await runCli({
    args: ["move", "--to-database", DATABASE_URL],
    variables: { DATA_DIR: dataDir, AUTH_SECRET },
  });
  expect(moved.out).toContain("set DATABASE_URL, and keep AUTH_SECRET as it is.");
  expect(moved.out).not.toContain("auth-secret");
});

it("bookdist move requires no secret, and names the one of the data folder", async () => {
  const { dataDir } = await onSqlite();
  const { DATABASE_URL = "" } = await createDatabaseSettings(createTempFolder());
  const secret = join(dataDir, "auth-secret");
  // As after a restore, before the first start.
  rmSync(secret, { force: true });
  const variables = { DATA_DIR: dataDir };
  const moved = await runCli({ args: ["move", "--to-database", DATABASE_URL], variables });
  expect(moved).toMatchObject({ code: 0, errors: "" });
  expect(moved.out).toContain(
    `Before the next start, set DATABASE_URL, and AUTH_SECRET to the content of ${secret}: `,
  );
  const AUTH_SECRET = readFileSync(secret, "utf8").trim();
  await startAndEnd({ ...variables, DATABASE_URL, AUTH_SECRET });

  const back = { DATA_DIR: join(createTempFolder(), "data") };
  const returned = await runCli({ args: ["move", "--from-database", DATABASE_URL], variables: back });
  expect(returned).toMatchObject({ code: 0, errors: "" });
  expect(returned.out).toMatch(/remove DATABASE_URL, and keep AUTH_SECRET as it is\.\n$/);
});

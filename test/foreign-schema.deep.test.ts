/** Triggers and views that somebody else has put into a database never run. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { FORMER_TABLES, readOwnSchema } from "../src/db/soundness.ts";
import { openReader, openWriter } from "../src/db/sqlite/connection.ts";
import { openSqlite } from "../src/db/sqlite/database.ts";
import { findForeignSchema } from "../src/db/sqlite/examine.ts";
import { migrate } from "../src/db/sqlite/migrator.ts";
import { OperatorError } from "../src/errors.ts";
import { BackupFolder } from "../src/operation/backup/backup-folder.ts";
import { makeBackup, restoreBackup } from "../src/operation/backup/commands.ts";
import { createFilledFolder } from "./support/backups.ts";
import { runCli } from "./support/run-cli.ts";
import { ServiceProcess } from "./support/service-process.ts";
import { createTempFolder } from "./support/temp-folder.ts";

const TRIGGER = "create trigger sneak after insert on sessions begin delete from audit_log; end";
const VIEW = "create view everybody as select email from users";
const HARMLESS =
  "create table _litestream_seq (id integer primary key); create index more on books (titleEn); analyze";

const change = (file: string, sql: string): void => {
  const database = openWriter(file);
  database.exec(sql);
  database.close();
};

describe("a database with triggers or views", () => {
  it("isn't opened: the start and commands report them in one line, 78", async () => {
    const dataDir = await createFilledFolder(1);
    change(join(dataDir, "database.sqlite"), `${TRIGGER}; ${VIEW}`);
    const input = "correct horse battery\n";
    const ended = await runCli({
      args: ["create-admin", "a@b.org"],
      input,
      variables: { DATA_DIR: dataDir },
    });
    expect(ended).toMatchObject({ code: 78, out: "" });
    expect(ended.errors).toMatch(
      /^The database .*database\.sqlite has triggers or views .*: view everybody, trigger sneak on sessions\. .*drop view "everybody"; drop trigger "sneak".*\n$/,
    );
  });

  it("isn't backed up, and a tampered backup isn't restored", async () => {
    const dataDir = await createFilledFolder(1);
    const out = join(createTempFolder(), "backups");
    const { path, manifest } = await makeBackup({ dataDir, out });
    const folder = new BackupFolder({ path, newId: () => "id" });
    change(folder.database, TRIGGER);
    change(folder.database, "pragma journal_mode = delete");
    for (const ending of ["-wal", "-shm"]) rmSync(`${folder.database}${ending}`, { force: true });
    rmSync(join(path, "manifest.json"));
    await folder.seal({ ...manifest, database: await folder.computeChecksum("database.sqlite") });
    const restored = restoreBackup(join(createTempFolder(), "data"), path);
    await expect(restored).rejects.toThrow(OperatorError);
    await expect(restored).rejects.toThrow("The database of the backup has triggers or views");

    change(join(dataDir, "database.sqlite"), TRIGGER);
    await expect(makeBackup({ dataDir, out })).rejects.toThrow("trigger sneak on sessions");
  });
});

describe("foreign tables and indexes", () => {
  it("don't prevent a start", async () => {
    const dataDir = await createFilledFolder(1);
    change(join(dataDir, "database.sqlite"), HARMLESS);
    const out = join(createTempFolder(), "backups");
    const { path } = await makeBackup({ dataDir, out });
    expect((await restoreBackup(join(createTempFolder(), "data"), path)).manifest.files.count).toBe(1);
    const database = await openSqlite(join(dataDir, "database.sqlite"), join(dataDir, "backups"));
    await database.close();
  });

  const NAMED =
    /^The (restored )?database has tables or indexes that this service did not create: .*table _litestream_seq, index more on books, table sqlite_stat1.*\.$/im;

  it("are reported by a start in one line of the log, if there are any", async () => {
    const dataDir = await createFilledFolder(1);
    const warningsOf = async () => {
      const service = new ServiceProcess({ DATA_DIR: dataDir });
      await service.waitUntilListening();
      await service.end();
      const messages = service.lines.filter(({ level }) => level === "warn").map(({ msg }) => String(msg));
      return messages.filter((message) => message.includes("did not create"));
    };
    expect(await warningsOf()).toEqual([]);
    change(join(dataDir, "database.sqlite"), HARMLESS);
    expect(await warningsOf()).toEqual([expect.stringMatching(NAMED)]);
  });

  it("are reported by a restore, if there are any", async () => {
    const dataDir = await createFilledFolder(1);
    const restored = async () => {
      const { path } = await makeBackup({ dataDir, out: join(createTempFolder(), "backups") });
      const variables = { DATA_DIR: join(createTempFolder(), "data") };
      const { code, out } = await runCli({ args: ["restore", path], variables });
      expect(code).toBe(0);
      return out;
    };
    expect(await restored()).not.toContain("did not create");
    change(join(dataDir, "database.sqlite"), HARMLESS);
    expect(await restored()).toMatch(NAMED);
  });
});

it("the schema consists of what the migrations create", async () => {
  const memory = new Database(":memory:");
  await migrate(memory, "");
  expect(findForeignSchema(memory, 100)).toEqual({ programs: [], data: [] });
  const named = "select name from sqlite_schema where name not like 'sqlite_autoindex%' order by name";
  const names = memory.prepare(named).pluck().all();
  const { tables, indexes } = readOwnSchema();
  expect([...tables, ...indexes].filter((name) => !FORMER_TABLES.includes(name)).sort()).toEqual(names);
  memory.close();
});

it("no connection trusts the schema", async () => {
  const dataDir = await createFilledFolder(1);
  for (const open of [openWriter, openReader]) {
    const connection = open(join(dataDir, "database.sqlite"));
    expect(connection.pragma("trusted_schema", { simple: true })).toBe(0);
    connection.close();
  }
});

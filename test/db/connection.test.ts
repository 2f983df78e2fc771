import { chmodSync, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Connection, openReader, openWriter } from "../../src/db/sqlite/connection.ts";
import { withStatementCache } from "../../src/db/sqlite/statement-cache.ts";
import { createTempFolder } from "../support/temp-folder.ts";

function opened(connection: Connection): Connection {
  onTestFinished(() => {
    connection.close();
  });
  return connection;
}

const MEMORY = 2;
const pragma = (connection: Connection, name: string): unknown => connection.pragma(name, { simple: true });
const FULL = 2;

describe("the writing connection", () => {
  it("syncs every commit, uses a WAL, checks foreign keys and overwrites deleted data, also after statements that may change settings", () => {
    const file = join(createTempFolder(), "a.sqlite");
    const first = openWriter(file);
    const sound = (connection: Connection) => ({
      synchronous: pragma(connection, "synchronous"),
      journal: pragma(connection, "journal_mode"),
      foreignKeys: pragma(connection, "foreign_keys"),
      temporary: pragma(connection, "temp_store"),
      secureDelete: pragma(connection, "secure_delete"),
    });
    const expected = {
      synchronous: FULL,
      journal: "wal",
      foreignKeys: 1,
      temporary: MEMORY,
      secureDelete: 1,
    };
    expect(sound(first)).toEqual(expected);
    first.exec("create table t (a integer primary key, b references t)");
    expect(sound(first)).toEqual(expected);
    first.exec("begin immediate; insert into t values (1, null); commit");
    first.pragma("wal_checkpoint(TRUNCATE)");
    expect(sound(first)).toEqual(expected);
    expect(() => first.exec("insert into t values (2, 99)")).toThrow("FOREIGN KEY constraint failed");
    first.close();

    const again = opened(openWriter(file));
    again.exec("insert into t values (3, 1)");
    expect(sound(again)).toEqual(expected);
  });

  it("creates files that only their owner can read, also in a folder that everyone can read", () => {
    const folder = createTempFolder();
    chmodSync(folder, 0o755);
    const file = join(folder, "a.sqlite");
    opened(openWriter(file)).exec("create table t (a)");
    const modes = [file, `${file}-wal`, `${file}-shm`].map((path) => statSync(path).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600, 0o600]);
  });

  it("uses a version of SQLite without the error that corrupts a WAL", () => {
    const connection = opened(openWriter(join(createTempFolder(), "a.sqlite")));
    const version = String(connection.prepare("select sqlite_version()").pluck().get());
    expect(version.localeCompare("3.51.3", "en", { numeric: true })).toBeGreaterThanOrEqual(0);
  });
});

describe("a reading connection", () => {
  function both() {
    const file = join(createTempFolder(), "a.sqlite");
    const writer = opened(openWriter(file));
    writer.exec("create table t (a); insert into t values ('before')");
    const reader = opened(openReader(file));
    return { writer, reader, read: () => reader.prepare("select a from t").pluck().all() };
  }

  it("can't write, also with query_only off", () => {
    const { reader, read } = both();
    const writes = ["insert into t values (1)", "delete from t", "drop table t", "create table u (a)"];
    for (const statement of writes) {
      expect(() => reader.exec(statement)).toThrow("attempt to write a readonly database");
    }
    reader.pragma("query_only = 0");
    for (const statement of writes) expect(() => reader.exec(statement)).toThrow("readonly");
    expect(read()).toEqual(["before"]);
  });

  it("doesn't wait for the writer, and sees only committed data", () => {
    const { writer, read } = both();
    writer.exec("begin immediate; insert into t values ('after')");
    expect(read()).toEqual(["before"]);
    writer.exec("commit");
    expect(read()).toEqual(["before", "after"]);
  });

  it("creates no file", () => {
    const file = join(createTempFolder(), "missing.sqlite");
    expect(() => openReader(file)).toThrow();
    expect(existsSync(file)).toBe(false);
  });
});

it("a connection keeps a bounded number of prepared statements, those used last", () => {
  const statements = withStatementCache(opened(openWriter(join(createTempFolder(), "a.sqlite"))));
  const [first, second] = [statements.prepare("select 1"), statements.prepare("select 2")];
  for (let number = 3; number <= 500; number += 1) statements.prepare(`select ${number}`);
  expect(statements.prepare("select 1")).toBe(first);
  statements.prepare("select 501");
  expect(statements.prepare("select 1")).toBe(first);
  expect(statements.prepare("select 2")).not.toBe(second);
});

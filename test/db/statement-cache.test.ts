import { join } from "node:path";
import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { openWriter } from "../../src/db/sqlite/connection.ts";
import { kyselyOver } from "../../src/db/sqlite/kysely.ts";
import { withStatementCache } from "../../src/db/sqlite/statement-cache.ts";
import { tempFolder } from "../support/temp-folder.ts";

function setUp(maxStatements?: number) {
  const connection = openWriter(join(tempFolder(), "a.sqlite"));
  onTestFinished(() => {
    connection.close();
  });
  connection.exec("create table t (a integer primary key, b text)");
  return { connection, statements: withStatementCache(connection, maxStatements) };
}

describe("statements are kept by their text", () => {
  it("and answer with the parameters of each call", () => {
    const { statements } = setUp();
    const insert = "insert into t (b) values (?) returning a";
    expect(statements.prepare(insert)).toBe(statements.prepare(insert));
    expect(statements.prepare(insert).all(["x"])).toEqual([{ a: 1 }]);
    expect(statements.prepare(insert).all(["y"])).toEqual([{ a: 2 }]);
    expect(statements.prepare("delete from t where a > ?").run([0])).toMatchObject({ changes: 2 });
  });

  it("as many as are allowed: then the least recently used makes room", () => {
    const { statements } = setUp(3);
    const [first, second, third] = [1, 2, 3].map((n) => statements.prepare(`select ${n}`));
    expect(statements.prepare("select 1")).toBe(first);
    statements.prepare("select 4");
    expect(statements.prepare("select 1")).toBe(first);
    expect(statements.prepare("select 3")).toBe(third);
    expect(statements.prepare("select 2")).not.toBe(second);
  });

  it("and there is a bound without being asked for", () => {
    const { statements } = setUp();
    const first = statements.prepare("select 0");
    for (let n = 1; n <= 1000; n++) statements.prepare(`select ${n}`);
    expect(statements.prepare("select 0")).not.toBe(first);
  });

  it("but not when they can't be prepared", () => {
    const { connection, statements } = setUp();
    expect(() => statements.prepare("select c from u")).toThrow("no such table: u");
    connection.exec("create table u (c); insert into u values (5)");
    expect(statements.prepare("select c from u").all([])).toEqual([{ c: 5 }]);
  });
});

describe("a kept statement sees a schema that has changed since", () => {
  it("with a new column, another table of that name, and no table", () => {
    const { connection, statements } = setUp();
    connection.exec("insert into t values (1, 'x')");
    const all = () => statements.prepare("select * from t").all([]);
    expect(all()).toEqual([{ a: 1, b: "x" }]);
    connection.exec("alter table t add column c integer default 7");
    expect(all()).toEqual([{ a: 1, b: "x", c: 7 }]);
    connection.exec("drop table t; create table t (z); insert into t values ('new')");
    expect(all()).toEqual([{ z: "new" }]);
    connection.exec("drop table t");
    expect(all).toThrow("no such table: t");
  });

  it("through Kysely as well", async () => {
    const { connection, statements } = setUp();
    const db = kyselyOver(statements);
    const all = async () => (await sql`select * from t`.execute(db)).rows;
    await sql`insert into t (b) values (${"x"})`.execute(db);
    expect(await all()).toEqual([{ a: 1, b: "x" }]);
    connection.exec("alter table t rename column b to name");
    expect(await all()).toEqual([{ a: 1, name: "x" }]);
  });
});

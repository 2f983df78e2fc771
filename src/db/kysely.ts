/** Kysely over a better-sqlite3 connection that remembers its prepared statements. */
import { Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement } from "kysely";
import type { Connection } from "./connection.ts";
import type { Schema } from "./schema.ts";

export type Db = Kysely<Schema>;

/** More than the service has kinds of statements; lists of varying length share what is left. */
const MAX_STATEMENTS = 500;

export function kyselyOver(connection: Connection): Db {
  return new Kysely<Schema>({ dialect: new SqliteDialect({ database: withStatementCache(connection) }) });
}

/** Preparing costs more than running a small query, so a statement is kept by its text; the oldest makes room. */
export function withStatementCache(connection: Connection): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  return {
    prepare(sql) {
      const known = statements.get(sql);
      if (known) return known;
      const prepared = connection.prepare<unknown[]>(sql);
      const statement: SqliteStatement = {
        reader: prepared.reader,
        all: (parameters) => prepared.all(...parameters),
        run: (parameters) => prepared.run(...parameters),
        iterate: (parameters) => prepared.iterate(...parameters),
      };
      if (statements.size >= MAX_STATEMENTS) {
        const [oldest] = statements.keys();
        if (oldest !== undefined) statements.delete(oldest);
      }
      statements.set(sql, statement);
      return statement;
    },
    close() {
      statements.clear();
      connection.close();
    },
  };
}

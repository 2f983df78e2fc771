/** Kysely on a SQLite connection. */
import { Kysely, type SqliteDatabase, SqliteDialect } from "kysely";
import type { Db } from "../kysely.ts";
import type { Schema } from "../schema.ts";

/** @param admit called before every statement; throws if the statement must not run now */
export function createSqliteKysely(statements: SqliteDatabase, admit: () => void = () => {}): Db {
  const database: SqliteDatabase = {
    prepare(sql) {
      admit();
      return statements.prepare(sql);
    },
    close: () => statements.close(),
  };
  return new Kysely<Schema>({ dialect: new SqliteDialect({ database }) });
}

/** Prepared statements by their text. Loads nothing of Kysely: worker threads that only run compiled SQL start faster without. */
import type { SqliteDatabase, SqliteStatement } from "kysely";
import { LRUCache } from "lru-cache";
import type { Connection } from "./connection.ts";

/**
 * More than the number of distinct statements in the service; statements with lists of varying length share the rest.
 */
const MAX_STATEMENTS = 500;

/**
 * Adapts a connection to Kysely's SQLite dialect. Caches prepared statements by their text, and evicts the least
 * recently used ones.
 */
export function withStatementCache(connection: Connection, maxStatements = MAX_STATEMENTS): SqliteDatabase {
  const statements = new LRUCache<string, SqliteStatement>({
    max: maxStatements,
    memoMethod(sql) {
      const prepared = connection.prepare<unknown[]>(sql);
      return {
        reader: prepared.reader,
        all: (parameters) => prepared.all(...parameters),
        run: (parameters) => prepared.run(...parameters),
        iterate: (parameters) => prepared.iterate(...parameters),
      };
    },
  });
  return {
    prepare: (sql) => statements.memo(sql),
    close() {
      statements.clear();
      connection.close();
    },
  };
}

/** Opens the database of a running server or a backup from outside the server, without changing or migrating it. */
import { closeSync, fdatasyncSync, fsyncSync, openSync } from "node:fs";
import Database from "better-sqlite3";
import { z } from "zod";
import type { Db } from "../kysely.ts";
import type { MissingPart } from "../schema-parts.ts";
import type { SchemaObject } from "../soundness.ts";
import { toStorageError } from "../storage-error.ts";
import { type Connection, openReader } from "./connection.ts";
import { findForeignSchema } from "./examine.ts";
import { createSqliteKysely } from "./kysely.ts";
import { readAppliedMigrations } from "./migrator.ts";
import { findMissingInSqlite } from "./schema-parts.ts";
import { withStatementCache } from "./statement-cache.ts";

/** 1 MiB with SQLite's default page size. */
const PAGES_AT_ONCE = 256;

export class DatabaseFile {
  readonly #connection: Connection;
  readonly db: Db;
  /** Number of pages that `copyTo` has written. */
  copied = 0;

  constructor(path: string) {
    this.#connection = openReader(path);
    this.db = createSqliteKysely(withStatementCache(this.#connection));
  }

  /** Names of the migrations that were applied to it. */
  readMigrations(): string[] {
    return readAppliedMigrations(this.#connection);
  }

  /** The first tables and indexes that this service didn't create. */
  findForeignData(): SchemaObject[] {
    return findForeignSchema(this.#connection).data;
  }

  findMissing(): MissingPart[] {
    return findMissingInSqlite(this.#connection);
  }

  countPages(): number {
    return this.#readNumber("page_count");
  }

  measureBytes(): number {
    return this.countPages() * this.#readNumber("page_size");
  }

  /**
   * Starts a snapshot of the database, which concurrent writes don't affect. The write-ahead log grows until `release`.
   */
  hold(): void {
    this.#connection.exec("begin");
    // A transaction begins with its first statement.
    this.readMigrations();
  }

  release(): void {
    if (this.#connection.inTransaction) this.#connection.exec("rollback");
  }

  /**
   * Writes a copy of the snapshot to a single file, accessible only to its owner and synced to disk. Without a
   * snapshot, SQLite's backup would restart at each concurrent write. Syncs in steps, so that no commit of the server
   * waits for the whole file. It blocks, so it runs in a separate process.
   */
  async copyTo(path: string): Promise<void> {
    const file = openSync(path, "wx+", 0o600);
    try {
      const reportProgress = ({ totalPages, remainingPages }: Database.BackupMetadata) => {
        this.copied = totalPages - remainingPages;
        fdatasyncSync(file);
        return PAGES_AT_ONCE;
      };
      await this.#connection.backup(path, { progress: reportProgress });
      makeSingleFile(path);
      fsyncSync(file);
    } catch (error) {
      throw toStorageError(error);
    } finally {
      closeSync(file);
    }
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }

  #readNumber(pragma: string): number {
    return z.int().parse(this.#connection.pragma(pragma, { simple: true }));
  }
}

/**
 * Gives a database that nothing uses another id of the service, and marks its rows as other ones than those that came before;
 * see `selectIdentity`. One of an older version may have neither: it gets them from its first start.
 * @returns whether it has the id
 */
export function renewRecord(
  path: string,
  { epoch, serviceId }: { epoch: string; serviceId: string },
): boolean {
  const database = new Database(path);
  try {
    const columns = database.prepare("select name from pragma_table_info(?)").pluck();
    if (columns.all("installation").length > 0)
      database.prepare("update installation set epoch = ?").run(epoch);
    // As `renewEpoch` does.
    if (columns.all("outbox").length > 0)
      database.exec("update outbox set state = 'held' where state = 'waiting'");
    if (columns.all("installation").includes("serviceId")) {
      database.prepare("update installation set serviceId = ?").run(serviceId);
      return true;
    }
    // Before migration 0031.
    if (columns.all("service_id").length === 0) return false;
    database
      .prepare("insert or replace into service_id (id, serviceId) values ('current', ?)")
      .run(serviceId);
    return true;
  } finally {
    database.close();
  }
}

/** The copy is marked as using a write-ahead log like its original, so every reader would create files next to it. */
function makeSingleFile(path: string): void {
  const copy = new Database(path);
  try {
    copy.pragma("journal_mode = delete");
  } finally {
    copy.close();
  }
}

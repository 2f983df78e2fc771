/** A database file seen from outside of the server: beside it, or in a backup. It is neither changed nor migrated. */
import { closeSync, fdatasyncSync, fsyncSync, openSync } from "node:fs";
import Database from "better-sqlite3";
import { z } from "zod";
import { type Connection, openReader } from "./connection.ts";
import { type Db, kyselyOver, withStatementCache } from "./kysely.ts";
import { appliedMigrations } from "./migrator.ts";
import { foreignData, type SchemaObject } from "./soundness.ts";
import { asStorageError } from "./storage-error.ts";

/** 1 MiB of SQLite's usual pages. */
const PAGES_AT_ONCE = 256;

export class DatabaseFile {
  readonly #connection: Connection;
  readonly db: Db;
  /** Pages that `copyTo` has written. */
  copied = 0;

  constructor(path: string) {
    this.#connection = openReader(path);
    this.db = kyselyOver(withStatementCache(this.#connection));
  }

  /** Names of the migrations that have made its schema. */
  migrations(): string[] {
    return appliedMigrations(this.#connection);
  }

  /** Tables and indexes that this service did not create, the first few. */
  foreignData(): SchemaObject[] {
    return foreignData(this.#connection);
  }

  pages(): number {
    return this.#number("page_count");
  }

  sizeBytes(): number {
    return this.pages() * this.#number("page_size");
  }

  /** Starts a snapshot of the database that concurrent writes don't change. The write-ahead log grows until `release`. */
  hold(): void {
    this.#connection.exec("begin");
    // A transaction begins with its first statement.
    this.migrations();
  }

  release(): void {
    if (this.#connection.inTransaction) this.#connection.exec("rollback");
  }

  /**
   * Writes a copy of what is held, in one file for its owner only, which is on the disk when this returns. While it
   * is held, SQLite's backup doesn't begin anew at each write of others. It waits for the disk, a piece at a time so
   * that no commit of theirs waits for all of it: for a process of its own.
   */
  async copyTo(path: string): Promise<void> {
    const file = openSync(path, "wx+", 0o600);
    try {
      const progress = ({ totalPages, remainingPages }: Database.BackupMetadata) => {
        this.copied = totalPages - remainingPages;
        fdatasyncSync(file);
        return PAGES_AT_ONCE;
      };
      await this.#connection.backup(path, { progress });
      makeSingleFile(path);
      fsyncSync(file);
    } catch (error) {
      throw asStorageError(error);
    } finally {
      closeSync(file);
    }
  }

  close(): void {
    this.#connection.close();
  }

  #number(pragma: string): number {
    return z.int().parse(this.#connection.pragma(pragma, { simple: true }));
  }
}

/** A copy says of itself that it has a write-ahead log, as its original: whoever looked at it would leave files there. */
function makeSingleFile(path: string): void {
  const copy = new Database(path);
  try {
    copy.pragma("journal_mode = delete");
  } finally {
    copy.close();
  }
}

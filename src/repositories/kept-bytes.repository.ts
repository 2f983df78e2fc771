/** The stored bytes that rows need: those of files and covers, their replaced ones, and those of examined files. */
import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db/kysely.ts";
import { Repository } from "./repository.ts";

/** The tables whose rows refer to bytes that a backup contains. */
export const BACKED_UP = ["book_files", "covers", "replaced_bytes"] as const;
export type BackedUpTable = (typeof BACKED_UP)[number];

/** The migration since which there are replaced bytes. A backup can be older. */
const SINCE = "0023-released-bytes";

/** The tables that a database with these migrations has. */
export const listBackedUpTables = (migrations: readonly string[]): readonly BackedUpTable[] =>
  migrations.includes(SINCE) ? BACKED_UP : BACKED_UP.filter((table) => table !== "replaced_bytes");

export class KeptBytesRepository extends Repository {
  readonly #tables: readonly (BackedUpTable | "examined_files")[];
  readonly #knowsReleased: boolean;

  /** @param backedUp of a backup, its tables: only their rows count */
  constructor(db: Db, backedUp?: readonly BackedUpTable[]) {
    super(db);
    this.#tables = backedUp ?? [...BACKED_UP, "examined_files"];
    this.#knowsReleased = backedUp === undefined;
  }

  /** Those of the hashes to whose bytes a row refers. Call it with some hundred hashes at most. */
  findReferred(hashes: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#find(hashes);
  }

  /** Like `findReferred`, also those that rows have released, or that are being removed. */
  async findKnown(hashes: readonly string[]): Promise<ReadonlySet<string>> {
    const released = sql`select sha256 from released_bytes where state <> 'removed' and`;
    return this.#find(hashes, this.#knowsReleased ? [released] : []);
  }

  async #find(
    hashes: readonly string[],
    more: readonly RawBuilder<unknown>[] = [],
  ): Promise<ReadonlySet<string>> {
    if (hashes.length === 0) return new Set();
    const ofTables = this.#tables.map((table) => sql`select sha256 from ${sql.table(table)} where`);
    const selects = [...ofTables, ...more].map((select) => sql`${select} sha256 in (${sql.join(hashes)})`);
    const { rows } = await sql<{ sha256: string }>`${sql.join(selects, sql` union `)}`.execute(this.db);
    return new Set(rows.map(({ sha256 }) => sha256));
  }

  /** Whether any row refers to these bytes. */
  async isReferred(sha256: string): Promise<boolean> {
    return (await this.findReferred([sha256])).has(sha256);
  }

  /** The size in bytes of what rows refer to; undefined if none does. */
  async findSize(sha256: string): Promise<number | undefined> {
    const selects = this.#tables.map((table) => {
      const column = sql.ref(table === "examined_files" ? "sizeBytes" : "fileSizeBytes");
      return sql`select ${column} as "sizeBytes" from ${sql.table(table)} where sha256 = ${sha256}`;
    });
    const all = sql.join(selects, sql` union all `);
    const { rows } = await sql<{ sizeBytes: number }>`${all} limit 1`.execute(this.db);
    return rows[0]?.sizeBytes;
  }
}

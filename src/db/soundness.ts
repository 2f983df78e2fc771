/** Whether a database is whole: SQLite's own checks of its pages, indexes and references. They read all of it. */
import { CompiledQuery } from "kysely";
import { z } from "zod";
import type { Db } from "./kysely.ts";
import { isDamage } from "./storage-fault.ts";

const integrity = z.array(z.object({ integrity_check: z.string() }));
const reference = z.object({
  ...{ table: z.string(), rowid: z.int().nullable(), parent: z.string() },
  total: z.int(),
});

/** A row of `table` that refers to a row of `parent` that isn't there, and how many such rows there are in all. */
export type BrokenReference = z.output<typeof reference>;

/** Lends a handle to some work. */
type Lend = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

export class Soundness {
  readonly #lend: Lend;

  /** @param lend gives a handle for one check, for which nobody else has to wait */
  constructor(lend: Lend) {
    this.#lend = lend;
  }

  /** What is damaged, in SQLite's words, at most `limit` of it. A file that is no database at all is damaged too. */
  async faults(limit: number): Promise<string[]> {
    try {
      const { rows } = await this.#rowsOf(`pragma integrity_check(${limit})`);
      const lines = integrity.parse(rows).map(({ integrity_check: line }) => line);
      return lines.filter((line) => line !== "ok");
    } catch (error) {
      if (!isDamage(error)) throw error;
      return [error.message];
    }
  }

  /** The first `limit` of them. */
  async brokenReferences(limit: number): Promise<BrokenReference[]> {
    const columns = '"table", rowid as rowid, parent, count(*) over () as total';
    const { rows } = await this.#rowsOf(`select ${columns} from pragma_foreign_key_check limit ${limit}`);
    return z.array(reference).parse(rows);
  }

  #rowsOf(sql: string) {
    return this.#lend((db) => db.executeQuery(CompiledQuery.raw(sql)));
  }
}

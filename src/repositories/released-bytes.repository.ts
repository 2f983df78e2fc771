/** Bytes that rows have released, and their removals. */
import { type RawBuilder, type Selectable, sql } from "kysely";
import { allOf, type Schema } from "../db/schema.ts";
import { splitIntoBatches } from "../lib/collections.ts";
import { Repository, ROWS_PER_STATEMENT } from "./repository.ts";

type ReleasedRow = Selectable<Schema["released_bytes"]>;

/** Of bytes that are about to be stored: the id of their last removal, if it can still be seen. */
export type Reserved = Pick<ReleasedRow, "removal">;

/** What is deleted with all that belongs to it. */
export type Released = { fileId: string } | { coverId: string } | { bookId: string } | { languageId: number };

/** A removal, and until when others leave its bytes alone. */
interface Removal {
  id: string;
  until: number;
}

/** A row whose removal is running stays as it is. */
const AGAIN = sql`on conflict (sha256) do update
  set state = excluded.state, "dueAt" = excluded."dueAt", removal = excluded.removal
  where released_bytes.state <> 'removing'`;

export class ReleasedBytesRepository extends Repository {
  async find(sha256: string): Promise<ReleasedRow | undefined> {
    return this.#select().where("sha256", "=", sha256).executeTakeFirst();
  }

  /** What is due, oldest first. Those of a large deletion are equally old: sorting them further would take long. */
  listDue(now: number, limit: number): Promise<ReleasedRow[]> {
    return this.#select().where("dueAt", "<=", now).orderBy("dueAt").limit(limit).execute();
  }

  #select() {
    return this.db.selectFrom("released_bytes").select(allOf("released_bytes"));
  }

  async isEmpty(): Promise<boolean> {
    return (await this.#select().limit(1).executeTakeFirst()) === undefined;
  }

  /** From an instant on, these bytes may be removed if no row refers to them. */
  async release(hashes: readonly string[], dueAt: number): Promise<void> {
    for (const batch of splitIntoBatches([...new Set(hashes)], ROWS_PER_STATEMENT)) {
      const rows = batch.map((sha256) => sql`(${sha256}, 'waiting', ${dueAt}, null)`);
      await this.#insert(sql`values ${sql.join(rows)} ${AGAIN}`);
    }
  }

  /** Like `release`, for what is deleted in the same transaction. Call it before. @returns the hashes */
  async releaseOf(released: Released, dueAt: number): Promise<string[]> {
    const selected = sql`select sha256, 'waiting', cast(${dueAt} as bigint), null
      from (${selectHashes(released)}) as gone where sha256 is not null`;
    return this.#insert(sql`${selected} ${AGAIN}`);
  }

  /**
   * Like `release`, for bytes that are about to be stored and get a row. The last removal stays to be seen.
   * @returns undefined while the bytes are being removed
   */
  async reserve(sha256: string, dueAt: number): Promise<Reserved | undefined> {
    const { rows } = await sql<Reserved>`insert into released_bytes (sha256, state, "dueAt", removal)
      values (${sha256}, 'waiting', ${dueAt}, null)
      on conflict (sha256) do update set state = 'waiting', "dueAt" = excluded."dueAt"
      where released_bytes.state <> 'removing'
      returning removal`.execute(this.db);
    return rows[0];
  }

  /** A row will refer to these bytes. @returns what there was */
  async take(sha256: string): Promise<ReleasedRow | undefined> {
    const { rows } = await sql<ReleasedRow>`delete from released_bytes where sha256 = ${sha256}
      returning sha256, state, "dueAt", removal`.execute(this.db);
    return rows[0];
  }

  /** Of what is due, rows refer to these bytes, or nothing is left of them. */
  async forget(hashes: readonly string[], now: number): Promise<void> {
    if (hashes.length === 0) return;
    await this.db
      .deleteFrom("released_bytes")
      .where("sha256", "in", hashes)
      .where("dueAt", "<=", now)
      .execute();
  }

  /** Marks what is due, also if its removal was never ended. @returns the marked hashes */
  async beginRemoval(hashes: readonly string[], now: number, { id, until }: Removal): Promise<string[]> {
    if (hashes.length === 0) return [];
    const rows = await this.db
      .updateTable("released_bytes")
      .set({ state: "removing", removal: id, dueAt: until })
      .where("sha256", "in", hashes)
      .where("state", "in", ["waiting", "removing"])
      .where("dueAt", "<=", now)
      .returning("sha256")
      .execute();
    return rows.map(({ sha256 }) => sha256);
  }

  /** Marks bytes that no row has released. @returns the marked hashes */
  async beginUnknown(hashes: readonly string[], { id, until }: Removal): Promise<string[]> {
    if (hashes.length === 0) return [];
    const rows = hashes.map((sha256) => sql`(${sha256}, 'removing', ${until}, ${id})`);
    return this.#insert(sql`values ${sql.join(rows)} on conflict (sha256) do update
      set state = excluded.state, "dueAt" = excluded."dueAt", removal = excluded.removal
      where released_bytes.state = 'removed'`);
  }

  /** These bytes of a removal are gone; an upload can see it until an instant. */
  async endRemoval(hashes: readonly string[], { id, until }: Removal): Promise<void> {
    await this.#ofRemoval(hashes, id, { state: "removed", dueAt: until });
  }

  /** These bytes of a removal are still there. */
  async breakOffRemoval(hashes: readonly string[], { id, until }: Removal): Promise<void> {
    await this.#ofRemoval(hashes, id, { state: "waiting", dueAt: until, removal: null });
  }

  async #ofRemoval(hashes: readonly string[], id: string, change: Partial<ReleasedRow>): Promise<void> {
    if (hashes.length === 0) return;
    await this.db
      .updateTable("released_bytes")
      .set(change)
      .where("sha256", "in", hashes)
      .where("removal", "=", id)
      .execute();
  }

  /** Makes some of those wait that aren't due. @returns whether there can be more */
  async postpone(now: number, dueAt: number, limit: number): Promise<boolean> {
    const some = this.db
      .selectFrom("released_bytes")
      .select("sha256")
      .where("state", "=", "waiting")
      .where("dueAt", ">", now)
      .where("dueAt", "<>", dueAt)
      .limit(limit);
    const rows = await this.db
      .updateTable("released_bytes")
      .set({ dueAt })
      .where("sha256", "in", some)
      .returning("sha256")
      .execute();
    return rows.length === limit;
  }

  async #insert(rows: RawBuilder<unknown>): Promise<string[]> {
    const inserted = await sql<{
      sha256: string;
    }>`insert into released_bytes (sha256, state, "dueAt", removal)
      ${rows} returning sha256`.execute(this.db);
    return inserted.rows.map(({ sha256 }) => sha256);
  }
}

/** The hashes of files and covers, and of what they had before. */
function selectHashes(released: Released): RawBuilder<unknown> {
  if ("fileId" in released) return selectOf(sql`id = ${released.fileId}`, undefined);
  if ("coverId" in released) return selectOf(undefined, sql`id = ${released.coverId}`);
  const ofAll =
    "bookId" in released ? sql`"bookId" = ${released.bookId}` : sql`"languageId" = ${released.languageId}`;
  return selectOf(ofAll, ofAll);
}

function selectOf(ofFiles: RawBuilder<unknown> | undefined, ofCovers: RawBuilder<unknown> | undefined) {
  const places = [
    { table: "book_files", column: "fileId", condition: ofFiles },
    { table: "covers", column: "coverId", condition: ofCovers },
  ];
  const selects = places.flatMap(({ table, column, condition }) =>
    condition === undefined
      ? []
      : [
          sql`select sha256 from ${sql.table(table)} where ${condition}`,
          sql`select sha256 from replaced_bytes where ${sql.ref(column)} in
            (select id from ${sql.table(table)} where ${condition})`,
        ],
  );
  return sql.join(selects, sql` union `);
}

/** The last sweep of released bytes. */
export class LastSweepRepository extends Repository {
  async find(): Promise<{ mark: string; sweptAt: number } | undefined> {
    return this.db.selectFrom("last_sweep").select(["mark", "sweptAt"]).executeTakeFirst();
  }

  async record(mark: string, sweptAt: number): Promise<void> {
    await this.db
      .insertInto("last_sweep")
      .values({ id: "last", mark, sweptAt })
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ mark, sweptAt }))
      .execute();
  }
}

/** Bytes that files and covers had before, newest first. */
import { type Insertable, type RawBuilder, type Selectable, sql } from "kysely";
import { columnsOf, type Schema } from "../db/schema.ts";
import { repositoryOf } from "./repository.ts";

export type ReplacedRow = Selectable<Schema["replaced_bytes"]>;

/** A file or a cover, or all of a book. */
export type ReplacedOf = { fileId: string } | { coverId: string };

/** Replaced bytes of a file, for look-ups. */
interface ReplacedPlaceRow {
  sha256: string;
  bookId: string;
  fileId: string;
  keptUntil: number;
}

const COLUMNS = sql.join(columnsOf("replaced_bytes").map((column) => sql.ref(`replaced.${column}`)));

export class ReplacedBytesRepository extends repositoryOf("replaced_bytes") {
  /** What a place had before. If it had the same bytes before, it is now as if it had them last. */
  async put(row: Insertable<Schema["replaced_bytes"]>): Promise<void> {
    const { fileName, replacedAt, replacedBy, keptUntil } = row;
    const place = row.fileId === null ? "coverId" : "fileId";
    await this.db
      .insertInto("replaced_bytes")
      .values(row)
      .onConflict((conflict) =>
        conflict.columns([place, "sha256"]).doUpdateSet({ fileName, replacedAt, replacedBy, keptUntil }),
      )
      .execute();
  }

  /** What a file or a cover had before, without what it has now. */
  listOf(place: ReplacedOf): Promise<ReplacedRow[]> {
    return "fileId" in place
      ? this.#list("book_files", sql`place.id = ${place.fileId}`)
      : this.#list("covers", sql`place.id = ${place.coverId}`);
  }

  listOfFiles(bookId: string): Promise<ReplacedRow[]> {
    return this.#list("book_files", sql`place."bookId" = ${bookId}`);
  }

  listOfCovers(bookId: string): Promise<ReplacedRow[]> {
    return this.#list("covers", sql`place."bookId" = ${bookId}`);
  }

  /** Of all active books. */
  listOfActiveCovers(): Promise<ReplacedRow[]> {
    return this.#list("covers", sql`place."bookId" in (select id from books where "isActive" = 1)`);
  }

  /** The places of files that had these bytes before. */
  async listPlaces(hashes: readonly string[]): Promise<ReplacedPlaceRow[]> {
    const { rows } = await sql<ReplacedPlaceRow>`
      select replaced.sha256, place."bookId", place.id as "fileId", replaced."keptUntil"
      from replaced_bytes as replaced join book_files as place on place.id = replaced."fileId"
      where replaced.sha256 in (${sql.join(hashes)}) and ${IS_FORMER}
      order by replaced.sha256, place."bookId", place.id`.execute(this.db);
    return rows;
  }

  async #list(table: "book_files" | "covers", condition: RawBuilder<unknown>): Promise<ReplacedRow[]> {
    const column = sql.ref(`replaced.${table === "covers" ? "coverId" : "fileId"}`);
    const { rows } = await sql<ReplacedRow>`
      select ${COLUMNS} from replaced_bytes as replaced join ${sql.table(table)} as place on place.id = ${column}
      where ${condition} and ${IS_FORMER}
      order by replaced."replacedAt" desc, replaced.id desc`.execute(this.db);
    return rows;
  }

  async listExpired(now: number, limit: number): Promise<string[]> {
    const rows = await this.db
      .selectFrom("replaced_bytes")
      .select("id")
      .where("keptUntil", "<=", now)
      .orderBy("keptUntil")
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  }

  /** @param until only those that aren't kept longer @returns the hashes of the deleted rows */
  async deleteAll(ids: readonly string[], until?: number): Promise<string[]> {
    if (ids.length === 0) return [];
    const rows = await this.db
      .deleteFrom("replaced_bytes")
      .where("id", "in", ids)
      .$if(until !== undefined, (query) => query.where("keptUntil", "<=", until ?? 0))
      .returning("sha256")
      .execute();
    return rows.map(({ sha256 }) => sha256);
  }

  /** Keeps some until another instant. @returns whether there can be more */
  async postpone(keptUntil: number, limit: number): Promise<boolean> {
    const some = this.db
      .selectFrom("replaced_bytes")
      .select("id")
      .where("keptUntil", "<>", keptUntil)
      .limit(limit);
    const rows = await this.db
      .updateTable("replaced_bytes")
      .set({ keptUntil })
      .where("id", "in", some)
      .returning("id")
      .execute();
    return rows.length === limit;
  }

  async isEmpty(): Promise<boolean> {
    return (
      (await this.db.selectFrom("replaced_bytes").select("id").limit(1).executeTakeFirst()) === undefined
    );
  }

  /** Number and size of what is kept only because it was replaced; equal contents count once. */
  async measure(): Promise<{ files: number; bytes: number }> {
    const { rows } = await sql<{ files: number; bytes: number }>`
      select count(*) as files, coalesce(sum("fileSizeBytes"), 0) as bytes from (
        select sha256, max("fileSizeBytes") as "fileSizeBytes" from replaced_bytes as replaced
        where not exists (select 1 from book_files where book_files.sha256 = replaced.sha256)
          and not exists (select 1 from covers where covers.sha256 = replaced.sha256)
        group by sha256
      ) as kept`.execute(this.db);
    return rows[0] ?? { files: 0, bytes: 0 };
  }
}

/** A place can have the same bytes again. */
const IS_FORMER = sql`(place.sha256 is null or place.sha256 <> replaced.sha256)`;

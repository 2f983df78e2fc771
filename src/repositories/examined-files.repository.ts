/** Files that were examined, and whose bytes are kept for a while. */
import { type Insertable, type Selectable, sql } from "kysely";
import { allOf, type Schema } from "../db/schema.ts";
import { splitIntoBatches } from "../lib/collections.ts";
import { Repository, ROWS_PER_STATEMENT } from "./repository.ts";

type ExaminedFileRow = Selectable<Schema["examined_files"]>;

/** Bytes that files of books have, too, don't count, and those of imports are kept beyond the bound. */
const SIZED = sql`
  select sha256, "examinedAt", case when exists
    (select 1 from book_files where book_files.sha256 = examined_files.sha256) then 0 else "sizeBytes" end as bytes
  from examined_files
  where not exists (select 1 from import_bytes where import_bytes.sha256 = examined_files.sha256)
`;

export class ExaminedFilesRepository extends Repository {
  /** Replaces an earlier examination of the same bytes. */
  async put(row: Insertable<Schema["examined_files"]>): Promise<void> {
    const { sha256: _, ...values } = row;
    await this.db
      .insertInto("examined_files")
      .values(row)
      .onConflict((conflict) => conflict.column("sha256").doUpdateSet(values))
      .execute();
  }

  /** Adds to what is known of a file. */
  async update(sha256: string, examination: string): Promise<void> {
    await this.db.updateTable("examined_files").set({ examination }).where("sha256", "=", sha256).execute();
  }

  /** Those of these hashes that were examined. */
  list(hashes: readonly string[]): Promise<ExaminedFileRow[]> {
    return this.db
      .selectFrom("examined_files")
      .select(allOf("examined_files"))
      .where("sha256", "in", hashes)
      .execute();
  }

  /** Those of these hashes that were examined, sorted. */
  async listExamined(hashes: readonly string[]): Promise<string[]> {
    const rows = await this.db
      .selectFrom("examined_files")
      .select("sha256")
      .where("sha256", "in", hashes)
      .orderBy("sha256")
      .execute();
    return rows.map(({ sha256 }) => sha256);
  }

  /** Those of these hashes that were examined, or that files of books have. */
  async listUsable(hashes: readonly string[]): Promise<string[]> {
    const rows = await this.db
      .selectFrom("examined_files")
      .select("sha256")
      .where("sha256", "in", hashes)
      .union((eb) =>
        eb
          .selectFrom("book_files")
          .select((each) => each.ref("book_files.sha256").$notNull().as("sha256"))
          .where("book_files.sha256", "in", hashes),
      )
      .execute();
    return rows.map(({ sha256 }) => sha256);
  }

  /** Those of these hashes that files of books have, and that weren't examined. */
  async listUnexamined(hashes: readonly string[]): Promise<string[]> {
    const rows = await this.db
      .selectFrom("book_files")
      .leftJoin("examined_files", "examined_files.sha256", "book_files.sha256")
      .select((eb) => eb.ref("book_files.sha256").$notNull().as("sha256"))
      .distinct()
      .where("book_files.sha256", "in", hashes)
      .where("examined_files.sha256", "is", null)
      .execute();
    return rows.map(({ sha256 }) => sha256);
  }

  /** Reads all rows. */
  async sumBytes(): Promise<number> {
    const { rows } = await sql<{ total: number }>`
      select coalesce(sum(bytes), 0) as total from (${SIZED}) as sized
    `.execute(this.db);
    return rows[0]?.total ?? 0;
  }

  /**
   * The hashes of files that were examined before an instant, and if the total size is exceeded, of the oldest so that
   * the others are below another; never the newest. Reads all rows.
   */
  async listOutdated(
    before: number,
    { maxBytes, reducedBytes }: { maxBytes: number; reducedBytes: number },
  ): Promise<string[]> {
    const newestFirst = sql`order by "examinedAt" desc, sha256`;
    const { rows } = await sql<{ sha256: string }>`
      select sha256 from (
        select sha256, "examinedAt", row_number() over (${newestFirst}) as place,
          sum(bytes) over (${newestFirst}) as total, sum(bytes) over () as whole
        from (${SIZED}) as sized
      ) as placed
      where "examinedAt" < ${before} or (whole > ${maxBytes} and total > ${reducedBytes} and place > 1)
    `.execute(this.db);
    return rows.map(({ sha256 }) => sha256);
  }

  /** Those of these hashes that files of books have, and that were examined before an instant, are so at another. */
  async renew(hashes: readonly string[], before: number, examinedAt: number): Promise<void> {
    await this.db
      .updateTable("examined_files")
      .set({ examinedAt })
      .where("sha256", "in", hashes)
      .where("examinedAt", "<", before)
      .where("sha256", "in", (eb) =>
        eb
          .selectFrom("book_files")
          .select("book_files.sha256")
          .whereRef("book_files.sha256", "=", "examined_files.sha256"),
      )
      .execute();
  }

  /** @param before leaves files that were examined again since */
  async delete(hashes: readonly string[], before: number): Promise<void> {
    for (const batch of splitIntoBatches(hashes, ROWS_PER_STATEMENT)) {
      await this.db
        .deleteFrom("examined_files")
        .where("sha256", "in", batch)
        .where("examinedAt", "<=", before)
        .execute();
    }
  }
}

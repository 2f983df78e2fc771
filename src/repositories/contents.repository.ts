/** What the contents of files say of themselves, by hash. */
import type { Insertable, Selectable } from "kysely";
import { allOf } from "../db/columns.ts";
import type { ContentsTable } from "../db/stored-bytes-tables.ts";
import { splitIntoBatches } from "../lib/collections.ts";
import { Repository, ROWS_PER_STATEMENT } from "./repository.ts";

export type ContentRow = Selectable<ContentsTable>;

export class ContentsRepository extends Repository {
  /** Equal bytes say the same. */
  async put(row: Insertable<ContentsTable>): Promise<void> {
    const { sha256: _, ...values } = row;
    await this.db
      .insertInto("contents")
      .values(row)
      .onConflict((conflict) => conflict.column("sha256").doUpdateSet(values))
      .execute();
  }

  async list(hashes: readonly string[]): Promise<ContentRow[]> {
    const rows: ContentRow[] = [];
    for (const batch of splitIntoBatches(hashes, ROWS_PER_STATEMENT))
      rows.push(
        ...(await this.db
          .selectFrom("contents")
          .select(allOf("contents"))
          .where("sha256", "in", batch)
          .execute()),
      );
    return rows;
  }

  /** Hashes of files of these types that weren't read yet, in order, after a hash. */
  async listUnread(fileTypes: readonly string[], after: string, limit: number): Promise<string[]> {
    const rows = await this.db
      .selectFrom("book_files")
      .leftJoin("contents", "contents.sha256", "book_files.sha256")
      .select((eb) => eb.ref("book_files.sha256").$notNull().as("sha256"))
      .distinct()
      .where("book_files.sha256", ">", after)
      .where("book_files.fileType", "in", fileTypes)
      .where("contents.sha256", "is", null)
      .orderBy("book_files.sha256")
      .limit(limit)
      .execute();
    return rows.map(({ sha256 }) => sha256);
  }

  /** Forgets contents that no file has any more. Reads all rows. */
  async deleteUnused(): Promise<void> {
    await this.db
      .deleteFrom("contents")
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("book_files")
              .select("book_files.id")
              .whereRef("book_files.sha256", "=", "contents.sha256"),
          ),
        ),
      )
      .execute();
  }
}

/** What the contents of files say of themselves, by hash. */
import type { ExpressionBuilder, Insertable, Selectable } from "kysely";
import { allOf, type Schema } from "../db/schema.ts";
import { splitIntoBatches } from "../lib/collections.ts";
import { Repository, ROWS_PER_STATEMENT } from "./repository.ts";

export type ContentRow = Selectable<Schema["contents"]>;

export class ContentsRepository extends Repository {
  /** Equal bytes say the same. */
  async put(row: Insertable<Schema["contents"]>): Promise<void> {
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

  /** Hashes of contents that no file has any more. Reads all rows. */
  async listUnused(limit: number): Promise<string[]> {
    const rows = await this.db.selectFrom("contents").select("sha256").where(isUnused).limit(limit).execute();
    return rows.map(({ sha256 }) => sha256);
  }

  /** Forgets those of these contents that no file has any more. */
  async deleteUnused(hashes: readonly string[]): Promise<void> {
    await this.db.deleteFrom("contents").where("sha256", "in", hashes).where(isUnused).execute();
  }
}

const isUnused = ({ not, exists, selectFrom }: ExpressionBuilder<Schema, "contents">) =>
  not(
    exists(
      selectFrom("book_files").select("book_files.id").whereRef("book_files.sha256", "=", "contents.sha256"),
    ),
  );

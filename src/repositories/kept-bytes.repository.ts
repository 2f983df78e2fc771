/** Number and size of the stored files according to the rows. */
import { Repository } from "./repository.ts";

export class KeptBytesRepository extends Repository {
  /** Number of rows that refer to stored bytes, of files and covers. */
  async countRows(): Promise<number> {
    const files = this.db.selectFrom("book_files").where("sha256", "is not", null);
    const covers = this.db.selectFrom("covers");
    const { ofFiles, ofCovers } = await this.db
      .selectNoFrom([
        files.select((eb) => eb.fn.countAll<number>().as("count")).as("ofFiles"),
        covers.select((eb) => eb.fn.countAll<number>().as("count")).as("ofCovers"),
      ])
      .executeTakeFirstOrThrow();
    return (ofFiles ?? 0) + (ofCovers ?? 0);
  }

  /** The total size of referenced bytes; equal contents count once. */
  async sizeBytes(): Promise<number> {
    const ofFiles = this.db
      .selectFrom("book_files")
      .select((eb) => [eb.ref("sha256").$notNull().as("sha256"), "fileSizeBytes"])
      .where("sha256", "is not", null);
    const ofCovers = this.db.selectFrom("covers").select(["sha256", "fileSizeBytes"]);
    const { total } = await this.db
      .selectFrom(ofFiles.union(ofCovers).as("kept"))
      .select((eb) => eb.fn.sum<number | null>("kept.fileSizeBytes").as("total"))
      .executeTakeFirstOrThrow();
    return total ?? 0;
  }
}

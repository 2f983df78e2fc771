/** The stored bytes that rows need: those of files and covers, which a backup contains, and those of examined files. */
import type { Db } from "../db/kysely.ts";
import { FilesRepository } from "./files.repository.ts";
import { Repository } from "./repository.ts";

export class KeptBytesRepository extends Repository {
  readonly #files: FilesRepository;

  constructor(db: Db) {
    super(db);
    this.#files = new FilesRepository(db);
  }

  /** Those of the hashes to whose bytes a row refers. Call it with some hundred hashes at most. */
  async findReferred(hashes: readonly string[]): Promise<ReadonlySet<string | null>> {
    if (hashes.length === 0) return new Set();
    const ofFiles = await this.#files.findReferred(hashes);
    const examined = await this.db
      .selectFrom("examined_files")
      .select("sha256")
      .where("sha256", "in", hashes)
      .execute();
    return new Set([...ofFiles, ...examined.map(({ sha256 }) => sha256)]);
  }

  /** Whether any row refers to these bytes. */
  async isReferred(sha256: string): Promise<boolean> {
    return (await this.#files.isReferred(sha256)) || (await this.#findExaminedSize(sha256)) !== undefined;
  }

  /** The size in bytes of files with this content, also of examined ones; undefined if there is none. */
  async findSize(sha256: string): Promise<number | undefined> {
    return (await this.#files.findSize(sha256)) ?? (await this.#findExaminedSize(sha256));
  }

  async #findExaminedSize(sha256: string): Promise<number | undefined> {
    const row = await this.db
      .selectFrom("examined_files")
      .select("sizeBytes")
      .where("sha256", "=", sha256)
      .executeTakeFirst();
    return row?.sizeBytes;
  }
}

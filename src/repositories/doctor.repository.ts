/** Queries of the doctor and of backups: the stored files that rows refer to, and gaps in the catalogue. */
import { type ExpressionBuilder, sql } from "kysely";
import type { Db } from "../db/kysely.ts";
import type { Schema } from "../db/schema.ts";
import { BACKED_UP, type BackedUpTable } from "./kept-bytes.repository.ts";
import { selectFilesOfBook } from "./publication-rules.ts";
import { Repository } from "./repository.ts";

/** A stored file that a row refers to. */
export interface KeptRow {
  id: string;
  name: string;
  sha256: string;
  fileSizeBytes: number;
}

/** What a file or a cover had before. */
interface KeptReplacedRow extends KeptRow {
  kind: "file" | "cover";
  /** The id of the file or cover. */
  placeId: string;
}

export interface LinkRow {
  id: string;
  name: string;
  fileType: string;
  cloudUrl: string;
}

/** A record without a file in a language that should have one. */
interface LackingRow {
  id: string;
  name: string;
  languageCode: string;
  total: number;
}

export class DoctorRepository extends Repository {
  readonly #tables: readonly BackedUpTable[];

  /** @param tables that the database has; a backup can be older than some */
  constructor(db: Db, tables: readonly BackedUpTable[] = BACKED_UP) {
    super(db);
    this.#tables = tables;
  }

  /** Local files, ordered by id. */
  listFilesAfter(id: string, limit: number): Promise<KeptRow[]> {
    return this.db
      .selectFrom("book_files")
      .select(["id", "fileName as name", "fileSizeBytes"])
      .select((eb) => eb.ref("sha256").$notNull().as("sha256"))
      .where("sha256", "is not", null)
      .where("id", ">", id)
      .orderBy("id")
      .limit(limit)
      .execute();
  }

  /** Covers, ordered by id, with the slugs of their books. */
  listCoversAfter(id: string, limit: number): Promise<KeptRow[]> {
    return this.db
      .selectFrom("covers")
      .innerJoin("books", "books.id", "covers.bookId")
      .select(["covers.id", "books.slug as name", "covers.fileSizeBytes", "covers.sha256"])
      .where("covers.id", ">", id)
      .orderBy("covers.id")
      .limit(limit)
      .execute();
  }

  /** What files and covers had before, ordered by id. */
  async listReplacedAfter(id: string, limit: number): Promise<KeptReplacedRow[]> {
    if (!this.#tables.includes("replaced_bytes")) return [];
    const rows = await this.db
      .selectFrom("replaced_bytes")
      .select(["id", "fileName as name", "sha256", "fileSizeBytes", "fileId", "coverId"])
      .where("id", ">", id)
      .orderBy("id")
      .limit(limit)
      .execute();
    return rows.map(({ fileId, coverId, ...row }) => ({
      ...row,
      kind: fileId === null ? "cover" : "file",
      placeId: fileId ?? coverId ?? "",
    }));
  }

  /** Number of rows that refer to stored bytes, of files and covers, and of what they had before. */
  async countKept(): Promise<number> {
    const counts = this.#tables.map(
      (table) => sql`select count(*) as count from ${sql.table(table)} where sha256 is not null`,
    );
    const { rows } = await sql<{ count: number }>`${sql.join(counts, sql` union all `)}`.execute(this.db);
    return rows.reduce((sum, { count }) => sum + count, 0);
  }

  /** The total size of referenced bytes; equal contents count once. */
  async sumKeptBytes(): Promise<number> {
    const kept = this.#tables.map(
      (table) => sql`select sha256, "fileSizeBytes" from ${sql.table(table)} where sha256 is not null`,
    );
    const { rows } = await sql<{ total: number }>`select coalesce(sum("fileSizeBytes"), 0) as total
      from (${sql.join(kept, sql` union `)}) as kept`.execute(this.db);
    return rows[0]?.total ?? 0;
  }

  /** Active cloud files, ordered by id. */
  listLinksAfter(id: string, limit: number): Promise<LinkRow[]> {
    return this.db
      .selectFrom("book_files")
      .select(["id", "fileName as name", "fileType"])
      .select((eb) => eb.ref("cloudUrl").$notNull().as("cloudUrl"))
      .where("cloudUrl", "is not", null)
      .where("isActive", "=", 1)
      .where("id", ">", id)
      .orderBy("id")
      .limit(limit)
      .execute();
  }

  /** Number of active cloud files. */
  async countLinks(): Promise<number> {
    const { count } = await this.db
      .selectFrom("book_files")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("cloudUrl", "is not", null)
      .where("isActive", "=", 1)
      .executeTakeFirstOrThrow();
    return count;
  }

  /** Active languages in which no active book has a file, including inherited files. */
  findLanguagesWithoutFiles(limit: number): Promise<LackingRow[]> {
    return this.db
      .selectFrom("languages")
      .select((eb) => [
        eb.cast<string>("languages.id", "text").as("id"),
        "languages.name",
        "languages.code as languageCode",
      ])
      .select(total)
      .where("languages.isActive", "=", 1)
      .where((eb) => {
        const books = eb.selectFrom("books").select("books.id").where("books.isActive", "=", 1);
        return eb.not(eb.exists(books.where((inBooks) => inBooks.exists(selectFilesOfBook(inBooks)))));
      })
      .orderBy("languages.code")
      .limit(limit)
      .execute();
  }

  /** The channel that the library shows, if it is inactive. */
  findClosedChannelOfLibrary(): Promise<{ name: string; total: number }[]> {
    return this.db
      .selectFrom("library")
      .innerJoin("channels", "channels.id", "library.channelId")
      .select("channels.name")
      .select(total)
      .where("channels.isActive", "=", 0)
      .execute();
  }

  /** Translations of active books in active languages in which the book has no file, including inherited files. */
  findTranslationsWithoutFile(limit: number): Promise<LackingRow[]> {
    return this.db
      .selectFrom("translations")
      .innerJoin("books", "books.id", "translations.bookId")
      .innerJoin("languages", "languages.id", "translations.languageId")
      .select(["translations.id", "books.slug as name", "languages.code as languageCode"])
      .select(total)
      .where("books.isActive", "=", 1)
      .where("languages.isActive", "=", 1)
      .where((eb) => eb.not(eb.exists(selectFilesOfBook(eb))))
      .orderBy("books.slug")
      .orderBy("languages.code")
      .limit(limit)
      .execute();
  }

  /** Active books that are on an active channel in a language in which they have no file, including inherited files. */
  findPublishedWithoutFile(limit: number): Promise<(LackingRow & { channel: string })[]> {
    return this.db
      .selectFrom("publications")
      .innerJoin("books", "books.id", "publications.bookId")
      .innerJoin("channels", "channels.id", "publications.channelId")
      .innerJoin("languages", "languages.id", "publications.languageId")
      .select([
        "books.id",
        "books.slug as name",
        "languages.code as languageCode",
        "channels.slug as channel",
      ])
      .select(total)
      .where("books.isActive", "=", 1)
      .where("channels.isActive", "=", 1)
      .where("languages.isActive", "=", 1)
      .where((eb) => eb.not(eb.exists(selectFilesOfBook(eb))))
      .orderBy("books.slug")
      .orderBy("languages.code")
      .orderBy("channels.slug")
      .limit(limit)
      .execute();
  }
}

/** The total number of rows, regardless of the limit. */
const total = <T extends keyof Schema>(eb: ExpressionBuilder<Schema, T>) =>
  eb.fn.countAll<number>().over().as("total");

/** What are the books and languages of a report called, and how often were they downloaded before this service? */
import type { Db } from "../db/kysely.ts";

export interface NamedBook {
  id: string;
  title: string;
  legacyDownloadCount: number;
}

export interface NamedLanguage {
  id: number;
  code: string;
  name: string;
  legacyDownloadCount: number;
}

export class ReportNames {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  books(): Promise<NamedBook[]> {
    return this.#db
      .selectFrom("books")
      .select(["id", "titleEn as title", "legacyDownloadCount"])
      .orderBy("id")
      .execute();
  }

  languages(): Promise<NamedLanguage[]> {
    return this.#db
      .selectFrom("languages")
      .select(["id", "code", "name", "legacyDownloadCount"])
      .orderBy("id")
      .execute();
  }

  /** What books were called when they were removed for good: their last line of the audit log has it. A bounded number. */
  deletedBooks(ids: readonly string[]): Promise<Pick<NamedBook, "id" | "title">[]> {
    const last = this.#db
      .selectFrom("audit_log")
      .select((eb) => eb.fn.max("id").as("id"))
      .where("objectId", "in", ids)
      .groupBy("objectId");
    return this.#db
      .selectFrom("audit_log")
      .select(["objectId as id", "objectName as title"])
      .where("id", "in", last)
      .execute();
  }

  /** What a language was called that is gone: as its last event says. */
  lastLanguage(languageId: number): Promise<{ code: string; name: string } | undefined> {
    return (
      this.#db
        .selectFrom("download_events")
        .select(["languageCode as code", "languageName as name"])
        .where("languageId", "=", languageId)
        // As its index goes: by their ids, all events of the language would be sorted.
        .orderBy("downloadedAt", "desc")
        .limit(1)
        .executeTakeFirst()
    );
  }
}

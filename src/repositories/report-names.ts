/** The names of the books and languages in a report, and their download counts from an earlier system. */
import { Repository } from "./repository.ts";

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

export class ReportNames extends Repository {
  /** The first books after this id, by id. */
  listBooks(afterId: string, limit: number): Promise<NamedBook[]> {
    return this.db
      .selectFrom("books")
      .select(["id", "titleEn as title", "legacyDownloadCount"])
      .where("id", ">", afterId)
      .orderBy("id")
      .limit(limit)
      .execute();
  }

  listLanguages(): Promise<NamedLanguage[]> {
    return this.db
      .selectFrom("languages")
      .select(["id", "code", "name", "legacyDownloadCount"])
      .orderBy("id")
      .execute();
  }

  /** The last known titles of deleted books, from their latest audit entries. Call it with a bounded number of ids. */
  findDeletedBooks(ids: readonly string[]): Promise<Pick<NamedBook, "id" | "title">[]> {
    const last = this.db
      .selectFrom("audit_log")
      .select((eb) => eb.fn.max("id").as("id"))
      .where("objectId", "in", ids)
      .groupBy("objectId");
    return this.db
      .selectFrom("audit_log")
      .select(["objectId as id", "objectName as title"])
      .where("id", "in", last)
      .execute();
  }

  /** The last known name of a deleted language, from its latest event. */
  findLastLanguage(languageId: number): Promise<{ code: string; name: string } | undefined> {
    return (
      this.db
        .selectFrom("download_events")
        .select(["languageCode as code", "languageName as name"])
        .where("languageId", "=", languageId)
        // In index order: ordering by id would sort all events of the language.
        .orderBy("downloadedAt", "desc")
        .limit(1)
        .executeTakeFirst()
    );
  }
}

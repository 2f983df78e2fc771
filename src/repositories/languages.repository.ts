/** Languages. */
import { type Insertable, type Selectable, sql } from "kysely";
import { allOf, type Schema } from "../db/schema.ts";
import { compareNames } from "../lib/collections.ts";
import type { LanguageUsage } from "../schemas/languages.schemas.ts";
import { BookTexts } from "./book-texts.ts";
import { hasRows, Repository, repositoryOf } from "./repository.ts";

export type LanguageRow = Selectable<Schema["languages"]>;

export class LanguagesRepository extends repositoryOf<"languages", number>("languages") {
  readonly #texts = new BookTexts(this.db);

  /** All languages, ordered by name. */
  async list(): Promise<LanguageRow[]> {
    const rows = await this.db.selectFrom("languages").select(allOf("languages")).orderBy("id").execute();
    return rows.sort((a, b) => compareNames(a.name, b.name));
  }

  findByCode(code: string): Promise<LanguageRow | undefined> {
    return this.findBy("codeKey", code.toLowerCase());
  }

  /** The ids of the known languages among the codes, by lower-case code. */
  async findIdsByCodes(codes: readonly string[]): Promise<Map<string, number>> {
    if (codes.length === 0) return new Map();
    const keys = codes.map((code) => code.toLowerCase());
    const rows = await this.db
      .selectFrom("languages")
      .select(["codeKey", "id"])
      .where("codeKey", "in", keys)
      .execute();
    return new Map(rows.map(({ codeKey, id }) => [codeKey, id]));
  }

  findByDomain(domain: string): Promise<LanguageRow | undefined> {
    return this.findBy("customDomain", domain);
  }

  /** For each book, the sorted codes of the languages in which it has a translation or a file. */
  async findCodesOfBooks(bookIds: readonly string[]): Promise<Map<string, string[]>> {
    if (bookIds.length === 0) return new Map();
    const inTranslations = this.db
      .selectFrom("translations")
      .select(["bookId", "languageId"])
      .where("bookId", "in", bookIds);
    const inFiles = this.db
      .selectFrom("book_files")
      .select(["bookId", "languageId"])
      .where("bookId", "in", bookIds);
    const rows = await this.db
      .selectFrom(inTranslations.union(inFiles).as("used"))
      .innerJoin("languages", "languages.id", "used.languageId")
      .select(["used.bookId", "languages.code"])
      .orderBy("languages.code")
      .execute();
    const codes = new Map<string, string[]>();
    for (const { bookId, code } of rows) codes.set(bookId, [...(codes.get(bookId) ?? []), code]);
    return codes;
  }

  hasChildren(id: number): Promise<boolean> {
    return hasRows(this.db.selectFrom("languages").where("parentId", "=", id));
  }

  /** Its translations are deleted with it. */
  override async delete(id: number): Promise<void> {
    await this.#texts.removeLanguage(id);
    await super.delete(id);
  }

  add(row: Insertable<Schema["languages"]>): Promise<LanguageRow> {
    return this.db
      .insertInto("languages")
      .values(row)
      .returning(allOf("languages"))
      .executeTakeFirstOrThrow();
  }
}

export interface LanguageCounts {
  languageId: number;
  booksCount: number;
  filesCount: number;
}

/** What belongs to languages. It counts many rows, so it runs beside the event loop. */
export class LanguageUsageQuery extends Repository {
  /** The active files of active books, and these books, of each language that has any. */
  countFiles(): Promise<LanguageCounts[]> {
    return (
      this.db
        .selectFrom("book_files")
        .select("languageId")
        .select((eb) => [
          eb.fn.count<number>("bookId").distinct().as("booksCount"),
          eb.fn.countAll<number>().as("filesCount"),
        ])
        // As in the condition of the index, which a parameter wouldn't match.
        .where((eb) => eb("isActive", "=", eb.lit(1)))
        .where("bookId", "not in", this.db.selectFrom("books").select("id").where("isActive", "=", 0))
        .groupBy("languageId")
        .execute()
    );
  }

  of(id: number): Promise<LanguageUsage> {
    const countRows = (table: "translations" | "book_files" | "publications" | "download_events") =>
      this.db
        .selectFrom(table)
        .where("languageId", "=", id)
        .select(sql<number>`count(*)`.as("n"))
        .$asScalar()
        .$notNull();
    return this.db
      .selectNoFrom([
        countRows("translations").as("translations"),
        countRows("book_files").as("files"),
        countRows("publications").as("publications"),
        countRows("download_events").as("downloads"),
      ])
      .executeTakeFirstOrThrow();
  }
}

/** Queries of the doctor for files in a wrong place, and for books and files that are there twice. */
import { sql } from "kysely";
import { splitIntoBatches } from "../lib/collections.ts";
import { Repository, ROWS_PER_STATEMENT } from "./repository.ts";

/** What a content says, and its place. */
export interface SaidRow {
  id: string;
  fileName: string;
  fileType: string;
  languageId: number;
  bookId: string;
  slug: string;
  titleEn: string;
  series: string | null;
  code: string;
  title: string | null;
  inheritedTitle: string | null;
  isbn: string | null;
  inheritedIsbn: string | null;
  saidTitle: string | null;
  saidCode: string | null;
  saidIsbn: string | null;
}

export interface NamedBook {
  id: string;
  slug: string;
  titleEn: string;
}

export interface LikeEdition {
  bookId: string;
  /** JSON. */
  authors: string;
  languageCode: string;
  /** Folded. */
  title: string;
}

/** What is known of an edition by which a file could be of it. */
export interface OtherEdition {
  bookId: string;
  languageCode: string;
  /** Folded. */
  title: string;
  isbn: string | null;
}

export interface EqualFile {
  id: string;
  fileName: string;
  languageCode: string;
  sha256: string;
  bookId: string;
  slug: string;
  titleEn: string;
}

/** So many books of one title tell nothing more. */
const MAX_EDITIONS = 5_000;

export class MixUpsRepository extends Repository {
  /** Active files of active books whose content was read, ordered by id, with what the content and the place say. */
  listSaidAfter(id: string, limit: number): Promise<SaidRow[]> {
    return this.db
      .selectFrom("book_files")
      .innerJoin("contents", "contents.sha256", "book_files.sha256")
      .innerJoin("books", "books.id", "book_files.bookId")
      .innerJoin("languages", "languages.id", "book_files.languageId")
      .leftJoin("translations", (join) =>
        join
          .onRef("translations.bookId", "=", "books.id")
          .onRef("translations.languageId", "=", "book_files.languageId"),
      )
      .leftJoin("translations as inherited", (join) =>
        join
          .onRef("inherited.bookId", "=", "books.id")
          .onRef("inherited.languageId", "=", "languages.parentId"),
      )
      .select(["book_files.id", "book_files.fileName", "book_files.fileType", "book_files.languageId"])
      .select(["books.id as bookId", "books.slug", "books.titleEn", "books.series", "languages.code"])
      .select(["translations.title", "translations.isbn", "inherited.title as inheritedTitle"])
      .select("inherited.isbn as inheritedIsbn")
      .select(["contents.title as saidTitle", "contents.languageCode as saidCode"])
      .select(["contents.isbn as saidIsbn"])
      .where("book_files.isActive", "=", 1)
      .where("books.isActive", "=", 1)
      .where("book_files.id", ">", id)
      .orderBy("book_files.id")
      .limit(limit)
      .execute();
  }

  /**
   * Editions of active books with the folded title and the language of another book's, those of the same title in a row.
   * A book without an English edition has one with its English title. Reads all titles.
   */
  async listLikeEditions(limit: number): Promise<LikeEdition[]> {
    const { rows } = await sql<LikeEdition>`
      with editions as (
        select "translations"."bookId" as "bookId", "languages"."code" as "languageCode",
          split_part("translations"."searchText", ${"\n"}, 1) as title,
          case when "translations"."authors" = '[]' then "books"."authors" else "translations"."authors" end as authors
        from "translations"
          inner join "books" on "books"."id" = "translations"."bookId" and "books"."isActive" = 1
          inner join "languages" on "languages"."id" = "translations"."languageId"
        union all
        select "books"."id", 'en', split_part("books"."searchText", ${"\n"}, 1),
          case when "books"."authors" = '[]' then coalesce((
            select min("translations"."authors") from "translations"
            where "translations"."bookId" = "books"."id" and "translations"."authors" <> '[]'
          ), '[]') else "books"."authors" end
        from "books" where "books"."isActive" = 1 and not exists (
          select 1 from "translations" inner join "languages" on "languages"."id" = "translations"."languageId"
          where "translations"."bookId" = "books"."id" and "languages"."code" = 'en'
        )
      ), shared as (
        select "languageCode", title from editions
        where title <> '' group by "languageCode", title having min("bookId") <> max("bookId")
      )
      select editions."bookId", editions.authors, editions."languageCode", editions.title as title
      from shared inner join editions
        on editions."languageCode" = shared."languageCode" and editions.title = shared.title
      order by editions."languageCode", editions.title, editions."bookId"
      limit ${limit}
    `.execute(this.db);
    return rows;
  }

  /** Active files of active books whose bytes another active book has, too; the files of the same bytes in a row. */
  listEqualFiles(limit: number): Promise<EqualFile[]> {
    const shared = this.db
      .selectFrom("book_files")
      .innerJoin("books", "books.id", "book_files.bookId")
      .select("book_files.sha256")
      .where("book_files.sha256", "is not", null)
      .where("book_files.isActive", "=", 1)
      .where("books.isActive", "=", 1)
      .groupBy("book_files.sha256")
      .having((eb) => eb(eb.fn.min("book_files.bookId"), "<>", eb.fn.max("book_files.bookId")));
    return this.db
      .selectFrom("book_files")
      .innerJoin("books", "books.id", "book_files.bookId")
      .innerJoin("languages", "languages.id", "book_files.languageId")
      .select(["book_files.id", "book_files.fileName", "languages.code as languageCode"])
      .select((eb) => eb.ref("book_files.sha256").$notNull().as("sha256"))
      .select(["books.id as bookId", "books.slug", "books.titleEn"])
      .where("book_files.sha256", "in", shared)
      .where("book_files.isActive", "=", 1)
      .where("books.isActive", "=", 1)
      .orderBy("book_files.sha256")
      .orderBy("book_files.id")
      .limit(limit)
      .execute();
  }

  /** Editions of active books with one of these folded titles or of these ISBNs; the first ones. Reads all translations. */
  findEditions(titles: readonly string[], isbns: readonly string[]): Promise<OtherEdition[]> {
    const title = sql<string>`split_part("translations"."searchText", ${"\n"}, 1)`;
    return this.db
      .selectFrom("translations")
      .innerJoin("books", "books.id", "translations.bookId")
      .innerJoin("languages", "languages.id", "translations.languageId")
      .select(["translations.bookId", "languages.code as languageCode", "translations.isbn"])
      .select(title.as("title"))
      .where("books.isActive", "=", 1)
      .where((eb) =>
        eb.or([
          ...(titles.length > 0 ? [eb(title, "in", titles)] : []),
          ...(isbns.length > 0 ? [eb("translations.isbn", "in", isbns)] : []),
        ]),
      )
      .orderBy("translations.id")
      .limit(MAX_EDITIONS)
      .execute();
  }

  /** The slugs and English titles of books, by id. */
  async findBooks(ids: readonly string[]): Promise<Map<string, NamedBook>> {
    const books = new Map<string, NamedBook>();
    for (const batch of splitIntoBatches([...new Set(ids)], ROWS_PER_STATEMENT)) {
      const rows = await this.db
        .selectFrom("books")
        .select(["id", "slug", "titleEn"])
        .where("id", "in", batch)
        .execute();
      for (const row of rows) books.set(row.id, row);
    }
    return books;
  }

  /** All languages with their parents. */
  listLanguages(): Promise<{ id: number; code: string; parentId: number | null }[]> {
    return this.db.selectFrom("languages").select(["id", "code", "parentId"]).execute();
  }

  /** The titles of a book in all languages. */
  async listTitles(bookId: string): Promise<string[]> {
    const rows = await this.db
      .selectFrom("translations")
      .select("title")
      .where("bookId", "=", bookId)
      .execute();
    return rows.map(({ title }) => title);
  }
}

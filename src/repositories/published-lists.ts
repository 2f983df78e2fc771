/** Lists of published books. Their statements grow with the catalogue: they are bound to connections beside the event loop. */
import { allOf } from "../db/columns.ts";
import type { SearchWords } from "../lib/text.ts";
import type { BookRow } from "./books.repository.ts";
import { isPublishedByFile, isPublishedInLists, type PublicationFilter } from "./publication-rules.ts";
import { type Page, Repository, selectPage, splitTotal } from "./repository.ts";
import { hasWords, matchBook } from "./search.ts";

interface PublishedFilter extends PublicationFilter {
  search?: SearchWords | undefined;
}

export class PublishedLists extends Repository {
  /** A page and the total number of matches in one statement, so that the catalogue is scanned once. */
  async page(
    { search, ...filter }: PublishedFilter,
    page: Page,
  ): Promise<{ rows: BookRow[]; total: number }> {
    const published = this.#selectPublished(filter);
    if (search !== undefined) {
      const matching = published.where((eb) => matchBook(eb, search));
      return splitTotal(await this.#findPage(search, filter, page), page, matching);
    }
    const found = await selectPage(this.db, published, page).select(allOf("books")).execute();
    return splitTotal(found, page, published);
  }

  /**
   * The ids that a search finds are kept while the statement runs: they are counted, and looked up in the order of books
   * until the page is full. Joined with the books, all of them would be sorted, which `is true` prevents.
   */
  #findPage(search: SearchWords, filter: PublicationFilter, { limit, offset }: Page) {
    return this.db
      .with(
        (cte) => cte("found").materialized(),
        () => this.#selectFound(search, filter),
      )
      .selectFrom((eb) =>
        eb
          .selectFrom("books")
          .select("books.id as bookId")
          .where((book) =>
            book(
              book("books.id", "in", book.selectFrom("found").select("found.bookId")),
              "is",
              book.lit(true),
            ),
          )
          .orderBy("books.sortOrder")
          .orderBy("books.id")
          .limit(limit)
          .offset(offset)
          .as("page"),
      )
      .innerJoin("books", "books.id", "page.bookId")
      .select(allOf("books"))
      .select((eb) =>
        eb
          .selectFrom("found")
          .select(eb.fn.countAll<number>().as("total"))
          .$asScalar()
          .$notNull()
          .as("total"),
      )
      .orderBy("books.sortOrder")
      .orderBy("books.id")
      .execute();
  }

  #selectFound(search: SearchWords, filter: PublicationFilter) {
    return this.db
      .selectFrom("book_texts")
      .select("book_texts.bookId")
      .where((eb) => hasWords(eb.ref("book_texts.searchText"), search))
      .where((eb) => isPublishedInLists(eb.ref("book_texts.bookId"), filter));
  }

  /** The ids of all books, in their order. */
  async ids(filter: PublicationFilter): Promise<string[]> {
    const rows = await this.#selectPublished(filter)
      .select("id")
      .orderBy("sortOrder")
      .orderBy("id")
      .execute();
    return rows.map(({ id }) => id);
  }

  /**
   * Number of published books by active language. Each language has a subquery of its own: a join of files and languages
   * by two columns would compare all pairs on PostgreSQL.
   */
  async countBooksByLanguage(): Promise<Map<number, number>> {
    const rows = await this.db
      .selectFrom("languages")
      .select("languages.id as languageId")
      .select((eb) =>
        eb
          .selectFrom("book_files")
          .select((files) => files.fn.count<number>("book_files.bookId").distinct().as("books"))
          .where((files) => isPublishedByFile(files))
          .as("booksCount"),
      )
      .where("languages.isActive", "=", 1)
      .execute();
    return new Map(rows.map((row) => [row.languageId, row.booksCount ?? 0]));
  }

  #selectPublished(filter: PublicationFilter) {
    return this.db.selectFrom("books").where((eb) => isPublishedInLists(eb.ref("books.id"), filter));
  }
}

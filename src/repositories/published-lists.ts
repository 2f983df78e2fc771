/** Lists of published books. Their statements grow with the catalogue: they are bound to connections beside the event loop. */
import {
  type AliasableExpression,
  type Expression,
  type ExpressionBuilder,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
} from "kysely";
import { createBookSearch } from "../db/book-search.ts";
import { allOf, type Schema } from "../db/schema.ts";
import type { FoundBooks } from "../db/searched-texts.ts";
import { escapeLike, type SearchWords } from "../lib/text.ts";
import type { BookRow } from "./books.repository.ts";
import {
  isPublishedByFile,
  isPublishedInLists,
  type LanguageScope,
  type PublicationFilter,
  scopeIds,
} from "./publication-rules.ts";
import { type Page, Repository, selectPage, splitTotal } from "./repository.ts";
import { hasWordsOfBook, isFound } from "./search.ts";

interface PublishedFilter extends PublicationFilter {
  search?: SearchWords | undefined;
}

/** Besides that of the administrators: the newest in the language first, or by the folded title in it. */
export type ListOrder = "newest" | "title";

interface CountScope {
  /** In epoch milliseconds. */
  at: number;
  channelId?: string | undefined;
  languageIds?: readonly number[];
}

interface PartOfList {
  filter: PublicationFilter;
  page: Page;
}

export class PublishedLists extends Repository {
  readonly #search = createBookSearch(this.db);

  /** A page and the total number of matches in one statement, so that the catalogue is scanned once. */
  async page(
    { search, ...filter }: PublishedFilter,
    page: Page,
  ): Promise<{ rows: BookRow[]; total: number }> {
    const published = this.#selectPublished(filter);
    if (search !== undefined) {
      const found = await this.#search.find(search);
      const rows = await (found.number === "many"
        ? this.#pageOfMany(
            found,
            published.where((eb) => hasWordsOfBook(eb, search)),
            { filter, page },
          )
        : this.#pageOf(found, { filter, page }));
      const matching = published.where((eb) => isFound(eb, found));
      return splitTotal(rows, page, matching);
    }
    const found = await selectPage(this.db, published, page).select(allOf("books")).execute();
    return splitTotal(found, page, published);
  }

  /** A page of what is published in a language, in another order than that of the administrators. */
  async pageInOrder(
    { search, language, ...filter }: PublishedFilter & { language: LanguageScope },
    order: ListOrder,
    page: Page,
  ): Promise<{ rows: BookRow[]; total: number }> {
    const published = this.#selectPublished({ language, ...filter });
    const found = search && (await this.#search.find(search));
    const matching = found ? published.where((eb) => isFound(eb, found)) : published;
    const direction = order === "newest" ? "desc" : "asc";
    const onPage = matching
      .select((eb) => [
        "books.id as bookId",
        sortKeyIn(eb, order, language).as("key"),
        eb.fn.countAll<number>().over().as("total"),
      ])
      .orderBy("key", direction)
      .orderBy("books.id")
      .limit(page.limit)
      .offset(page.offset);
    const rows = await this.db
      .selectFrom(onPage.as("page"))
      .innerJoin("books", "books.id", "page.bookId")
      .select(allOf("books"))
      .select("page.total")
      .orderBy("page.key", direction)
      .orderBy("books.id")
      .execute();
    return splitTotal(rows, page, matching);
  }

  /** The books of a series, at most as many as `limit`. Positions are inside the stored JSON. */
  ofSeries(filter: PublicationFilter, name: string, limit: number): Promise<BookRow[]> {
    const pattern = `{"name":${escapeLike(JSON.stringify(name))},"position":%`;
    return this.#selectPublished(filter)
      .select(allOf("books"))
      .where(({ ref }) => sql<boolean>`${ref("books.series")} like ${pattern} escape '\\'`)
      .orderBy("sortOrder")
      .orderBy("id")
      .limit(limit)
      .execute();
  }

  /** Keeping many would take longer than counting them, and than looking for those of the page in the order of all books. */
  #pageOfMany(
    found: FoundBooks,
    matching: SelectQueryBuilder<Schema, "books", object>,
    { filter, page: { limit, offset } }: PartOfList,
  ): Promise<(BookRow & { total: number })[]> {
    const page = matching
      .select("books.id as bookId")
      .orderBy("books.sortOrder")
      .orderBy("books.id")
      .limit(limit)
      .offset(offset);
    const all = this.#selectFound(found, filter).select((eb) => eb.fn.countAll<number>().as("total"));
    return this.db
      .selectFrom(page.as("page"))
      .innerJoin("books", "books.id", "page.bookId")
      .select(allOf("books"))
      .select(all.$asScalar().$notNull().as("total"))
      .orderBy("books.sortOrder")
      .orderBy("books.id")
      .execute();
  }

  /** The ids that a search finds are kept while the statement runs: they are counted, and the page is chosen from them. */
  #pageOf(found: FoundBooks, { filter, page: { limit, offset } }: PartOfList) {
    return this.db
      .with(
        (cte) => cte("found").materialized(),
        () => this.#selectFound(found, filter).select("matching.bookId"),
      )
      .selectFrom((eb) =>
        eb
          .selectFrom("books")
          .where((book) => {
            const isKept = book("books.id", "in", book.selectFrom("found").select("found.bookId"));
            // Without `is true`, all of them would be sorted.
            return found.number === "few" ? isKept : book(isKept, "is", book.lit(true));
          })
          .select("books.id as bookId")
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

  #selectFound({ ids }: FoundBooks, filter: PublicationFilter) {
    return this.db
      .selectFrom(ids.as<"matching">(sql`"matching"`))
      .where((eb) => isPublishedInLists(eb.ref("matching.bookId"), filter));
  }

  /** When each of the books was published: at its date, or else with its first active file in the language; by id. */
  async readFirstTimes(
    bookIds: readonly string[],
    language: LanguageScope,
  ): Promise<ReadonlyMap<string, number>> {
    if (bookIds.length === 0) return new Map();
    const rows = await this.db
      .selectFrom("book_files")
      .innerJoin("books", "books.id", "book_files.bookId")
      .select((eb) => [
        "book_files.bookId",
        eb.fn.coalesce("books.publishAt", eb.fn.min("book_files.createdAt")).as("firstAt"),
      ])
      .where("book_files.bookId", "in", bookIds)
      .where("book_files.languageId", "in", scopeIds(language))
      .where((file) => file("book_files.isActive", "=", file.lit(1)))
      .groupBy(["book_files.bookId", "books.publishAt"])
      .execute();
    return new Map(rows.map(({ bookId, firstAt }) => [bookId, firstAt]));
  }

  /** A part of the published books, in an order that only new and removed books change, with the times of their changes. */
  async listChanges(
    filter: PublicationFilter & { language: LanguageScope },
    { limit, offset }: Page,
  ): Promise<{ slug: string; modifiedAt: number }[]> {
    const ids = scopeIds(filter.language);
    const rows = await this.#selectPublished(filter)
      .select((eb) => [
        "books.slug",
        "books.updatedAt",
        eb
          .selectFrom("translations")
          .select((text) => text.fn.max("translations.updatedAt").as("at"))
          .whereRef("translations.bookId", "=", "books.id")
          .where("translations.languageId", "in", ids)
          .as("translatedAt"),
        eb
          .selectFrom("book_files")
          .select((file) => file.fn.max("book_files.updatedAt").as("at"))
          .whereRef("book_files.bookId", "=", "books.id")
          .where("book_files.languageId", "in", ids)
          .where((file) => file("book_files.isActive", "=", file.lit(1)))
          .as("filedAt"),
      ])
      .orderBy("books.id")
      .limit(limit)
      .offset(offset)
      .execute();
    return rows.map(({ slug, updatedAt, translatedAt, filedAt }) => ({
      slug,
      modifiedAt: Math.max(updatedAt, translatedAt ?? 0, filedAt ?? 0),
    }));
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
   * @param channelId if given, only books on that channel
   * @param languageIds if given, only of these
   */
  async countBooksByLanguage({ at, channelId, languageIds }: CountScope): Promise<Map<number, number>> {
    const rows = await this.db
      .selectFrom("languages")
      .select("languages.id as languageId")
      .select((eb) =>
        eb
          .selectFrom("book_files")
          .select((files) => files.fn.count<number>("book_files.bookId").distinct().as("books"))
          .where((files) => isPublishedByFile(files, at, channelId))
          .as("booksCount"),
      )
      .where("languages.isActive", "=", 1)
      .$if(languageIds !== undefined, (query) => query.where("languages.id", "in", languageIds ?? []))
      .execute();
    return new Map(rows.map((row) => [row.languageId, row.booksCount ?? 0]));
  }

  #selectPublished(filter: PublicationFilter) {
    return this.db.selectFrom("books").where((eb) => isPublishedInLists(eb.ref("books.id"), filter));
  }
}

/** The first line of a search text is the folded title. */
const firstLine = (searchText: Expression<string>): RawBuilder<string> =>
  sql<string>`split_part(${searchText}, ${"\n"}, 1)`;

function sortKeyIn(
  eb: ExpressionBuilder<Schema, "books">,
  order: ListOrder,
  language: LanguageScope,
): AliasableExpression<string | number | null> {
  if (order === "newest") {
    const firstFile = eb
      .selectFrom("book_files")
      .select((file) => file.fn.min("book_files.createdAt").as("firstAt"))
      .whereRef("book_files.bookId", "=", "books.id")
      .where("book_files.languageId", "in", scopeIds(language))
      .where((file) => file("book_files.isActive", "=", file.lit(1)))
      .$asScalar();
    return eb.fn.coalesce("books.publishAt", firstFile);
  }
  const titleIn = (languageId: number) =>
    eb
      .selectFrom("translations")
      .select((text) => firstLine(text.ref("translations.searchText")).as("title"))
      .whereRef("translations.bookId", "=", "books.id")
      .where("translations.languageId", "=", languageId)
      .$asScalar();
  const { id, parentId } = language;
  const inEnglish = firstLine(eb.ref("books.searchText"));
  return parentId === null
    ? eb.fn.coalesce(titleIn(id), inEnglish)
    : eb.fn.coalesce(titleIn(id), titleIn(parentId), inEnglish);
}

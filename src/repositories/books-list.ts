/** The list of books for administrators, with its filters and orders. */
import {
  type AliasableExpression,
  type Expression,
  type ExpressionBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from "kysely";
import { createBookSearch } from "../db/book-search.ts";
import { allOf, type Schema } from "../db/schema.ts";
import type { FoundBooks } from "../db/searched-texts.ts";
import { escapeLike, foldForSearch, type SearchWords } from "../lib/text.ts";
import type { BookSort, CreditFilter, MissingPart } from "../schemas/book-list.schemas.ts";
import { storedSeries, storedTexts } from "../schemas/credits.schemas.ts";
import type { BookRow } from "./books.repository.ts";
import { isPublished, type LanguageScope, type PublicationFilter, scopeIds } from "./publication-rules.ts";
import { type Page, Repository, splitTotal } from "./repository.ts";
import { hasWordsOfBook, isFound } from "./search.ts";

export interface BookWithCounts extends BookRow {
  translationsCount: number;
  filesCount: number;
  totalDownloads: number;
  hasCover: SqlBool;
}

export interface BookListFilter {
  isActive?: 0 | 1 | undefined;
  search?: SearchWords | undefined;
  /** Only books with a translation or a file in this language. */
  languageId?: number | undefined;
  /** Only books that are published in the language, on the channel, or both. */
  published?: PublicationFilter | undefined;
  /** Only books without this part in the language and its parent; without a language, without any cover. */
  missing?: { part: MissingPart; language: LanguageScope | undefined } | undefined;
  /** The spellings of each value, as they are stored. */
  credits?: readonly { filter: CreditFilter; spellings: readonly string[] }[] | undefined;
  /** Epoch milliseconds. */
  updatedFrom?: number | undefined;
}

type ConditionsOfList = Omit<BookListFilter, "search">;

export interface BookOrdering {
  by: BookSort;
  isDescending: boolean;
}

const countAll = sql<number>`count(*)`.as("n");
const totalDownloads = sql<number>`coalesce(sum(${sql.ref("downloadCount")}), 0)`;

/** Many books can have the value in other fields, such as the title; their spellings are read in pages. */
const SPELLINGS_AT_ONCE = 200;

type InBooks = ExpressionBuilder<Schema, "books">;

export class BooksListQuery extends Repository {
  readonly #search = createBookSearch(this.db);

  /** A page and the total number of matches in one statement, so that the filters run once. */
  async list(filter: BookListFilter, ordering: BookOrdering, { limit, offset }: Page) {
    const direction = ordering.isDescending ? "desc" : "asc";
    const { search, ...others } = filter;
    const found = search && (await this.#search.find(search));
    const filtered = this.#selectFiltered(others, found);
    const page = (
      search && found?.number === "many" && ordering.by === "sortOrder" && isOfAll(others)
        ? this.#selectOfMany(search, found, others, ordering)
        : selectInOrder(filtered, ordering).select((eb) => eb.fn.countAll<number>().over().as("total"))
    )
      .limit(limit)
      .offset(offset);
    const rows = await this.db
      .selectFrom(page.as("page"))
      .innerJoin("books", "books.id", "page.bookId")
      .select(allOf("books"))
      .select("page.total")
      .select(countsOf)
      .orderBy("page.key", direction)
      .orderBy("books.id")
      .execute();
    return splitTotal(rows, { limit, offset }, filtered);
  }

  /** The ids of all matches, in their order. */
  async listIds(filter: BookListFilter, ordering: BookOrdering): Promise<string[]> {
    const rows = await selectInOrder(await this.#selectMatching(filter), ordering).execute();
    return rows.map(({ bookId }) => bookId);
  }

  /** Those of these books that exist, in the order of the ids. Call it with a bounded number of ids. */
  async findAll(ids: readonly string[]): Promise<BookWithCounts[]> {
    const rows = await this.db
      .selectFrom("books")
      .select(allOf("books"))
      .select(countsOf)
      .where("books.id", "in", ids)
      .execute();
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /** The formats of the active files of each book, sorted. Call it with a bounded number of ids. */
  async fileTypesOf(bookIds: readonly string[]): Promise<Map<string, string[]>> {
    if (bookIds.length === 0) return new Map();
    const rows = await this.db
      .selectFrom("book_files")
      .select(["bookId", "fileType"])
      .distinct()
      .where("bookId", "in", bookIds)
      .where("isActive", "=", 1)
      .orderBy("fileType")
      .execute();
    const byBook = Map.groupBy(rows, ({ bookId }) => bookId);
    return new Map([...byBook].map(([id, types]) => [id, types.map(({ fileType }) => fileType)]));
  }

  /**
   * All spellings of a value in the field, as stored: case and accents are ignored. The value is a line of the folded
   * search text, by which the books are found; each statement leaves out the spellings that are known already.
   * @param max of spellings; more are not read
   */
  async spellingsOf(filter: CreditFilter, value: string, max: number): Promise<string[]> {
    const folded = foldForSearch(value);
    const spellings = new Set<string>();
    let last = "";
    while (spellings.size < max) {
      const rows = await this.#rowsWithLine(folded)
        .select(["books.id", `books.${COLUMNS[filter]} as stored`])
        .where("books.id", ">", last)
        .where((eb) => eb.not(hasCredit(eb, filter, [...spellings])))
        .where(`books.${COLUMNS[filter]}`, "is not", null)
        .orderBy("books.id")
        .limit(SPELLINGS_AT_ONCE)
        .execute();
      for (const { stored } of rows)
        for (const spelling of valuesIn(filter, stored ?? ""))
          if (foldForSearch(spelling) === folded) spellings.add(spelling);
      const end = rows.at(-1);
      if (!end || rows.length < SPELLINGS_AT_ONCE) break;
      last = end.id;
    }
    return [...spellings];
  }

  #rowsWithLine(folded: string) {
    const pattern = `%\n${escapeLike(folded)}\n%`;
    return this.db
      .selectFrom("books")
      .where((eb) => sql<SqlBool>`${eb.ref("books.searchText")} || ${"\n"} like ${pattern} escape '\\'`);
  }

  /** Keeping and sorting many would take longer than counting them, and than looking for those of a page in the order of all books. */
  #selectOfMany(search: SearchWords, found: FoundBooks, filter: ConditionsOfList, ordering: BookOrdering) {
    const inOrder = selectInOrder(
      this.#selectFiltered(filter, undefined).where((eb) => hasWordsOfBook(eb, search)),
      ordering,
    );
    const counted = this.db.selectFrom(found.ids.as<"matching">(sql`"matching"`)).select(countAll);
    const others = (isActive: 0 | 1) =>
      this.db.selectFrom("books").select("books.id").where("books.isActive", "<>", isActive);
    const { isActive } = filter;
    const ofStatus =
      isActive === undefined ? counted : counted.where("matching.bookId", "not in", others(isActive));
    return inOrder.select(ofStatus.$asScalar().$notNull().as("total"));
  }

  async #selectMatching({ search, ...filter }: BookListFilter) {
    return this.#selectFiltered(filter, search && (await this.#search.find(search)));
  }

  #selectFiltered(
    { isActive, languageId, published, missing, credits = [], updatedFrom }: ConditionsOfList,
    found: FoundBooks | undefined,
  ) {
    let query = this.db.selectFrom("books");
    if (isActive !== undefined) query = query.where("books.isActive", "=", isActive);
    if (updatedFrom !== undefined) query = query.where("books.updatedAt", ">=", updatedFrom);
    if (languageId !== undefined) query = query.where((eb) => isUsedIn(eb, languageId));
    for (const { filter, spellings } of credits)
      query = query.where((eb) => hasCredit(eb, filter, spellings));
    if (missing) query = query.where((eb) => eb.not(eb.exists(partsOf(eb, missing))));
    if (published) query = query.where((eb) => isPublished(eb, published));
    return found ? query.where((eb) => isFound(eb, found)) : query;
  }
}

/** Nearly each book that a search finds is in the list. */
const isOfAll = ({ isActive: _, credits, ...others }: ConditionsOfList): boolean =>
  (credits ?? []).length === 0 && Object.values(others).every((condition) => condition === undefined);

const filesOf = (eb: InBooks) => eb.selectFrom("book_files").whereRef("book_files.bookId", "=", "books.id");

const coversOf = (eb: InBooks) =>
  eb.selectFrom("covers").select("covers.id").whereRef("covers.bookId", "=", "books.id");

function isUsedIn(eb: InBooks, languageId: number): Expression<SqlBool> {
  const selectInLanguage = (table: "translations" | "book_files") =>
    eb.selectFrom(table).select("bookId").where("languageId", "=", languageId);
  return eb.or([
    eb("books.id", "in", selectInLanguage("translations")),
    eb("books.id", "in", selectInLanguage("book_files")),
  ]);
}

const countsOf = (eb: InBooks) => {
  const translations = eb.selectFrom("translations").whereRef("translations.bookId", "=", "books.id");
  const activeFiles = filesOf(eb).where("book_files.isActive", "=", 1);
  return [
    translations.select(countAll).$asScalar().$notNull().as("translationsCount"),
    activeFiles.select(countAll).$asScalar().$notNull().as("filesCount"),
    filesOf(eb).select(totalDownloads.as("n")).$asScalar().$notNull().as("totalDownloads"),
    eb.exists(coversOf(eb)).as("hasCover"),
  ] as const;
};

/** What the readers of the language get of this kind. */
function partsOf(eb: InBooks, { part, language }: NonNullable<BookListFilter["missing"]>) {
  const ids = language && scopeIds(language);
  if (part === "cover") return ids ? coversOf(eb).where("covers.languageId", "in", ids) : coversOf(eb);
  if (part === "file") {
    const files = filesOf(eb).select("book_files.id").where("book_files.isActive", "=", 1);
    return ids ? files.where("book_files.languageId", "in", ids) : files;
  }
  const translations = eb
    .selectFrom("translations")
    .select("translations.id")
    .whereRef("translations.bookId", "=", "books.id");
  return ids ? translations.where("translations.languageId", "in", ids) : translations;
}

/** The first line of the search text is the folded title. */
const sortKey = (eb: InBooks, by: BookSort): AliasableExpression<string | number> => {
  if (by === "title") return sql<string>`split_part(${eb.ref("books.searchText")}, ${"\n"}, 1)`;
  if (by === "downloads") return filesOf(eb).select(totalDownloads.as("n")).$asScalar().$notNull();
  return eb.ref(`books.${by}`);
};

const selectInOrder = (
  filtered: SelectQueryBuilder<Schema, "books", object>,
  { by, isDescending }: BookOrdering,
) =>
  filtered
    .select((eb) => ["books.id as bookId", sortKey(eb, by).as("key")])
    .orderBy("key", isDescending ? "desc" : "asc")
    .orderBy("books.id");

const COLUMNS = { tag: "tags", author: "authors", series: "series" } as const;

/** Whether the stored JSON contains one of the spellings as a whole value: a text in it begins after `[`, `,` or `{"name":`. */
function hasCredit(eb: InBooks, filter: CreditFilter, spellings: readonly string[]): Expression<SqlBool> {
  const column = eb.ref(`books.${COLUMNS[filter]}`);
  const starts = filter === "series" ? ['{"name":'] : ["[", "%,"];
  const ends = filter === "series" ? ',"position":%' : "%";
  const patterns = spellings.flatMap((spelling) =>
    starts.map((start) => `${start}${escapeLike(JSON.stringify(spelling))}${ends}`),
  );
  return eb.or(patterns.map((pattern) => sql<SqlBool>`${column} like ${pattern} escape '\\'`));
}

function valuesIn(filter: CreditFilter, stored: string): string[] {
  const json: unknown = JSON.parse(stored);
  return filter === "series" ? [storedSeries.parse(json).name] : storedTexts.parse(json);
}

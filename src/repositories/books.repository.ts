/** Books for administrators. */

import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import { createWriteYielder } from "../db/group-commit.ts";
import { allOf, type Schema } from "../db/schema.ts";
import { splitIntoBatches } from "../lib/collections.ts";
import { waitForAll } from "../lib/event-loop.ts";
import { numberedPrefix } from "../lib/slug.ts";
import type { DeletionImpact } from "../schemas/books.schemas.ts";
import { BookTexts } from "./book-texts.ts";
import { deliversBook } from "./exports/download-log.ts";
import { countSelectedRows, ROWS_PER_STATEMENT, repositoryOf } from "./repository.ts";

export type BookRow = Selectable<Schema["books"]>;

const countAll = sql<number>`count(*)`.as("n");

export type BookCreditsRow = Pick<BookRow, "id" | "titleEn" | "authors" | "tags" | "series">;

export type NamedBook = Pick<BookRow, "id" | "titleEn" | "isActive">;

export type TitledSlug = Pick<BookRow, "id" | "slug" | "titleEn">;

/** Of the numbers that slugs get. */
const MAX_DIGITS = 3;

/** A book with its position. */
export type BookPosition = Pick<Selectable<Schema["books"]>, "id" | "sortOrder">;
export type KnownPosition = BookPosition & Pick<Selectable<Schema["books"]>, "isActive">;

export class BooksRepository extends repositoryOf("books") {
  readonly #texts = new BookTexts(this.db);
  readonly #findBySlug = this.compile<BookRow, [slug: string]>(
    this.db.selectFrom("books").select(allOf("books")).where("slug", "=", "").compile(),
  );
  readonly #findLastSortOrder = this.compile<{ last: number | null }, []>(
    sql<{ last: number | null }>`select max("sortOrder") as "last" from "books"`.compile(this.db),
  );
  readonly #listBetween = this.compile<TitledSlug, [from: string, below: string, maxLength: number]>(
    sql<TitledSlug>`select "id", "slug", "titleEn" from "books"
      where "slug" >= ${null} and "slug" < ${null} and length("slug") <= ${null}`.compile(this.db),
  );

  override async insert(...rows: readonly Insertable<Schema["books"]>[]): Promise<void> {
    await waitForAll([super.insert(...rows), this.#texts.renew(rows.map(({ id }) => id))]);
  }

  override async update(id: string, change: Updateable<Schema["books"]>): Promise<BookRow> {
    const updated = super.update(id, change);
    if (change.searchText !== undefined) await waitForAll<unknown>([updated, this.#texts.renew([id])]);
    return updated;
  }

  async findBySlug(slug: string): Promise<BookRow | undefined> {
    const [row] = await this.#findBySlug(slug);
    return row;
  }

  async listBySlugs(slugs: readonly string[]): Promise<Pick<BookRow, "id" | "slug">[]> {
    const rows: Pick<BookRow, "id" | "slug">[] = [];
    for (const batch of splitIntoBatches(slugs, ROWS_PER_STATEMENT))
      rows.push(
        ...(await this.db.selectFrom("books").select(["id", "slug"]).where("slug", "in", batch).execute()),
      );
    return rows;
  }

  /** The books whose slug could be this one with a number up to 999; some others, too. */
  async listNumbered(slug: string): Promise<TitledSlug[]> {
    const prefixes = new Set(
      Array.from({ length: MAX_DIGITS }, (_, index) => numberedPrefix(slug, index + 1)),
    );
    const rows: TitledSlug[] = [];
    for (const prefix of prefixes) {
      // The colon follows the digits.
      rows.push(...(await this.#listBetween(`${prefix}1`, `${prefix}:`, prefix.length + MAX_DIGITS)));
    }
    return rows;
  }

  /** What updates have changed of a book, newest first, as JSON of the audit log. */
  async listLoggedChanges(id: string, limit: number): Promise<string[]> {
    const rows = await this.db
      .selectFrom("audit_log")
      .select("changes")
      .where("objectId", "=", id)
      .where("objectKind", "=", "book")
      .where("action", "=", "update")
      .orderBy("at", "desc")
      .orderBy("id", "desc")
      .limit(limit)
      .execute();
    return rows.map(({ changes }) => changes);
  }

  /** 0 if there is no book. */
  async findLastSortOrder(): Promise<number> {
    const [row] = await this.#findLastSortOrder();
    return row?.last ?? 0;
  }

  countActive(): Promise<number> {
    return countSelectedRows(this.db.selectFrom("books").where("isActive", "=", 1));
  }

  /**
   * Counts what a deletion would remove. Bytes are those of local files that nothing else references; equal contents
   * count once.
   */
  countDeletionImpact(id: string): Promise<DeletionImpact["impact"]> {
    const countRows = (
      table: "translations" | "book_files" | "covers" | "publications" | "book_visibility",
    ) => this.db.selectFrom(table).where("bookId", "=", id);
    const events = this.db.selectFrom("download_events").where((eb) => deliversBook(eb, id));
    const localFiles = countRows("book_files").where("sha256", "is not", null);
    return this.db
      .selectNoFrom([
        countRows("translations").select(countAll).$asScalar().$notNull().as("translations"),
        countRows("book_files").select(countAll).$asScalar().$notNull().as("files"),
        localFiles.select(countAll).$asScalar().$notNull().as("localFiles"),
        this.#sumOwnBytes(id).$asScalar().$notNull().as("fileBytes"),
        countRows("covers").select(countAll).$asScalar().$notNull().as("covers"),
        countRows("publications").select(countAll).$asScalar().$notNull().as("publications"),
        countRows("book_visibility").select(countAll).$asScalar().$notNull().as("visibilityOverrides"),
        events.select(countAll).$asScalar().$notNull().as("downloadEvents"),
      ])
      .executeTakeFirstOrThrow();
  }

  async findPositions(bookIds: readonly string[]): Promise<KnownPosition[]> {
    const positions: KnownPosition[] = [];
    for (const batch of splitIntoBatches(bookIds, ROWS_PER_STATEMENT)) {
      positions.push(
        ...(await this.db
          .selectFrom("books")
          .select(["id", "sortOrder", "isActive"])
          .where("id", "in", batch)
          .execute()),
      );
    }
    return positions;
  }

  /** The existing ones of these books, unordered. */
  async findNames(bookIds: readonly string[]): Promise<NamedBook[]> {
    const books: NamedBook[] = [];
    for (const batch of splitIntoBatches(bookIds, ROWS_PER_STATEMENT))
      books.push(
        ...(await this.db
          .selectFrom("books")
          .select(["id", "titleEn", "isActive"])
          .where("id", "in", batch)
          .execute()),
      );
    return books;
  }

  /** Call it with a bounded number of ids. */
  findCredits(bookIds: readonly string[]): Promise<BookCreditsRow[]> {
    return this.db
      .selectFrom("books")
      .select(["id", "titleEn", "authors", "tags", "series"])
      .where("id", "in", bookIds)
      .execute();
  }

  /** The positions of all active books, in their order. */
  listActivePositions(): Promise<BookPosition[]> {
    return this.db
      .selectFrom("books")
      .select(["id", "sortOrder"])
      .where("isActive", "=", 1)
      .orderBy("sortOrder")
      .orderBy("id")
      .execute();
  }

  /** Moves books. */
  async putPositions(positions: readonly BookPosition[]): Promise<void> {
    const yieldToEventLoop = createWriteYielder();
    for (const batch of splitIntoBatches(positions, ROWS_PER_STATEMENT)) {
      await yieldToEventLoop();
      // Without the cast PostgreSQL would treat the numbers as text.
      const rows = batch.map(({ id, sortOrder }) => sql`(${id}, cast(${sortOrder} as integer))`);
      await this.db
        .with(
          "positions(bookId, position)",
          () => sql<{ bookId: string; position: number }>`(values ${sql.join(rows)})`,
        )
        .updateTable("books")
        .from("positions")
        .set((eb) => ({ sortOrder: eb.ref("positions.position") }))
        .whereRef("books.id", "=", "positions.bookId")
        .execute();
    }
  }

  #sumOwnBytes(id: string) {
    const contents = this.db
      .selectFrom("book_files")
      .select((eb) => ["sha256", eb.fn.max("fileSizeBytes").as("sizeBytes")])
      .where("bookId", "=", id)
      .where("sha256", "is not", null)
      .where(({ not, exists, selectFrom }) => {
        const inFiles = selectFrom("book_files as other")
          .select("other.id")
          .whereRef("other.sha256", "=", "book_files.sha256")
          .where("other.bookId", "<>", id);
        const inCovers = selectFrom("covers as other")
          .select("other.id")
          .whereRef("other.sha256", "=", "book_files.sha256")
          .where("other.bookId", "<>", id);
        return not(exists(inFiles.unionAll(inCovers)));
      })
      .groupBy("sha256");
    return this.db
      .selectFrom(contents.as("contents"))
      .select(sql<number>`coalesce(sum(${sql.ref("sizeBytes")}), 0)`.as("n"));
  }
}

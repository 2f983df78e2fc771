/** The order of books: their places, read and written many at a time. */
import { type Selectable, sql } from "kysely";
import type { Db } from "../db/kysely.ts";
import type { BooksTable } from "../db/schema.ts";
import { batchesOf } from "../lib/batches.ts";

export type PlaceInOrder = Pick<Selectable<BooksTable>, "id" | "sortOrder">;
export type KnownPlace = PlaceInOrder & Pick<Selectable<BooksTable>, "isActive">;

/** Books in one statement: the more, the faster, and a statement takes a bounded number of parameters. */
const BOOKS_A_STATEMENT = 1000;

export class BookOrderRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async placesOf(bookIds: readonly string[]): Promise<KnownPlace[]> {
    const places: KnownPlace[] = [];
    for (const batch of batchesOf(bookIds, BOOKS_A_STATEMENT)) {
      places.push(
        ...(await this.#db
          .selectFrom("books")
          .select(["id", "sortOrder", "isActive"])
          .where("id", "in", batch)
          .execute()),
      );
    }
    return places;
  }

  async put(places: readonly PlaceInOrder[]): Promise<void> {
    for (const batch of batchesOf(places, BOOKS_A_STATEMENT)) {
      // Without the cast PostgreSQL would take the numbers for text.
      const rows = batch.map(({ id, sortOrder }) => sql`(${id}, cast(${sortOrder} as integer))`);
      await this.#db
        .with(
          "places(bookId, place)",
          () => sql<{ bookId: string; place: number }>`(values ${sql.join(rows)})`,
        )
        .updateTable("books")
        .from("places")
        .set((eb) => ({ sortOrder: eb.ref("places.place") }))
        .whereRef("books.id", "=", "places.bookId")
        .execute();
    }
  }
}

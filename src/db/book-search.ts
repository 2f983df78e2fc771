/** Finds the books with the words of a search: by the index of the database, or by reading all texts. */
import { type Db, isPostgres } from "./kysely.ts";
import { PostgresBookSearch } from "./postgres/book-search.ts";
import type { BookSearch } from "./searched-texts.ts";
import { SqliteBookSearch } from "./sqlite/book-search.ts";

export const createBookSearch = (db: Db): BookSearch =>
  isPostgres(db) ? new PostgresBookSearch(db) : new SqliteBookSearch(db);

/** Finds the books with the words of a search: by the index of the database, or by reading all texts. */
import { PostgresAdapter } from "kysely";
import type { Db } from "./kysely.ts";
import { PostgresBookSearch } from "./postgres/book-search.ts";
import type { BookSearch } from "./searched-texts.ts";
import { SqliteBookSearch } from "./sqlite/book-search.ts";

export const createBookSearch = (db: Db): BookSearch =>
  db.getExecutor().adapter instanceof PostgresAdapter ? new PostgresBookSearch(db) : new SqliteBookSearch(db);

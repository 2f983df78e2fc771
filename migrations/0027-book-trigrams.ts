/** An index of the searched texts of books by trigrams, so that a search reads the texts of few books. */
import { type Kysely, sql } from "kysely";
import { isPostgres } from "./support/dialect.ts";
import { identity } from "./support/identity.ts";

const BOOKS_AT_ONCE = 200;

export const up = (db: Kysely<unknown>): Promise<void> =>
  isPostgres(db) ? indexOnPostgres(db) : indexOnSqlite(db);

/** Books get numbers, because the index knows its rows by numbers only. */
async function indexOnSqlite(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("book_numbers")
    .addColumn("number", "integer", identity(db))
    .addColumn("bookId", "text", (c) =>
      c.notNull().unique().references("book_texts.bookId").onDelete("cascade"),
    )
    .execute();
  await sql`create virtual table "book_trigrams"
    using fts5("searchText", content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1')`.execute(
    db,
  );
  await sql`create virtual table "book_trigram_terms" using fts5vocab("book_trigrams", 'instance')`.execute(
    db,
  );
  await sql`insert into "book_numbers" ("bookId") select "bookId" from "book_texts" order by "bookId"`.execute(
    db,
  );
  for (let last = 0; ; last += BOOKS_AT_ONCE) {
    // Two characters after the last one, so that each character and each pair begins a trigram.
    const result = await sql`insert into "book_trigrams" ("rowid", "searchText")
      select "number", "searchText" || ${"\n\n"} from "book_numbers" join "book_texts" using ("bookId")
      where "number" > ${last} and "number" <= ${last + BOOKS_AT_ONCE}`.execute(db);
    if (!result.numAffectedRows) break;
  }
}

/** Without the extension, searches read all texts, and the doctor names the statements. */
async function indexOnPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`do $$ begin
      create extension if not exists pg_trgm;
    exception when others then
      raise notice 'pg_trgm is not available: %', sqlerrm;
    end $$`.execute(db);
  const { rows } = await sql<{ schema: string }>`select nspname as schema
    from pg_extension join pg_namespace on pg_namespace.oid = extnamespace where extname = 'pg_trgm'`.execute(
    db,
  );
  const [extension] = rows;
  if (!extension) return;
  // What waits to be sorted into the index is read by each search: a quarter of the default.
  await sql`create index if not exists "book_texts_trigrams" on "book_texts"
    using gin ("searchText" ${sql.id(extension.schema, "gin_trgm_ops")}) with (gin_pending_list_limit = 1024)`.execute(
    db,
  );
}

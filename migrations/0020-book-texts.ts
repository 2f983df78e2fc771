/** The search texts of each book and its translations in one row: a search reads few rows in place of all translations. */
import { type Kysely, sql } from "kysely";
import { isPostgres } from "./support/dialect.ts";

/** They would change texts without this row. */
export const stopsOlderVersions = true;

const ROWS_AT_ONCE = 500;

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("book_texts")
    .addColumn("bookId", "text", (c) => c.primaryKey().references("books.id").onDelete("cascade"))
    .addColumn("searchText", "text", (c) => c.notNull())
    .execute();
  if (isPostgres(db)) await keepInRows(db);
  await shortenDescriptions(db, "books");
  await shortenDescriptions(db, "translations");
  await sql`insert into "book_texts" ("bookId", "searchText")
    select "id", "searchText" || coalesce(${"\n"} || (select string_agg("searchText", ${sql.lit("\n")} order by "id")
      from "translations" where "translations"."bookId" = "books"."id"), '')
    from "books"`.execute(db);
}

/** Reading compressed texts, or texts in another table, takes longer than searching them. */
async function keepInRows(db: Kysely<unknown>): Promise<void> {
  await sql`alter table "book_texts" set (toast_tuple_target = 8160)`.execute(db);
  await sql`alter table "book_texts" alter column "searchText" set storage external`.execute(db);
}

interface Row {
  id: string;
  searchText: string;
}

/** Leaves each word of a description once, in the second line. */
async function shortenDescriptions(db: Kysely<unknown>, table: "books" | "translations"): Promise<void> {
  let last = "";
  for (;;) {
    const { rows } = await sql<Row>`select "id", "searchText" from ${sql.table(table)}
      where "id" > ${last} order by "id" limit ${ROWS_AT_ONCE}`.execute(db);
    const changed = rows.flatMap(({ id, searchText }) => {
      const shorter = shortened(searchText);
      return shorter === searchText ? [] : [sql`(${id}, ${shorter})`];
    });
    if (changed.length > 0)
      await sql`with "changed" ("id", "searchText") as (values ${sql.join(changed)})
        update ${sql.table(table)} set "searchText" = "changed"."searchText" from "changed"
        where ${sql.table(table)}."id" = "changed"."id"`.execute(db);
    const end = rows.at(-1)?.id;
    if (end === undefined) break;
    last = end;
  }
}

function shortened(searchText: string): string {
  const [title = "", description, ...others] = searchText.split("\n");
  if (description === undefined) return searchText;
  return [title, [...new Set(description.split(" "))].join(" "), ...others].join("\n");
}

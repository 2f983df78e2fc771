/** Stored search texts of books and contacts, made again in pieces after the folding has got more forms. */
import { type Kysely, type RawBuilder, sql } from "kysely";

const BOOKS_AT_ONCE = 100;
const CONTACTS_AT_ONCE = 1000;

/** What a folding adds to the former one, applied to a text that the former one has folded. */
type Replace = (text: string) => string;

/** @param afterBooks is called with the ids of books whose texts have changed */
export async function renewSearchTexts(
  db: Kysely<unknown>,
  replaceForms: Replace,
  afterBooks: (bookIds: readonly string[]) => Promise<void> = async () => undefined,
): Promise<void> {
  await renewBooks(db, replaceForms, afterBooks);
  await renewContacts(db, replaceForms);
}

interface Text {
  id: string;
  searchText: string;
}

interface Translation extends Text {
  bookId: string;
}

async function renewBooks(
  db: Kysely<unknown>,
  replaceForms: Replace,
  afterBooks: (bookIds: readonly string[]) => Promise<void>,
): Promise<void> {
  const renew = ({ searchText }: Text): string => foldAgain(searchText, replaceForms);
  const isOutdated = (text: Text): boolean => renew(text) !== text.searchText;
  let last = "";
  for (;;) {
    const { rows: books } = await sql<Text>`select "id", "searchText" from "books"
      where "id" > ${last} order by "id" limit ${BOOKS_AT_ONCE}`.execute(db);
    const end = books.at(-1)?.id;
    if (end === undefined) break;
    const { rows: translations } =
      await sql<Translation>`select "id", "bookId", "searchText" from "translations"
      where "bookId" in (${sql.join(books.map(({ id }) => id))})`.execute(db);
    const own = books.filter(isOutdated);
    const translated = translations.filter(isOutdated);
    await writeTexts(db, "books", own, renew);
    await writeTexts(db, "translations", translated, renew);
    const changed = [...new Set([...own.map(({ id }) => id), ...translated.map(({ bookId }) => bookId)])];
    if (changed.length > 0) {
      await joinTexts(db, changed);
      await afterBooks(changed);
    }
    last = end;
  }
}

async function writeTexts(
  db: Kysely<unknown>,
  table: "books" | "translations",
  rows: readonly Text[],
  renew: (text: Text) => string,
): Promise<void> {
  for (const piece of splitIntoPieces(rows)) {
    const renewed = piece.map((row) => sql`(${row.id}, ${renew(row)})`);
    await sql`with "renewed" ("id", "searchText") as (values ${sql.join(renewed)})
      update ${sql.table(table)} set "searchText" = "renewed"."searchText" from "renewed"
      where ${sql.table(table)}."id" = "renewed"."id"`.execute(db);
  }
}

/** As 0020 joins them. */
async function joinTexts(db: Kysely<unknown>, ids: readonly string[]): Promise<void> {
  await sql`update "book_texts" set "searchText" = (
      select "searchText" || coalesce(${"\n"} || (select string_agg("searchText", ${sql.lit("\n")} order by "id")
        from "translations" where "translations"."bookId" = "books"."id"), '')
      from "books" where "books"."id" = "book_texts"."bookId")
    where "bookId" in (${sql.join(ids)})`.execute(db);
}

interface Contact {
  id: number;
  searchText: string;
  countryText: string;
}

async function renewContacts(db: Kysely<unknown>, replaceForms: Replace): Promise<void> {
  let last = 0;
  for (;;) {
    const { rows } = await sql<Contact>`select "id", "searchText", "countryText" from "contacts"
      where "id" > ${last} order by "id" limit ${CONTACTS_AT_ONCE}`.execute(db);
    const end = rows.at(-1)?.id;
    if (end === undefined) break;
    const outdated = rows.filter(
      ({ searchText, countryText }) =>
        replaceForms(searchText) !== searchText || replaceForms(countryText) !== countryText,
    );
    for (const piece of splitIntoPieces(outdated)) await writeContactTexts(db, piece, replaceForms);
    last = end;
  }
}

async function writeContactTexts(
  db: Kysely<unknown>,
  rows: readonly Contact[],
  replaceForms: Replace,
): Promise<void> {
  const renewed = rows.map(
    ({ id, searchText, countryText }): RawBuilder<unknown> =>
      sql`(cast(${id} as integer), ${replaceForms(searchText)}, ${replaceForms(countryText)})`,
  );
  await sql`with "renewed" ("id", "searchText", "countryText") as (values ${sql.join(renewed)})
    update "contacts" set "searchText" = "renewed"."searchText", "countryText" = "renewed"."countryText" from "renewed"
    where "contacts"."id" = "renewed"."id"`.execute(db);
}

const ROWS_OF_STATEMENT = 500;

function* splitIntoPieces<T>(rows: readonly T[]): Generator<readonly T[], void> {
  for (let start = 0; start < rows.length; start += ROWS_OF_STATEMENT)
    yield rows.slice(start, start + ROWS_OF_STATEMENT);
}

/** The second line has each word of the description once: words that were different may now be one. */
function foldAgain(searchText: string, replaceForms: Replace): string {
  const [title = "", description, ...others] = replaceForms(searchText).split("\n");
  if (description === undefined) return title;
  return [title, [...new Set(description.split(" "))].join(" "), ...others].join("\n");
}

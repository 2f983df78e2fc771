/** Folded texts anew: letters that look alike, digits of all scripts, hyphens and apostrophes are each one for search. */
import { type Kysely, type RawBuilder, sql } from "kysely";

/** They would write texts that a search of this version doesn't find. */
export const stopsOlderVersions = true;

const BOOKS_AT_ONCE = 100;
const CONTACTS_AT_ONCE = 1000;

export async function up(db: Kysely<unknown>): Promise<void> {
  await renewBooks(db);
  await renewContacts(db);
}

interface Text {
  id: string;
  searchText: string;
}

interface Translation extends Text {
  bookId: string;
}

async function renewBooks(db: Kysely<unknown>): Promise<void> {
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
    await renewTexts(db, "books", own);
    await renewTexts(db, "translations", translated);
    await joinTexts(db, [...own.map(({ id }) => id), ...translated.map(({ bookId }) => bookId)]);
    last = end;
  }
}

const isOutdated = ({ searchText }: Text): boolean => foldAgain(searchText) !== searchText;

async function renewTexts(
  db: Kysely<unknown>,
  table: "books" | "translations",
  rows: readonly Text[],
): Promise<void> {
  for (const piece of splitIntoPieces(rows)) {
    const renewed = piece.map(({ id, searchText }) => sql`(${id}, ${foldAgain(searchText)})`);
    await sql`with "renewed" ("id", "searchText") as (values ${sql.join(renewed)})
      update ${sql.table(table)} set "searchText" = "renewed"."searchText" from "renewed"
      where ${sql.table(table)}."id" = "renewed"."id"`.execute(db);
  }
}

/** As 0020 joins them. */
async function joinTexts(db: Kysely<unknown>, bookIds: readonly string[]): Promise<void> {
  const ids = [...new Set(bookIds)];
  if (ids.length === 0) return;
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

async function renewContacts(db: Kysely<unknown>): Promise<void> {
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
    for (const piece of splitIntoPieces(outdated)) await renewContactTexts(db, piece);
    last = end;
  }
}

async function renewContactTexts(db: Kysely<unknown>, rows: readonly Contact[]): Promise<void> {
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

// What the search folding of this migration adds to the former one, applied to texts that the former one has folded.

/** The second line has each word of the description once: words that were different may now be one. */
function foldAgain(searchText: string): string {
  const [title = "", description, ...others] = replaceForms(searchText).split("\n");
  if (description === undefined) return title;
  return [title, [...new Set(description.split(" "))].join(" "), ...others].join("\n");
}

const FORMS: Readonly<Record<string, string>> = {
  ...toForm("ي", "یى"),
  ...toForm("ك", "ک"),
  ...toForm("ه", "ہەة"),
  ...toForm("'", "‛ʻ׳"),
  ...toForm('"', "“”„‟״"),
};

function toForm(form: string, characters: string): Record<string, string> {
  return Object.fromEntries(Array.from(characters, (character) => [character, form]));
}

const WITH_FORM = new RegExp(`[${Object.keys(FORMS).join("")}\\u2212[\\p{Nd}--[0-9]][\\p{Pd}--[\\-]]]`, "gv");

const replaceForms = (text: string): string =>
  text.replace(
    WITH_FORM,
    (character) => FORMS[character] ?? (DIGIT.test(character) ? findDigit(character) : "-"),
  );

const DIGIT = /^\p{Nd}$/u;

/** Unicode has the ten digits of a script one after the other, beginning with zero. */
function findDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (DIGIT.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((code - first) % 10);
}

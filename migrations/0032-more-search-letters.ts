/** Folded texts anew: more letters that look alike and are typed for one another are one for search. */
import { type Kysely, sql } from "kysely";
import { isPostgres } from "./support/dialect.ts";
import { renewSearchTexts } from "./support/search-texts.ts";

/** They would write texts that a search of this version doesn't find. */
export const stopsOlderVersions = true;

export const up = (db: Kysely<unknown>): Promise<void> =>
  renewSearchTexts(db, replaceForms, (bookIds) => indexAgain(db, bookIds));

/** PostgreSQL keeps its index itself. The two line breaks are those of 0027. */
async function indexAgain(db: Kysely<unknown>, bookIds: readonly string[]): Promise<void> {
  if (isPostgres(db)) return;
  const ids = sql.join(bookIds);
  await sql`delete from "book_trigrams" where "rowid" in (
    select "number" from "book_numbers" where "bookId" in (${ids}))`.execute(db);
  await sql`insert into "book_trigrams" ("rowid", "searchText")
    select "number", "searchText" || ${"\n\n"} from "book_numbers" join "book_texts" using ("bookId")
    where "bookId" in (${ids})`.execute(db);
}

// What the search folding of this migration adds to the former one, applied to texts that the former one has folded.

const FORMS: Readonly<Record<string, string>> = {
  ...toForm("ا", "ٱٲٳ"),
  ...toForm("ه", "ۃ"),
  ...toForm("ء", "ٴ"),
  ...toForm("ڬ", "ݢ"),
  ...toForm("ڭ", "ݣ"),
  ...toForm("'", "ʽʾʿꞌ՚"),
  ...toForm('"', "ˮ"),
  ӏ: "і",
  ǝ: "ə",
  װ: "וו",
  ױ: "וי",
  ײ: "יי",
  ൺ: "ണ്",
  ൻ: "ന്",
  ർ: "ര്",
  ൽ: "ല്",
  ൾ: "ള്",
  ൿ: "ക്",
  ৎ: "ত্",
};

function toForm(form: string, characters: string): Record<string, string> {
  return Object.fromEntries(Array.from(characters, (character) => [character, form]));
}

const WITH_FORM = new RegExp(`[${Object.keys(FORMS).join("")}]`, "gu");

const replaceForms = (text: string): string =>
  text.replace(WITH_FORM, (character) => FORMS[character] ?? character);

/** Searchable texts: slugs of books, phone digits of contacts, and folded countries of contacts. */
import { type Kysely, sql } from "kysely";

const ROWS_AT_ONCE = 1000;

interface Contact {
  id: number;
  phone: string;
  country: string;
  searchText: string;
}

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update "books" set "searchText" = "searchText" || ${"\n"} || "slug"`.execute(db);
  await db.schema
    .alterTable("contacts")
    .addColumn("countryText", "text", (c) => c.notNull().defaultTo(""))
    .execute();
  let last = 0;
  for (;;) {
    const { rows } = await sql<Contact>`select "id", "phone", "country", "searchText" from "contacts"
      where "id" > ${last} order by "id" limit ${ROWS_AT_ONCE}`.execute(db);
    for (const contact of rows) await addTexts(db, contact);
    const end = rows.at(-1)?.id;
    if (end === undefined) break;
    last = end;
  }
  await db.schema.dropIndex("contacts_country").execute();
  await db.schema
    .createIndex("contacts_country")
    .on("contacts")
    .column("countryText")
    .where(sql.ref("countryText"), "<>", sql.lit(""))
    .execute();
}

async function addTexts(db: Kysely<unknown>, { id, phone, country, searchText }: Contact): Promise<void> {
  if (phone === "" && country === "") return;
  const digits = phone.normalize("NFKC").replace(/\P{Nd}/gu, "");
  const countryText = folded(country);
  const texts = [searchText, digits === phone ? "" : digits, countryText];
  const text = texts.filter((one) => one !== "").join("\n");
  await sql`update "contacts" set "searchText" = ${text}, "countryText" = ${countryText} where "id" = ${id}`.execute(
    db,
  );
}

// The search folding as of this migration.

const SCRIPTS_WITH_ACCENTS = "Latin Greek Cyrillic Armenian Coptic Hebrew Arabic Syriac".split(" ");
const ACCENTS = new RegExp(
  `(?<=[${SCRIPTS_WITH_ACCENTS.map((script) => `\\p{Script=${script}}`).join("")}])[\\p{Mn}\\p{Me}]+`,
  "gu",
);
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u{640}]+/gu;
const PLAIN_FORMS = new Map([
  ["ß", "ss"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["ø", "o"],
  ["ł", "l"],
  ["đ", "d"],
  ["ħ", "h"],
  ["ı", "i"],
  ["ς", "σ"],
  ["‘", "'"],
  ["’", "'"],
  ["ʼ", "'"],
]);
const WITH_PLAIN_FORM = /[ßæœøłđħıς‘’ʼ]/gu;

const folded = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(INVISIBLE, "")
    .toLowerCase()
    .replace(ACCENTS, "")
    .replace(WITH_PLAIN_FORM, (character) => PLAIN_FORMS.get(character) ?? character)
    .replace(/\s+/g, " ")
    .trim()
    .normalize("NFC");

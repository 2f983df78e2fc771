/** Searches by another keyboard than the one with which a text was written. */
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { startWithAdmin, type TestApp } from "../support/app.ts";
import { writeRows } from "../support/catalogue-rows.ts";
import { AGENTS, linkTo } from "../support/reader.ts";

/** A text, and what finds it. */
const PAIRS = [
  ["کتاب یوسف", "كتاب يوسف"],
  ["جريدة الدوري", "الدورى"],
  ["مدرسة النور", "مدرسه"],
  ["کہانی", "كهاني"],
  ["چیرۆکی کوردە", "كورده"],
  ["كتاب ٣", "3"],
  ["पाठ १२", "12"],
  ["Oʻzbek ertaklari", "O'zbek"],
  ["Hawaiʻi", "hawai’i"],
  ["צה״ל", 'צה"ל'],
  ["ג׳ירפה", "ג'ירפה"],
  ["Jean‑Paul", "jean-paul"],
  ["1914–1918", "1914-1918"],
  ["سورۃ البقرۃ", "سورة"],
  ["ٱلكتاب", "الكتاب"],
  ["يېڭى", "يېݣى"],
  ["гӀала", "гІала"],
  ["Qurʾān", "qur'an"],
  ["װאָרט", "ווארט"],
  ["അവൻ", "അവന്\u200d"],
] as const;

async function scene() {
  const { app, client: admin } = await startWithAdmin();
  await app.make.language("ar");
  await app.make.language("en");
  const books = (path: string) => async (search: string) => {
    const { body } = await admin.get(
      `${path}${path.includes("?") ? "&" : "?"}search=${encodeURIComponent(search)}`,
    );
    return body.books.map(({ titleEn }: { titleEn: string }) => titleEn);
  };
  return { app, admin, inAdmin: books("/api/admin/books"), inPublic: books("/api/books?languageCode=ar") };
}

const submit = (app: TestApp, slug: string, contact: object) =>
  linkTo(app.api.with({ "User-Agent": AGENTS.chrome }), { slug, languageCode: "ar", contact });

describe("a search", () => {
  it("finds books by letters that look alike, by digits of other scripts, apostrophes and hyphens", async () => {
    const { app, inAdmin, inPublic } = await scene();
    for (const [title] of PAIRS) await app.make.published(title, "ar");
    for (const [title, search] of PAIRS) {
      expect(await inAdmin(search), search).toContain(title);
      expect(await inPublic(search), search).toContain(title);
    }
    expect(await inPublic("يوسفي")).toEqual([]);
  });

  it("finds contacts by name, phone and country, and downloads by title", async () => {
    const { app, admin } = await scene();
    const { book } = await app.make.published("کتاب ۳", "ar");
    const contact = { email: "yusuf@example.org", firstName: "یوسف", phone: "۰۹۱۲۳۴۵۶۷۸۹", country: "ایران" };
    await submit(app, book.slug, contact);
    const totalOf = async (path: string) => (await admin.get(path)).body.pagination.total;
    for (const search of ["يوسف", "09123456789", "۰۹۱۲ ۳۴۵", "0912 345", "ايران"]) {
      const text = encodeURIComponent(search);
      expect(await totalOf(`/api/admin/contacts?search=${text}`), search).toBe(1);
    }
    expect(await totalOf(`/api/admin/contacts?country=${encodeURIComponent("ايران")}`)).toBe(1);
    expect(await totalOf(`/api/admin/analytics/downloads?search=${encodeURIComponent("كتاب 3")}`)).toBe(1);
  });

  it("finds tags by either spelling, and takes both for one tag", async () => {
    const { app, admin } = await scene();
    const { id } = await app.make.book("Well", { tags: ["مدرسة"] });
    const tag = encodeURIComponent("مدرسه");
    expect((await admin.get(`/api/admin/books?tag=${tag}`)).body.pagination.total).toBe(1);
    const action = { bookIds: [id], action: { type: "addTags", tags: ["مدرسه"] } };
    expect((await admin.post("/api/admin/books/actions", action)).body.results).toMatchObject([
      { status: "unchanged" },
    ]);
  });
});

it.each([
  ["0024-search-letters", formerly],
  ["0032-more-search-letters", formerlyInMoreLetters],
] as const)("migration %s renews the stored texts, as the doctor would have them", async (name, formerly) => {
  const { app, admin, inAdmin } = await scene();
  const titles = PAIRS.map(([title]) => title);
  for (const title of titles) {
    const description = `${title} كتاب کتاب — ٣ 3 ۳`;
    await app.make.book(title, {
      description,
      tags: [title],
      translations: [{ languageCode: "ar", title, description }],
    });
  }
  await app.make.published("Well", "ar");
  await submit(app, "well", { email: "a@example.org", firstName: "یوسف", phone: "۰۹۱۲", country: "ایران" });
  const read = async () => {
    const texts = async (table: string, columns: string) =>
      (
        await sql`select ${sql.raw(columns)} from ${sql.table(table)} order by 1`.execute(
          app.container.database.read,
        )
      ).rows;
    return [
      await texts("books", '"id", "searchText"'),
      await texts("translations", '"id", "searchText"'),
      await texts("book_texts", '"bookId", "searchText"'),
      await texts("contacts", '"id", "searchText", "countryText"'),
    ];
  };
  const renewed = await read();
  await writeRows(app, async (db) => {
    const books = await db.selectFrom("books").select(["id", "searchText"]).execute();
    for (const { id, searchText } of books)
      await db
        .updateTable("books")
        .set({ searchText: formerly(searchText) })
        .where("id", "=", id)
        .execute();
    const translations = await db.selectFrom("translations").select(["id", "searchText"]).execute();
    for (const { id, searchText } of translations)
      await db
        .updateTable("translations")
        .set({ searchText: formerly(searchText) })
        .where("id", "=", id)
        .execute();
    const contacts = await db.selectFrom("contacts").select(["id", "searchText", "countryText"]).execute();
    for (const { id, searchText, countryText } of contacts) {
      const former = { searchText: formerly(searchText), countryText: formerly(countryText) };
      await db.updateTable("contacts").set(former).where("id", "=", id).execute();
    }
    const joined = await db.selectFrom("book_texts").selectAll().execute();
    for (const { bookId, searchText } of joined)
      await db
        .updateTable("book_texts")
        .set({ searchText: formerly(searchText) })
        .where("bookId", "=", bookId)
        .execute();
  });
  expect(await read()).not.toEqual(renewed);
  // A method, because migrations know no tables.
  const { up }: { up(db: unknown): Promise<void> } = await import(`../../migrations/${name}.ts`);
  await writeRows(app, (db) => up(db));
  expect(await read()).toEqual(renewed);
  const { findings } = (await admin.get("/api/admin/doctor")).body;
  expect(findings.filter(({ check }: { check: string }) => check === "stale_search_texts")).toEqual([]);
  expect(await inAdmin("كتاب يوسف")).toEqual(["کتاب یوسف"]);
});

/** A text with letters and digits that the former folding left as they are; a description had each of them. */
function formerly(text: string): string {
  return text
    .split("\n")
    .map((line, index) => (index === 1 && line.includes("كتاب") ? line.replace("كتاب", "كتاب کتاب") : line))
    .join("\n")
    .replaceAll("ي", "ی")
    .replaceAll("ه", "ة")
    .replaceAll("'", "ʻ")
    .replaceAll('"', "״")
    .replaceAll(/(?<=\d)-(?=\d)/g, "–")
    .replaceAll("3", "٣");
}

/** The same for the letters that the later migration adds. */
function formerlyInMoreLetters(text: string): string {
  return text
    .replaceAll("ه", "ۃ")
    .replaceAll("ا", "ٱ")
    .replaceAll("'", "ʾ")
    .replaceAll("ڭ", "ݣ")
    .replaceAll("і", "ӏ")
    .replaceAll("וו", "װ")
    .replaceAll("ന്", "ൻ")
    .split("\n")
    .map((line, index) => (index === 1 ? line.replace("كتٱب", "كتٱب كتاب") : line))
    .join("\n");
}

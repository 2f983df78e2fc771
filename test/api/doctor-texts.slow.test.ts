/** Searched texts of books that aren't those of their rows: what the doctor finds, and the command that mends them. */
import { sql } from "kysely";
import { expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { writeRows } from "../support/catalogue-rows.ts";
import { storageSettings } from "../support/on-s3.ts";
import { runCli } from "../support/run-cli.ts";
import { createDatabaseSettings, isOnPostgres } from "../support/test-database.ts";

it("are found by the doctor, and made anew by doctor --renew-texts beside a running service", async () => {
  const { app, client: admin } = await startWithAdmin();
  const publish = async (title: string) => (await app.make.published(title, "en")).book;
  const changed = await publish("Well");
  const missing = await publish("Garden");
  const translated = await publish("River");
  const same = await publish("Mountain");
  const translation = { languageCode: "en", title: "Stream" };
  expect((await admin.post(`/api/admin/books/${translated.id}/translations`, translation)).status).toBe(201);
  const staleSlugs = async () => {
    const { body } = await admin.get("/api/admin/doctor");
    expect(body.isHealthy).toBe(body.findings.length === 0);
    return body.findings.map(({ check, severity, object }: Record<string, Record<string, string>>) => [
      check,
      severity,
      object?.kind,
      object?.name,
    ]);
  };
  const find = async (search: string) => {
    const { body, headers } = await app.api.get(`/api/books?languageCode=en&search=${search}`);
    return [body.books.map(({ slug }: { slug: string }) => slug), headers.etag];
  };
  expect(await staleSlugs()).toEqual([]);

  await writeRows(app, async (db) => {
    await db
      .updateTable("book_texts")
      .set({ searchText: "other" })
      .where("bookId", "=", changed.id)
      .execute();
    await db.deleteFrom("book_texts").where("bookId", "=", missing.id).execute();
    await db
      .updateTable("translations")
      .set({ searchText: "brook" })
      .where("bookId", "=", translated.id)
      .execute();
  });
  const stale = ["stale_search_texts", "error", "book"];
  expect((await staleSlugs()).toSorted()).toEqual(
    [missing, translated, changed].map(({ slug }) => [...stale, slug]),
  );
  const [unseen, tag] = await find("garden");
  expect(unseen).toEqual([]);

  const variables = {
    DATA_DIR: app.dataDir,
    ...storageSettings(app.dataDir),
    ...(await createDatabaseSettings(app.dataDir)),
  };
  const { code, out, errors } = await runCli({ args: ["doctor", "--renew-texts"], variables });
  expect({ code, errors }, out).toEqual({ code: 0, errors: "" });
  expect(await staleSlugs()).toEqual([]);
  const [seen, newTag] = await find("garden");
  expect(seen).toEqual([missing.slug]);
  expect(newTag).not.toBe(tag);
  for (const [word, book] of [
    ["well", changed],
    ["brook", translated],
    ["mountain", same],
  ] as const)
    expect((await find(word))[0], word).toEqual([book.slug]);
});

it.skipIf(isOnPostgres())(
  "are stale, too, where the index of SQLite lacks them or has others, and made anew by the same command",
  async () => {
    const { app, client: admin } = await startWithAdmin();
    for (const title of ["Well", "Garden", "River", "Mountain"]) await app.make.published(title, "en");
    const find = async (search: string) => {
      const { body } = await admin.get(`/api/admin/books?search=${search}`);
      return body.books.map(({ slug }: { slug: string }) => slug);
    };
    const findStale = async () => {
      const { body } = await admin.get("/api/admin/doctor");
      return body.findings.map(({ object }: { object: { name: string } }) => object.name).toSorted();
    };
    const numberOf = (slug: string) => sql`(select "number" from "book_numbers"
      join "books" on "books"."id" = "bookId" where "slug" = ${slug})`;
    await writeRows(app, async (db) => {
      await sql`delete from "book_trigrams" where "rowid" = ${numberOf("well")}`.execute(db);
      await sql`delete from "book_trigrams" where "rowid" = ${numberOf("river")}`.execute(db);
      await sql`insert into "book_trigrams" ("rowid", "searchText") select ${numberOf("river")}, 'sea'`.execute(
        db,
      );
      await sql`delete from "book_numbers" where "number" = ${numberOf("garden")}`.execute(db);
    });
    for (const word of ["well", "garden", "river"]) expect(await find(word)).toEqual([]);
    expect(await findStale()).toEqual(["garden", "river", "well"]);
    const variables = { DATA_DIR: app.dataDir, ...storageSettings(app.dataDir) };
    expect(await runCli({ args: ["doctor", "--renew-texts"], variables })).toMatchObject({ code: 0 });
    expect(await findStale()).toEqual([]);
    for (const word of ["well", "garden", "river", "mountain"]) expect(await find(word)).toEqual([word]);
  },
);

/** Texts as people paste them and scripts read them: invisible characters, tabs, line ends and full-width characters. */
import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { startApp, startWithAdmin } from "../support/app.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { listContacts } from "../support/reader.ts";

const INVISIBLE = [
  ...["\u200b", "\u200c", "\u200d", "\u200e", "\u200f"],
  ...["\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2060"],
  ...["\u2066", "\u2067", "\u2068", "\u2069", "\ufeff"],
];

async function scene() {
  const app = await startApp();
  const { book } = await app.make.published("The Well", "es");
  const submit = (contact: object) =>
    app.api.post("/api/download/submit", { slug: book.slug, languageCode: "es", contact });
  return { app, submit };
}

describe("an e-mail address", () => {
  it("is accepted on forms with invisible characters anywhere, and is one contact", async () => {
    const { app, submit } = await scene();
    for (const invisible of INVISIBLE) {
      const pasted = `${invisible}anna@${invisible}example.org${invisible}`;
      expect((await submit({ email: pasted, firstName: "Anna" })).status, JSON.stringify(pasted)).toBe(200);
    }
    expect((await submit({ email: "ａｎｎａ＠example.org\u3000", firstName: "Anna" })).status).toBe(200);
    expect(await listContacts(app)).toMatchObject([
      { email: "anna@example.org", totalDownloads: INVISIBLE.length + 1 },
    ]);
  });

  it("is accepted in HTML forms", async () => {
    const { app } = await scene();
    const fields = {
      slug: "the-well",
      languageCode: "es",
      email: "\u2068anna@example.org\u2069",
      firstName: "A",
    };
    const response = await app.api.call("post", "/api/download/submit", {
      headers: { "Content-Type": "application/x-www-form-urlencoded", Accept: "text/html" },
      body: new URLSearchParams(fields).toString(),
    });
    expect(response.status).toBe(303);
  });

  it("is accepted for users, at log-in and in settings", async () => {
    const { app, client: admin } = await startWithAdmin();
    const password = "a long and good password";
    const user = { email: "\u202aed@example.org\u202c", name: "Ed\u200b", role: "editor", password };
    expect((await admin.post("/api/admin/users", user)).body).toMatchObject({
      email: "ed@example.org",
      name: "Ed",
    });
    expect((await app.api.post("/api/auth/login", { email: "ed@example.org\u200e", password })).status).toBe(
      200,
    );
    const config = readConfig({ ADMIN_EMAIL: "\ufeffadmin@example.org", ADMIN_PASSWORD: password });
    expect(config.firstAdmin?.email).toBe("admin@example.org");
  });
});

describe("a name", () => {
  it.each([
    ["Ana\tMaría", "Ana María"],
    ["Ana\n", "Ana"],
    ["Ana\r\nMaría", "Ana María"],
    ["\u2068Ana\u2069", "Ana"],
    ["Ana\u00a0María\u2028", "Ana María"],
  ])("%j is %j", async (firstName, kept) => {
    const { app, submit } = await scene();
    expect((await submit({ email: "a@example.org", firstName, lastName: firstName })).status).toBe(200);
    expect(await listContacts(app)).toMatchObject([{ firstName: kept, lastName: kept }]);
  });

  it.each(["\u200b", "\u2060 \u200e", "\t\n"])("%j is empty", async (firstName) => {
    const { submit } = await scene();
    const response = await submit({ email: "a@example.org", firstName });
    expectProblem(response, 400, { errors: ["contact.firstName too_small"] });
  });
});

it("one-line texts of administrators may end with a line end or contain tabs", async () => {
  const { app, client: admin } = await startWithAdmin();
  await app.make.language("es");
  const { body: book } = await admin.post("/api/admin/books", {
    titleEn: "The Well\n",
    authors: ["Ana\tMaría\r\n"],
    slug: "the-well\n",
    translations: [
      {
        languageCode: "es\n",
        title: "El\u00a0pozo\u2028",
        description: "One\n\ttwo",
        publisher: "\ufeffOne House",
        isbn: "\u200e978-3-16-148410-0\n",
      },
    ],
  });
  expect(book).toMatchObject({ titleEn: "The Well", slug: "the-well", authors: ["Ana María"] });
  const { body } = await admin.get(`/api/admin/books/${book.id}`);
  expect(body.translations).toMatchObject([
    { title: "El pozo", description: "One\n\ttwo", publisher: "One House", isbn: "9783161484100" },
  ]);
  const bulk = { books: [{ titleEn: "The\tSea\n", slug: "the-sea" }] };
  expect((await admin.post("/api/admin/books/bulk", bulk)).body.results).toMatchObject([
    { status: "created" },
  ]);
  const listed = (await admin.get("/api/admin/books?search=the%09sea%0A")).body.books;
  expect(listed).toMatchObject([{ titleEn: "The Sea" }]);
  expectProblem(await admin.post("/api/admin/books", { titleEn: "The\u0007Well" }), 400, {
    errors: ["titleEn invalid_characters"],
  });
});

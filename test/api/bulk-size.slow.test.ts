/** Bulk requests that are large, come at once, or carry odd JSON. */
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { canonicalizeLanguageCode } from "../../src/lib/bcp47.ts";
import { MAX_BULK_BYTES } from "../../src/schemas/bulk.schemas.ts";
import { BULK, link, startBulk } from "../support/bulk.ts";
import { dumpOf } from "../support/database-dump.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { formatGet, sendRaw } from "../support/raw-http.ts";

const MEBIBYTE = 1024 * 1024;
const JSON_TYPE = { "Content-Type": "application/json" };
const LANGUAGES = ["ar", "de", "en", "es", "fr"];

/** Books with a translation and a link in each of five languages. */
const largeBooks = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    slug: `book-${index}`,
    titleEn: `Book ${index}`,
    description: "What it is about. ".repeat(10),
    translations: LANGUAGES.map((languageCode) => ({
      languageCode,
      title: `${index} in ${languageCode}`,
      description: "De qué trata. ".repeat(10),
    })),
    files: LANGUAGES.map((languageCode) => link(languageCode, `${index}-${languageCode}`)),
  }));

async function startLarge() {
  const started = await startBulk();
  for (const code of ["de", "en", "fr"]) await started.app.make.language(code);
  const { read } = started.app.container.database;
  const counts = async () => {
    const counted = await sql<Record<string, number>>`select (select count(*) from books) as books,
      (select count(*) from translations) as translations, (select count(*) from book_files) as files,
      (select count(*) from audit_log where action <> 'login' and (action <> 'create' or "objectKind" = 'book')) as lines`.execute(
      read,
    );
    return counted.rows[0];
  };
  const sendText = (text: string | Buffer) =>
    started.client.call("post", BULK, { headers: JSON_TYPE, body: text });
  return { ...started, counts, sendText };
}

describe("a thousand books with five translations and five links each", () => {
  it("are written concurrently with other requests, and once", async () => {
    const { app, client, bulk, counts } = await startLarge();
    const books = largeBooks(1000);
    let isOver = false;
    const sent = bulk(books).finally(() => {
      isOver = true;
    });
    const between = { healthy: 0, made: 0 };
    while (!isOver) {
      const health = await app.api.get("/api/health");
      if (!isOver && health.status === 200) between.healthy += 1;
      const made = await client.post("/api/admin/books", { titleEn: `Between ${between.made}` });
      if (!isOver && made.status === 201) between.made += 1;
    }
    const { body } = await sent;
    expect(body.summary).toEqual({ total: 1000, created: 1000, updated: 0, failed: 0 });
    // How many depends on the machine.
    expect(between.healthy).toBeGreaterThan(0);
    expect(between.made).toBeGreaterThan(0);
    const after = await counts();
    expect(after).toMatchObject({ translations: 5000, files: 5000 });
    expect(after?.books).toBe(after?.lines);
    const again = await bulk(books);
    expect(again.body.summary).toEqual({ total: 1000, created: 0, updated: 1000, failed: 0 });
    expect(await counts()).toEqual(after);
  });

  it("are validated in a dry run concurrently with other requests", async () => {
    const { app, bulk, counts } = await startLarge();
    let isOver = false;
    const sent = bulk(largeBooks(1000), "?dryRun=true").finally(() => {
      isOver = true;
    });
    let healthy = 0;
    while (!isOver) {
      const { status } = await app.api.get("/api/health");
      if (!isOver && status === 200) healthy += 1;
    }
    expect((await sent).body.summary.created).toBe(1000);
    expect(healthy).toBeGreaterThan(0);
    expect(await counts()).toMatchObject({ books: 0, translations: 0, files: 0 });
  });
});

describe("the same books in concurrent requests", () => {
  it("are created by one request and found by the others", async () => {
    const { bulk, counts } = await startLarge();
    const books = largeBooks(120);
    const responses = await Promise.all(Array.from({ length: 4 }, () => bulk(books)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const sumOf = (what: string) => responses.reduce((sum, { body }) => sum + body.summary[what], 0);
    expect({ created: sumOf("created"), updated: sumOf("updated"), failed: sumOf("failed") }).toEqual({
      created: 120,
      updated: 360,
      failed: 0,
    });
    expect(await counts()).toMatchObject({ books: 120, translations: 600, files: 600, lines: 120 });
    const ids = responses.map(({ body }) => body.results.map(({ bookId }: { bookId: string }) => bookId));
    expect(new Set(ids.flat()).size).toBe(120);
  });

  it("are complete if the requests have different errors", async () => {
    const { bulk, counts } = await startLarge();
    const good = largeBooks(60);
    const bad = good.map((book) => ({ ...book, files: [...book.files, link("xx", "x")] }));
    const [first, second] = await Promise.all([bulk(bad), bulk(good)]);
    expect([first?.body.summary.failed, second?.body.summary.created]).toEqual([60, 60]);
    expect(await counts()).toMatchObject({ books: 60, translations: 300, files: 300, lines: 60 });
  });
});

/** Codes that stay as they are when they are made canonical. */
function threeLetterCodes(count: number): string[] {
  const letters = [..."abcdefghijklmnopqrstuvwxyz"];
  const codes = letters.flatMap((one) => letters.map((other) => `m${one}${other}`));
  return codes.filter((code) => canonicalizeLanguageCode(code) === code).slice(0, count);
}

it("an item with very many parts accepts five hundred translations and no more", async () => {
  const { app, bulk, counts } = await startLarge();
  const codes = threeLetterCodes(501);
  await app.container.database.commit(async () => {
    for (const code of codes) {
      const times = { createdAt: 0, updatedAt: 0 };
      const row = {
        code,
        codeKey: code,
        name: code,
        nativeName: code,
        legacyDownloadCount: 0,
        isActive: 1 as const,
      };
      await app.container.database.writer
        .insertInto("languages")
        .values({ ...row, ...times, direction: "ltr", parentId: null, customDomain: null })
        .execute();
    }
  });
  const parts = (count: number) => ({
    translations: codes.slice(0, count).map((languageCode) => ({ languageCode, title: "T" })),
    files: codes.slice(0, count).map((languageCode) => link(languageCode, languageCode)),
  });
  const most = await bulk([{ titleEn: "Well", ...parts(500) }]);
  expect(most.body.results[0]).toMatchObject({ translationsUpserted: 500, filesUpserted: 500 });
  expect(await counts()).toMatchObject({ translations: 500, files: 500 });
  const more = await bulk([{ titleEn: "Hill", ...parts(501) }]);
  expect(more.body.results[0].errors).toMatchObject([
    { path: "books.0.translations", code: "too_big" },
    { path: "books.0.files", code: "too_big" },
  ]);
});

describe("the body", () => {
  it("can have 4 MiB, unlike other bodies", async () => {
    const { bulk, sendText } = await startLarge();
    const description = "བོད་".repeat(2500);
    const books = largeBooks(120).map((book) => ({ ...book, description }));
    const text = JSON.stringify({ books });
    const size = Buffer.byteLength(text);
    expect(size).toBeGreaterThan(3.5 * MEBIBYTE);
    expect((await sendText(text + " ".repeat(MAX_BULK_BYTES - size))).body.summary.created).toBe(120);
    expect((await bulk(books)).body.summary.updated).toBe(120);
    expectProblem(await sendText(text + " ".repeat(MAX_BULK_BYTES - size + 1)), 413, {
      code: "body_too_large",
    });
  });

  it("is rejected at its limit if it announces no length and continues", async () => {
    const { app, client } = await startLarge();
    const { key } = await app.make.apiKey();
    const chunk = `100000\r\n${" ".repeat(MEBIBYTE)}\r\n`;
    const lines = [
      `Authorization: Bearer ${key}`,
      "Content-Type: application/json",
      "Transfer-Encoding: chunked",
    ];
    const response = await sendRaw(app.server, formatGet(BULK, lines, "POST") + chunk.repeat(40));
    expect([response.status, JSON.parse(response.body).code]).toEqual([413, "body_too_large"]);
    expect((await client.get("/api/health")).status).toBe(200);
  });

  it.each([
    ["books", `{"books":[{"titleEn":"Well"}${",{}".repeat(100_000)}]}`],
    ["parts of one book", `{"books":[{"titleEn":"Well","files":[0${",0".repeat(100_000)}]}]}`],
    ["anything else", `{"books":[{"titleEn":"Well"}],"a":[${"[],".repeat(100_000)}[]]}`],
  ])("has at most a hundred thousand values, whether %s", async (_, text) => {
    const { app, sendText } = await startLarge();
    const before = await dumpOf(app);
    expectProblem(await sendText(text), 413, { code: "body_too_large" });
    expect(await dumpOf(app)).toEqual(before);
  });

  it.each([
    ["a name twice in an item", '{"books":[{"titleEn":"A"},{"titleEn":"B","titleEn":"C"}]}'],
    ["a name twice in disguise", '{"books":[{"titleEn":"A"},{"titleEn":"B","title\\u0045n":"C"}]}'],
    ["the books twice", '{"books":[{"titleEn":"A"}],"books":[{"titleEn":"B"}]}'],
    ["the books twice in disguise", '{"books":[{"titleEn":"A"}],"b\\u006foks":[{"titleEn":"B"}]}'],
    ["deep nesting", `{"books":[{"titleEn":"A"},${"[".repeat(31)}${"]".repeat(31)}]}`],
    ["a comma too many", '{"books":[{"titleEn":"A"},]}'],
    ["an item that is none", '{"books":[{"titleEn":"A"},undefined]}'],
    ["no end", '{"books":[{"titleEn":"A"},{"titleEn":"B"'],
    ["an end too early", '{"books":[{"titleEn":"A"}]}]'],
    ["brackets that don't fit", '{"books":[{"titleEn":"A"]}}'],
    ["a byte order mark inside", '{"books":[{"titleEn":"A"},\ufeff{"titleEn":"B"}]}'],
  ])("is malformed by %s, and nothing of it is stored", async (_, text) => {
    const { sendText, slugs } = await startLarge();
    expectProblem(await sendText(text), 400, { code: "malformed_json" });
    expect(await slugs()).toEqual([]);
  });

  it("is UTF-8 in every item, and reaches no prototype", async () => {
    const { app, sendText, slugs } = await startLarge();
    const { key } = await app.make.apiKey();
    const bytes = Buffer.concat([
      Buffer.from('{"books":[{"titleEn":"'),
      Buffer.from([0xff]),
      Buffer.from('"}]}'),
    ]);
    const lines = [
      `Authorization: Bearer ${key}`,
      "Content-Type: application/json",
      `Content-Length: ${bytes.length}`,
    ];
    const broken = await sendRaw(
      app.server,
      Buffer.concat([Buffer.from(formatGet(BULK, lines, "POST")), bytes]),
    );
    expect([broken.status, JSON.parse(broken.body).code]).toEqual([400, "malformed_json"]);
    const poison = await sendText('{"__proto__":[{"titleEn":"A"}],"books":[{"__proto__":{"titleEn":"B"}}]}');
    expectProblem(poison, 400, { errors: ["__proto__ unknown_field"] });
    const inner = await sendText('{"books":[{"__proto__":{"titleEn":"B"}}]}');
    expect(inner.body.results[0].errors).toMatchObject([
      { path: "books.0.titleEn" },
      { path: "books.0.__proto__" },
    ]);
    expect("titleEn" in {}).toBe(false);
    expect((await sendText('\ufeff{"books":[{"titleEn":"A"}]}')).body.summary.created).toBe(1);
    expect(await slugs()).toEqual(["a"]);
  });
});

/** What may come in: bodies and queries of any client. */
import type { Server } from "node:http";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Route } from "../../src/http/route.ts";
import { routes } from "../../src/routes/index.ts";
import { MAX_BULK_BYTES } from "../../src/schemas/bulk.schemas.ts";
import { startApp, startWithAdmin } from "../support/app.ts";
import type { Client } from "../support/client.ts";
import { createExamplePath } from "../support/example-calls.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { formatGet, sendRaw } from "../support/raw-http.ts";

const LOGIN = "/api/auth/login";
const BOOKS = "/api/admin/books";
const MEBIBYTE = 1024 * 1024;
/** The longest body of a caller who isn't known. */
const FORM_BYTES = 16 * 1024;
const FORM_TYPE = "application/x-www-form-urlencoded";
const JSON_TYPE = { "Content-Type": "application/json" };

const takingJson = routes.filter((route) =>
  route.body?.shapes.some(({ mediaType }) => mediaType === "application/json"),
);

/** Where the content of a file is taken, other types are content. */
const takesBytes = (body: Route["body"]) => body?.shapes.some(({ schema }) => schema === undefined);

/** Ids of the right shape, so that what is wrong is the body. */
const IDS = { langId: 1, languageId: 1, languageCode: "es", code: "es" };

const sendJson = (client: Client, text: string, type = "application/json") =>
  client.call("post", LOGIN, { headers: { "Content-Type": type }, body: text });

/** Bytes that the client would send as something else. */
function sendBytes(server: Server, bytes: Buffer) {
  const lines = ["Content-Type: application/json", `Content-Length: ${bytes.length}`];
  return sendRaw(server, Buffer.concat([Buffer.from(formatGet(LOGIN, lines, "POST")), bytes]));
}

/** Operations for many books or files at once. */
const FOR_MANY = ["bulkUpsertBooks", "changePublications", "runBookAction", "planImport", "createImport"];

describe("every operation that takes JSON", () => {
  it("rejects other types, malformed JSON and an empty body, each with its own error", async () => {
    const { api, make } = await startApp();
    const admin = await make.login("admin");
    expect(takingJson.length).toBeGreaterThan(8);
    for (const route of takingJson.filter(({ body }) => !takesBytes(body))) {
      const client = route.access.isPublic ? api : admin;
      const send = (type: string, body: string) =>
        client.call(route.method, createExamplePath(route, IDS), { headers: { "Content-Type": type }, body });
      for (const type of ["text/plain", FORM_TYPE, "application/jsonp", "text/json"].filter(
        (each) => !route.body?.shapes.some(({ mediaType }) => mediaType === each),
      )) {
        expectProblem(await send(type, '{"a":1}'), 415, { code: "unsupported_media_type" });
      }
      expectProblem(await send("application/json", '{"a":'), 400, { code: "malformed_json" });
      if (!route.body?.isRequired) continue;
      expectProblem(
        await client.call(route.method, createExamplePath(route, IDS)),
        bodilessStatus(route.body.shapes.filter(({ mediaType }) => mediaType !== FORM_TYPE).length),
      );
    }
  });

  it("rejects more than a mebibyte, and requests for many books more than four", async () => {
    const { api, make } = await startApp();
    const admin = await make.login("admin");
    for (const route of takingJson) {
      const maxBytes = FOR_MANY.includes(route.id) ? MAX_BULK_BYTES : MEBIBYTE;
      const body = `{"a":"${"x".repeat(maxBytes)}"}`;
      const client = route.access.isPublic ? api : admin;
      const response = await client.call(route.method, createExamplePath(route, IDS), {
        headers: JSON_TYPE,
        body,
      });
      expectProblem(response, 413, { code: "body_too_large" });
    }
  });
});

/** Where JSON is one of several types, a body without a type is of none of them. */
const bodilessStatus = (shapes: number): number => (shapes === 1 ? 400 : 415);

describe("a large body", () => {
  it("is rejected by its announced size, before any of it has arrived", async () => {
    const { server } = await startApp();
    const lines = ["Content-Type: application/json", `Content-Length: ${FORM_BYTES + 1}`];
    const response = await sendRaw(server, formatGet(LOGIN, lines, "POST"));
    expect(response.status).toBe(413);
    expect(response.headers.connection).toBe("close");
  });

  it("is rejected at its limit if it announces no size and continues", async () => {
    const { server } = await startApp();
    const lines = ["Content-Type: application/json", "Transfer-Encoding: chunked"];
    const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
    const response = await sendRaw(server, `${formatGet(LOGIN, lines, "POST")}${chunk.repeat(100)}`);
    expect(response.status).toBe(413);
    expect(JSON.parse(response.body).code).toBe("body_too_large");
  });

  it("is accepted up to the last byte of a mebibyte, or of 16 KiB before the caller is known", async () => {
    const { app, client: admin } = await startWithAdmin();
    const send = (text: string) => admin.call("post", BOOKS, { headers: JSON_TYPE, body: text });
    const text = "{}".padEnd(MEBIBYTE, " ");
    expectProblem(await send(text), 400, { errors: ["titleEn invalid_type"] });
    expectProblem(await send(`${text} `), 413);
    const form = '{"email":"a@example.org"}'.padEnd(FORM_BYTES, " ");
    expectProblem(await sendJson(app.api, form), 400, { errors: ["password invalid_type"] });
    expectProblem(await sendJson(app.api, `${form} `), 413);
  });
});

it("reports twenty unknown fields, counts the others, and reports all other errors", async () => {
  const { make } = await startApp();
  const admin = await make.login("admin");
  const unknown = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, number) => [`n${number}`, 1]));
  const errorsFor = async (body: object): Promise<{ path: string; message: string }[]> =>
    (await admin.post(BOOKS, body)).body.errors;
  const named = Array.from({ length: 20 }, (_, number) => `n${number}`);
  const exact = await errorsFor({ titleEn: "x", ...unknown(20) });
  expect(exact.map(({ path }) => path)).toEqual(named);
  const more = await errorsFor({ titleEn: 5, ...unknown(90), translations: [unknown(3)] });
  const paths = more.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(["titleEn", "translations.0.languageCode"]));
  expect(paths.filter((path) => /n\d+$/.test(path))).toHaveLength(20);
  expect(more.at(-1)).toMatchObject({ path: "", message: "73 more fields are not fields of this request" });
});

describe("unusual JSON", () => {
  it.each([
    ["nested deeply", `${'{"email":'.repeat(5000)}1${"}".repeat(5000)}`],
    ["nested in lists", "[".repeat(500_000) + "]".repeat(500_000)],
    ["a name twice", '{"email":"a@example.org","password":"x","password":"y"}'],
    ["a name twice, once in disguise", '{"email":"a@example.org","password":"x","p\\u0061ssword":"y"}'],
    ["a name twice further in", '{"email":{"a":1,"b":[{"c":1,"c":2}]}}'],
    ["more names than any request has", `{${Array.from({ length: 101 }, (_, n) => `"n${n}":1`)}}`],
    ["endless quotes", `"${'\\"'.repeat(400_000)}`],
    ["a comment", '{"email":"a@example.org"} // really'],
    ["two values", "{}{}"],
    ["a lone value that is none", "undefined"],
    ["NaN", '{"email":NaN}'],
  ])("is malformed: %s", async (_, text) => {
    const { api, make } = await startApp();
    const admin = await make.login("admin");
    const response = await admin.call("post", BOOKS, { headers: JSON_TYPE, body: text });
    expectProblem(response, 400, { code: "malformed_json" });
    expect((await api.get("/api/health")).status).toBe(200);
  });

  it.each([
    ["UTF-16", Buffer.from("\ufeff{}", "utf16le")],
    ["bytes that aren't UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ["a surrogate in UTF-8", Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d])],
    [
      "a character in more bytes than it needs",
      Buffer.from([0x7b, 0x22, 0xc1, 0x81, 0x22, 0x3a, 0x31, 0x7d]),
    ],
  ])("is not UTF-8: %s", async (_, bytes) => {
    const { server } = await startApp();
    const response = await sendBytes(server, bytes);
    expect(response.status).toBe(400);
    expect(JSON.parse(response.body)).toMatchObject({
      code: "malformed_json",
      detail: "The body is not valid JSON. It is not UTF-8.",
    });
  });

  it.each(["null", "[]", '"text"', "42", "true", '[{"email":"a@example.org"}]'])(
    "is not an object: %s",
    async (text) => {
      const { api } = await startApp();
      expectProblem(await sendJson(api, text), 400, { code: "invalid_input", errors: ["invalid_type"] });
    },
  );

  it("can't change any prototype", async () => {
    const { api, make } = await startApp();
    const admin = await make.login("admin");
    const poisons = ['{"__proto__":{"polluted":1}}', '{"constructor":{"prototype":{"polluted":1}}}'];
    for (const poison of poisons) {
      const response = await admin.call("post", BOOKS, { headers: JSON_TYPE, body: poison });
      const [name] = Object.keys(JSON.parse(poison));
      expectProblem(response, 400, { errors: [`${name} unknown_field`, "titleEn invalid_type"] });
      await api.call("post", "/api/download/submit", { headers: JSON_TYPE, body: poison });
    }
    expect("polluted" in {}).toBe(false);
    const query = await admin.get(`${BOOKS}?__proto__[polluted]=1&__proto__=1&constructor=1`);
    const names = [
      "__proto__ unknown_field",
      "__proto__[polluted] unknown_field",
      "constructor unknown_field",
    ];
    expectProblem(query, 400, { errors: names });
    expect((await admin.get(BOOKS)).body.books).toEqual([]);
  });

  it("is not decompressed, and is read as UTF-8 only", async () => {
    const { api } = await startApp();
    const packed = gzipSync(Buffer.alloc(10 * MEBIBYTE, " "));
    for (const encoding of ["gzip", "br", "deflate", "zstd", "gzip, gzip", "x-unheard-of"]) {
      const headers = { ...JSON_TYPE, "Content-Encoding": encoding };
      const response = await api.call("post", LOGIN, { headers, body: packed });
      expectProblem(response, 415, { code: "unsupported_encoding" });
    }
    for (const charset of ["utf-16", "iso-8859-1", "utf-7", '"utf-32"']) {
      const response = await sendJson(api, "{}", `application/json; charset=${charset}`);
      expectProblem(response, 415, { code: "unsupported_charset" });
    }
    for (const good of ["application/json;charset=UTF-8", 'Application/JSON; charset="utf-8"; x=y']) {
      expectProblem(await sendJson(api, "\ufeff{}", good), 400, { code: "invalid_input" });
    }
  });

  it("that ends early is reported as the client's error", async () => {
    const app = await startApp();
    const address = app.server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const socket = connect({ port, host: "127.0.0.1" });
    const lines = ["Content-Type: application/json", "Content-Length: 1000"];
    socket.write(`${formatGet(LOGIN, lines, "POST")}{"email":`);
    await new Promise((resolve) => app.server.once("request", resolve));
    socket.destroy();
    await expect.poll(() => app.logged.length).toBe(1);
    expect(app.logged[0]).toMatchObject({ level: 30, msg: "request", aborted: true });
    expect((await app.api.get("/api/health")).status).toBe(200);
  });
});

describe("a query", () => {
  it.each([
    "0",
    "-1",
    "1e3",
    "0x10",
    "1.5",
    "１",
    "9007199254740993",
    "99999999999999999999",
    " 1",
    "1 ",
    "+1",
    "1_0",
    "NaN",
  ])("is rejected with page %j", async (page) => {
    const { make } = await startApp();
    const response = await (await make.login("viewer")).get(`${BOOKS}?page=${encodeURIComponent(page)}`);
    expectProblem(response, 400, { code: "invalid_input" });
    expect(response.body.errors[0]).toMatchObject({ in: "query", path: "page" });
  });

  it("is rejected with an unknown or repeated parameter", async () => {
    const { make } = await startApp();
    const viewer = await make.login("viewer");
    const response = await viewer.get(`${BOOKS}?order=id&filter[x]=1&page=1&page=2&search=a&search=b`);
    const fieldErrors = [
      "order unknown_field",
      "filter[x] unknown_field",
      "page invalid_type",
      "search invalid_type",
    ];
    expectProblem(response, 400, { errors: fieldErrors });
  });

  it("is rejected if it isn't percent-encoded UTF-8, and so is a path", async () => {
    const { server } = await startApp();
    const broken = ["%", "%z", "%zz", "%f", "%ff", "%c3%28", "%ed%a0%80", "a%00%", "%u0041"];
    for (const text of broken) {
      const query = await sendRaw(server, formatGet(`/api/books?search=${text}`));
      expect({ text, status: query.status, code: JSON.parse(query.body).code }).toEqual({
        text,
        status: 400,
        code: "malformed_query",
      });
      const path = await sendRaw(server, formatGet(`/api/books/${text}`));
      expect({ text, status: path.status, code: JSON.parse(path.body).code }).toEqual({
        text,
        status: 400,
        code: "malformed_address",
      });
    }
    expect((await sendRaw(server, formatGet("/api/books?search=é"))).status).toBe(400);
  });

  it("is rejected with that error by every operation", async () => {
    const { make } = await startApp();
    const admin = await make.login("admin");
    for (const route of routes) {
      const path = createExamplePath(route, { ...IDS, languageCode: "es", number: 1 });
      const response = await admin.call(route.method, `${path}?%ff`);
      if (route.hasProblemPages === "always")
        expect([path, response.status, response.type]).toEqual([path, 400, "text/html"]);
      else expectProblem(response, 400, { code: "malformed_query" });
    }
  });

  it("can have empty names, many equals signs and many ampersands", async () => {
    const { make } = await startApp();
    const viewer = await make.login("viewer");
    expect((await viewer.get(`${BOOKS}?&&&search=a==b&`)).status).toBe(200);
    expect((await viewer.get(`${BOOKS}?search=a+b%2Bc%20d`)).status).toBe(200);
    expectProblem(await viewer.get(`${BOOKS}?=1`), 400, { errors: ["unknown_field"] });
    const many = Array.from({ length: 1500 }, (_, index) => `f${index}=1`).join("&");
    expectProblem(await viewer.get(`${BOOKS}?${many}`), 400);
  });
});

describe("text", () => {
  it.each([
    ["NUL", "a\u0000b"],
    ["an escape sequence", "a\u001b[31mb"],
    ["a control of C1", "a\u0086b"],
    ["half a character", "a\ud800b"],
    ["the other half", "a\udc00b"],
    ["too much", "x".repeat(201)],
    ["nothing but space", " \u00a0\u3000 "],
  ])("with %s is rejected", async (_, name) => {
    const { make } = await startApp();
    const admin = await make.login("admin");
    const response = await admin.post("/api/admin/api-keys", { name });
    expectProblem(response, 400, { code: "invalid_input" });
    expect((await admin.get("/api/admin/api-keys")).body.apiKeys).toEqual([]);
  });

  it.each([
    "👩‍👩‍👧‍👦 🇰🇪",
    "العربية ‏RTL‏ عربي",
    "བོད་སྐད",
    "हिन्दी",
    "Amélie, 한국어",
    "中文 𠮷",
    "'; drop table users; --",
    "%_\\",
    '<b>"&',
  ])("is returned unchanged: %s", async (name) => {
    const { make } = await startApp();
    const admin = await make.login("admin");
    const made = await admin.post("/api/admin/api-keys", { name: `  ${name.normalize("NFD")} ` });
    expect(made.status).toBe(201);
    const [listed] = (await admin.get("/api/admin/api-keys")).body.apiKeys;
    expect(listed.name).toBe(name.normalize("NFC"));
  });
});

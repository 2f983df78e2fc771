/** Compressed responses: which, in which coding, under which entity tag. */
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Response } from "supertest";
import { describe, expect, it } from "vitest";
import { choosePreferredCoding } from "../../src/http/requests/headers.ts";
import type { Route } from "../../src/http/route.ts";
import { openApiDocument } from "../../src/openapi/document.ts";
import { routes } from "../../src/routes/index.ts";
import { nameOf } from "../support/access-checks.ts";
import { startApp, startWithAdmin, type TestApp } from "../support/app.ts";
import { createExamplePath } from "../support/example-calls.ts";
import { iteratePaths } from "../support/json-paths.ts";
import { createOneOfEverything } from "../support/one-of-everything.ts";
import { findOperation } from "../support/operations.ts";
import { formatGet, sendRaw } from "../support/raw-http.ts";
import { linkTo, linkToAll } from "../support/reader.ts";

const BROWSER = "gzip, deflate, br, zstd";
const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
};
const LIST = "/api/books?languageCode=en";
const BOOKS = 10;

async function startWithBooks() {
  const app = await startApp({ CORS_ORIGINS: "https://www.example.org" });
  for (let number = 1; number <= BOOKS; number += 1) await app.make.published(`Book ${number}`, "en");
  return app;
}

interface Received {
  status: number;
  coding: string | undefined;
  etag: string;
  vary: string | undefined;
  /** As they were sent. */
  bytes: Buffer;
}

/** Sends a request as it is: a client would decode the response. */
async function receive(
  { server }: Pick<TestApp, "server">,
  path: string,
  acceptEncoding: string | undefined,
  headers: readonly string[] = [],
): Promise<Received> {
  const accepted = acceptEncoding === undefined ? [] : [`Accept-Encoding: ${acceptEncoding}`];
  const {
    status,
    headers: sent,
    body,
  } = await sendRaw(server, formatGet(path, [...accepted, ...headers]), "latin1");
  const { "content-encoding": coding, etag = "", vary, "content-length": length } = sent;
  const bytes = Buffer.from(body, "latin1");
  if (status === 200) expect(length).toBe(String(bytes.length));
  return { status, coding, etag, vary, bytes };
}

/** The response in a coding, which is made after the second request. */
async function receiveCoded(app: TestApp, path: string, coding: string, headers: readonly string[] = []) {
  await expect.poll(async () => (await receive(app, path, coding, headers)).coding).toBe(coding);
  return receive(app, path, coding, headers);
}

describe.each([
  ["a list", LIST, []],
  ["a list for a page of another site, from the router", LIST, ["Origin: https://www.example.org"]],
  ["the OpenAPI document", "/api/openapi.json", []],
  ["a stylesheet of the reference", "/api/docs/swagger-ui.css", []],
  ["the home page", "/", ["Accept: text/html", "Accept-Language: en"]],
  ["a page of the library", "/library/en", []],
])("%s", (_, path, headers) => {
  it("is sent in the coding that the client prefers, once it was requested twice", async () => {
    const app = await startWithBooks();
    const plain = await receive(app, path, undefined, headers);
    expect([plain.status, plain.coding]).toEqual([200, undefined]);
    const tags = new Set([plain.etag]);
    for (const coding of ["br", "gzip"]) {
      const first = await receive(app, path, coding, headers);
      expect([first.coding, first.etag]).toEqual([undefined, plain.etag]);
      const coded = await receiveCoded(app, path, coding, headers);
      expect(DECODERS[coding]?.(coded.bytes).equals(plain.bytes)).toBe(true);
      expect(coded.bytes.length).toBeLessThan(plain.bytes.length / 2);
      expect(coded.etag).toMatch(/^"[\w-]+"$/);
      tags.add(coded.etag);
    }
    expect(tags.size).toBe(3);
    const varies = [plain, await receive(app, path, BROWSER, headers)].map(({ vary }) => vary);
    expect(new Set(varies).size).toBe(1);
    expect(varies[0]).toMatch(/(^|, )Accept-Encoding($|,)/);
  });

  it("returns 304 for the entity tag of any coding, and repeats that tag", async () => {
    const app = await startWithBooks();
    const { etag } = await receive(app, path, undefined, headers);
    const tags = [etag];
    for (const coding of ["br", "gzip"]) tags.push((await receiveCoded(app, path, coding, headers)).etag);
    for (const accepted of [undefined, "gzip", BROWSER])
      for (const tag of tags) {
        const unmodified = await receive(app, path, accepted, [...headers, `If-None-Match: "x", W/${tag}`]);
        expect(unmodified).toMatchObject({ status: 304, etag: tag, coding: undefined });
        expect(unmodified.bytes).toHaveLength(0);
        expect(unmodified.vary).toContain("Accept-Encoding");
        const matching = await receive(app, path, accepted, [...headers, `If-Match: ${tag}`]);
        expect(matching.status).toBe(200);
      }
    const unknown = `${etag.slice(0, -1)}-zstd"`;
    expect((await receive(app, path, BROWSER, [...headers, `If-None-Match: ${unknown}`])).status).toBe(200);
    expect((await receive(app, path, BROWSER, [...headers, `If-Match: ${unknown}`])).status).toBe(412);
  });
});

describe("the coding of a response", () => {
  it.each([
    [undefined, undefined],
    ["", undefined],
    ["identity", undefined],
    ["zstd", undefined],
    ["br;q=0", undefined],
    ["*;q=0", undefined],
    ["gzip;q=0, br;q=0, *", undefined],
    ["identity, gzip;q=0.5", undefined],
    ["gzip", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["br;q=0.5, gzip", "gzip"],
    ["br;q=0, *", "gzip"],
    ["gzip, deflate, br", "br"],
    [BROWSER, "br"],
    ["*", "br"],
    ["BR", "br"],
  ] as const)("for Accept-Encoding %j is %j", (accepted, coding) => {
    // The second time it is known.
    for (let time = 0; time < 2; time += 1)
      expect(choosePreferredCoding(accepted, ["br", "gzip"])).toBe(coding ?? "identity");
  });

  it("is chosen for each request, regardless of the one before", async () => {
    const app = await startWithBooks();
    for (const coding of ["br", "gzip"]) await receiveCoded(app, LIST, coding);
    for (const [accepted, coding] of [
      [BROWSER, "br"],
      ["br;q=0", undefined],
      ["br;q=0, gzip", "gzip"],
      [undefined, undefined],
    ])
      expect((await receive(app, LIST, accepted)).coding).toBe(coding);
  });

  it("is the same for HEAD as for GET", async () => {
    const app = await startWithBooks();
    const coded = await receiveCoded(app, LIST, "br");
    const { headers, body } = await sendRaw(
      app.server,
      formatGet(LIST, [`Accept-Encoding: ${BROWSER}`], "HEAD"),
    );
    expect(headers).toMatchObject({
      etag: coded.etag,
      "content-encoding": "br",
      "content-length": String(coded.bytes.length),
    });
    expect(body).toBe("");
  });

  it("has the content of the present version after a change", async () => {
    const app = await startWithBooks();
    const before = await receiveCoded(app, LIST, "br");
    await app.make.published("One more", "en");
    const changed = await receive(app, LIST, "br", [`If-None-Match: ${before.etag}`]);
    expect([changed.status, changed.coding]).toEqual([200, undefined]);
    const coded = await receiveCoded(app, LIST, "br");
    expect(brotliDecompressSync(coded.bytes).equals(changed.bytes)).toBe(true);
    expect(coded.etag).not.toBe(before.etag);
  });

  it("is identity below 1000 bytes", async () => {
    const app = await startWithBooks();
    for (let time = 0; time < 3; time += 1) await receive(app, "/api/languages", "br");
    // One at a time: what was requested before this has been compressed, too.
    await receiveCoded(app, LIST, "br");
    expect((await receive(app, "/api/languages", "br")).coding).toBeUndefined();
  });
});

describe("responses for administration", () => {
  it("are compressed in the preferred coding if their route declares it", async () => {
    const app = await startWithBooks();
    for (const name of ["Web", "Letter"]) await app.make.channel(name);
    const admin = await app.admin();
    const paths = [
      "/api/admin/books",
      "/api/admin/channels/matrix?languageCode=en",
      "/api/admin/analytics/by-date?startDate=2026-01-01&endDate=2026-02-28&fill=true",
    ];
    for (const path of paths) {
      const plain = await admin.get(path);
      const coded = await admin.get(path, { "Accept-Encoding": BROWSER });
      expect(coded.status).toBe(200);
      expect([plain.headers["content-encoding"], coded.headers["content-encoding"]]).toEqual([
        undefined,
        "br",
      ]);
      for (const { headers } of [plain, coded]) expect(headers.vary).toBe("Accept-Encoding");
      expect(coded.body).toEqual(plain.body);
      expect(Number(coded.headers["content-length"])).toBeLessThan(
        Number(plain.headers["content-length"]) / 2,
      );
      const inGzip = await admin.get(path, { "Accept-Encoding": "gzip" });
      expect(inGzip.headers["content-encoding"]).toBe("gzip");
      expect(inGzip.body).toEqual(plain.body);
      const refused = await admin.get(path, { "Accept-Encoding": "deflate, gzip;q=0" });
      expect(refused.headers["content-encoding"]).toBeUndefined();
      const head = await admin.head(path, { "Accept-Encoding": BROWSER });
      expect(head.headers["content-length"]).toBe(coded.headers["content-length"]);
    }
  });

  it("are identity below 1000 bytes, whose number is larger than that of the characters", async () => {
    const { app, client: admin } = await startWithAdmin();
    await app.make.language("en");
    const codings: [number, string | undefined][] = [];
    for (const titleEn of ["Short", "ঌ".repeat(400)]) {
      const { id } = await app.make.book(titleEn, { slug: `book-${titleEn.length}` });
      const { headers, body } = await admin.get("/api/admin/channels/matrix?languageCode=en", {
        "Accept-Encoding": "gzip",
      });
      const text = JSON.stringify(body);
      expect(text.length).toBeLessThan(1000);
      codings.push([Buffer.byteLength(text), headers["content-encoding"]]);
      await admin.delete(`/api/admin/books/${id}`);
    }
    expect(codings).toEqual([
      [expect.toSatisfy((bytes) => bytes < 1000), undefined],
      [expect.toSatisfy((bytes) => bytes >= 1000), "gzip"],
    ]);
  });
});

it("a download isn't compressed, however often it is requested, and neither is a range of it", async () => {
  const app = await startWithBooks();
  const text = "All that a book has to say. ".repeat(1000);
  await app.make.published("Long", "en", text);
  const link = await linkTo(app.api, { slug: "long", languageCode: "en" });
  const all = await linkToAll(app.api, "en");
  for (let time = 0; time < 3; time += 1) {
    const whole = await receive(app, link, BROWSER);
    expect(whole).toMatchObject({ status: 200, coding: undefined, vary: "Origin" });
    expect(whole.bytes.toString()).toBe(text);
    const part = await receive(app, link, BROWSER, ["Range: bytes=0-1999"]);
    expect(part).toMatchObject({ status: 206, coding: undefined, bytes: whole.bytes.subarray(0, 2000) });
    const zip = await receive(app, all, BROWSER);
    expect(zip).toMatchObject({ status: 200, coding: undefined, vary: "Origin" });
    expect(zip.bytes.subarray(0, 2).toString()).toBe("PK");
  }
});

/** T69: the length of a compressed response reveals a secret beside what a stranger sent. */
describe("a response that combines a secret or personal data with text from strangers", () => {
  const compressed = routes.filter(({ isCompressed }) => isCompressed);

  const SECRET_TAGS = ["Authentication", "API Keys", "Users", "Audit log", "Contacts", "Settings", "Files"];
  const SECRET_NAMES =
    /token|secret|password|^key|apiKey|session|cookie|email(?!Confirmation)|phone|firstName|lastName|contactId|^contact$|address|userAgent|referrer|downloadUrl|actor|createdBy/i;

  it("isn't declared compressible by any route", () => {
    expect(compressed.length).toBeGreaterThan(10);
    for (const route of compressed) {
      expect(route.method, nameOf(route)).toBe("get");
      expect(SECRET_TAGS, nameOf(route)).not.toContain(route.tag);
      expect(route.path, nameOf(route)).not.toMatch(/^\/api\/(download|auth|admin\/contacts)|export/);
      const names = fieldsIn(route).filter((name) => SECRET_NAMES.test(name));
      expect(names, nameOf(route)).toEqual([]);
    }
  });

  it("is recognised by the names of its fields", () => {
    const route = (id: string) => routes.find((each) => each.id === id);
    for (const id of [
      "listContacts",
      "listDownloadEvents",
      "getAnalyticsSummary",
      "listApiKeys",
      "listUsers",
    ]) {
      const found = route(id);
      expect(found && fieldsIn(found).some((name) => SECRET_NAMES.test(name)), id).toBe(true);
    }
  });

  it("isn't compressed in any response", async () => {
    const { app, client: admin } = await startWithAdmin();
    const ids = await createOneOfEverything(app);
    const token = (await linkTo(app.api, { slug: ids.slugOrId, languageCode: "es" })).split("/").at(-1) ?? "";
    for (const route of routes.filter(({ method, isCompressed }) => method === "get" && !isCompressed)) {
      const path = createExamplePath(route, { ...ids, token, asset: "start.js" });
      const responses: Response[] = [];
      for (let time = 0; time < 3; time += 1)
        responses.push(await admin.get(path, { "Accept-Encoding": BROWSER }));
      for (const { headers } of responses) {
        expect(headers["content-encoding"], nameOf(route)).toBeUndefined();
        expect(headers.vary ?? "", nameOf(route)).not.toContain("Accept-Encoding");
      }
    }
  });
});

const document = openApiDocument(routes, "0.0.0");
const schemas: Readonly<Record<string, unknown>> = document.components.schemas;

/** The names of all fields in the response of a route, by its documented schema. */
function fieldsIn(route: Route): string[] {
  const parts = [JSON.stringify(findOperation(route).responses["200"])];
  const known = new Set<string>();
  for (const part of parts)
    for (const [, name = ""] of part.matchAll(/#\/components\/schemas\/(\w+)/g)) {
      if (!known.has(name)) parts.push(JSON.stringify(schemas[name]));
      known.add(name);
    }
  const paths = parts.flatMap((part) => [...iteratePaths(JSON.parse(part))]);
  return paths.flatMap(({ at }) => (at.at(-2) === "properties" ? [String(at.at(-1))] : []));
}

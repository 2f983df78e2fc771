/** Responses that are sent again without the router. */
import type { Response } from "supertest";
import { describe, expect, it, onTestFinished } from "vitest";
import { routes } from "../../src/routes/index.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { setActive } from "../support/catalogue-rows.ts";
import { bodyOf, type CallOptions } from "../support/client.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { BEHIND_PROXY, from } from "../support/limits.ts";
import { connectTo, formatGet, sendRaw } from "../support/raw-http.ts";
import { linkTo } from "../support/reader.ts";
import { readMetrics } from "../support/scrape.ts";

/** An address for each route that keeps responses, by the id of the operation. */
const KEPT = {
  listPublishedBooks: "/api/books?languageCode=en&page=1",
  getPublishedBook: "/api/books/a-book",
  listPublicLanguages: "/api/languages",
  getOpenApiDocument: "/api/openapi.json",
  getReference: "/api/docs",
  getReferenceAsset: "/api/docs/start.js",
  getLibraryList: "/library/en?page=1",
  getLibraryBook: "/library/en/books/a-book",
  getLibraryWhole: "/library/en/all",
  getLibraryAbout: "/library/en/about",
  getLibraryPrivacy: "/library/en/privacy",
  getLibraryFeed: "/library/en/new.atom",
  getSitemap: "/sitemap.xml",
  getSitemapPart: "/sitemaps/1.xml",
  getWidgetScript: "/api/widget.js",
  getWidgetTexts: "/api/widget/texts/ar.json",
};
/** Its response depends on the browser's languages. */
const FOR_EACH_BROWSER = ["getLibraryLanguages"];
const LIST = KEPT.listPublishedBooks;
/** More bytes than the sockets of both sides hold. */
const LONG = 24 * 1024 * 1024;
/** Requests that are sent together: fewer than a connection may have pending. */
const BATCH = 6;

async function startWithBook(variables: Readonly<Record<string, string>> = {}) {
  const app = await startApp({ PUBLIC_BASE_URL: "https://books.example.org", ...variables });
  const { book } = await app.make.published("A Book", "en");
  const texts = { about: "We print books.", privacy: "We keep your name." };
  await bodyOf((await app.admin()).put("/api/admin/library/texts/en", texts));
  return { ...app, book };
}

type Scene = Pick<TestApp, "api" | "logged">;

/** Whether a response was a kept one. Its log line is written when it is closed. */
async function isKept({ logged }: Scene, { headers }: Response): Promise<boolean> {
  const find = () => logged.find(({ id, msg }) => msg === "request" && id === headers["x-request-id"]);
  await expect.poll(find).toBeDefined();
  return find()?.kept === true;
}

/** The response without what each has of its own. */
function commonPart({ status, body, headers }: Response) {
  const { date, "x-request-id": id, ...common } = headers;
  expect([date, id]).toEqual([expect.stringMatching(/ GMT$/), expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  return { status, body, headers: common };
}

it("are limited to routes that declare it and read no credential", () => {
  const keeping = routes.filter(({ prepareRepeat }) => prepareRepeat !== undefined);
  expect(keeping.map(({ id }) => id).sort()).toEqual([...Object.keys(KEPT), ...FOR_EACH_BROWSER].sort());
  for (const { method, access } of keeping) {
    expect([method, access.isPublic, access.credentials]).toEqual(["get", true, []]);
  }
});

describe.each(Object.values(KEPT))("%s", (address) => {
  it("has the same status, headers and bytes as from the router", async () => {
    const app = await startWithBook();
    const { etag = "" } = (await app.api.get(address)).headers;
    const calls: ["get" | "head", number, Record<string, string>][] = [
      ["get", 200, {}],
      ["head", 200, {}],
      ["get", 304, { "If-None-Match": etag }],
      ["get", 304, { "If-None-Match": `"other", W/${etag}` }],
      ["head", 304, { "If-None-Match": "*" }],
      ["get", 200, { "If-None-Match": '"other"' }],
    ];
    for (const [method, status, headers] of calls) {
      const kept = await app.api.call(method, address, { headers });
      // A request with a precondition takes the router.
      const routed = await app.api.call(method, address, { headers: { ...headers, "If-Match": "*" } });
      expect([kept.status, await isKept(app, kept), await isKept(app, routed)]).toEqual([
        status,
        true,
        false,
      ]);
      expect(commonPart(kept)).toEqual(commonPart(routed));
    }
  });
});

describe("a request that the router must see", () => {
  const cases: [string, CallOptions][] = [
    ["from a page of another site", { headers: { Origin: "https://www.example.org" } }],
    ["with a credential", { headers: { Authorization: "Bearer x" } }],
    ["for a range", { headers: { Range: "bytes=0-9" } }],
    ["with a body", { body: { a: 1 } }],
  ];
  it.each(cases)("isn't served from a kept response: %s", async (_, options) => {
    const app = await startWithBook({ CORS_ORIGINS: "https://www.example.org" });
    const first = await app.api.get(LIST);
    const response = await app.api.call("get", LIST, options);
    expect([response.status, await isKept(app, response)]).toEqual([200, false]);
    expect(response.body).toEqual(first.body);
    const origin = options.headers?.Origin;
    expect(response.headers["access-control-allow-origin"]).toBe(origin);
    // Nor are its headers kept.
    expect((await app.api.get(LIST)).headers["access-control-allow-origin"]).toBeUndefined();
  });

  it("doesn't affect kept responses of other requests", async () => {
    const app = await startWithBook({ CORS_ORIGINS: "https://www.example.org" });
    await app.api.get(LIST, { Origin: "https://www.example.org" });
    const response = await app.api.get(LIST);
    expect(await isKept(app, response)).toBe(false);
    expect(response.headers["access-control-allow-origin"]).toBeUndefined();
  });
});

it.each([
  "?x=1",
  "?languageCode=en&utm_source=letter",
  "?languageCode=e%6E",
  "?languageCode=en&languageCode=",
  "?languageCode=en&",
  "?languageCode=en#top",
  "?languageCode=",
])("keeps nothing for /api/books%s, of which a client can make up any number", async (query) => {
  const app = await startWithBook();
  for (let time = 0; time < 2; time += 1) {
    const { status, headers } = await sendRaw(app.server, formatGet(`/api/books${query}`));
    expect(status).toBe(200);
    await expect
      .poll(() => app.logged.find(({ id }) => id === headers["x-request-id"]))
      .not.toHaveProperty("kept");
  }
});

it("keeps 8 MiB of heads, of the addresses that were requested last", async () => {
  const app = await startWithBook();
  // The book falls back to English for each of these languages.
  const addressOf = (number: number) => `/api/books/a-book?languageCode=en-x-${number}`;
  await app.api.get(addressOf(0));
  expect(await isKept(app, await app.api.get(addressOf(0)))).toBe(true);
  // Each takes more than 2 KiB.
  for (let number = 0; number < 4200; number += BATCH) {
    const targets = Array.from({ length: BATCH }, (_, index) => addressOf(number + index + 1));
    const requests = targets.map((target) => `HEAD ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
    const { responses } = await sendRaw(app.server, requests.join("") + formatGet("/api/health"));
    expect(responses).toBe(BATCH + 1);
  }
  expect(await isKept(app, await app.api.get(addressOf(0)))).toBe(false);
  expect(await isKept(app, await app.api.get(addressOf(1000)))).toBe(true);
});

it("keeps no 304, whose headers lack the type", async () => {
  const app = await startWithBook();
  expect((await app.api.get(LIST, { "If-None-Match": "*" })).status).toBe(304);
  const whole = await app.api.get(LIST);
  expect([await isKept(app, whole), whole.headers["content-type"]]).toEqual([
    false,
    "application/json; charset=utf-8",
  ]);
});

it("keeps no error", async () => {
  const app = await startWithBook();
  for (const address of ["/api/books/none", "/api/books?languageCode=xx", "/api/books?page=x"]) {
    await app.api.get(address);
    const again = await app.api.get(address);
    expect([again.status >= 400, await isKept(app, again)]).toEqual([true, false]);
  }
});

it("ignores cookies and sets none", async () => {
  const app = await startWithBook();
  const first = await app.api.get(LIST);
  const admin = await app.admin();
  const response = await admin.get(LIST);
  expect(await isKept(app, response)).toBe(true);
  expect(commonPart(response)).toEqual(commonPart(first));
  expect(response.headers["set-cookie"]).toBeUndefined();
});

it("shows a change to the next request, and nothing that was withdrawn", async () => {
  const app = await startWithBook();
  const admin = await app.admin();
  const details = KEPT.getPublishedBook;
  for (const address of [LIST, details, KEPT.listPublicLanguages]) await app.api.get(address);
  await admin.put(`/api/admin/books/${app.book.id}`, { titleEn: "Another title" });
  const list = await app.api.get(LIST);
  expect(list.body.books).toMatchObject([{ titleEn: "Another title" }]);
  expect(await isKept(app, list)).toBe(true);
  expect((await app.api.get(details)).body.titleEn).toBe("Another title");

  await admin.delete(`/api/admin/books/${app.book.id}`);
  expect((await app.api.get(LIST)).body.books).toEqual([]);
  expect((await app.api.get(KEPT.listPublicLanguages)).body.languages).toEqual([]);
  expectProblem(await app.api.get(details), 404, { code: "book_not_found" });
  expectProblem(await app.api.head(details), 404);
});

it("uses the language of the custom domain in each request's Host", async () => {
  const app = await startWithBook();
  await app.make.language("es", { customDomain: "libros.example.org" });
  const languageAt = async (host: string) => {
    const response = await app.api.get("/api/books", { Host: host });
    expect(await isKept(app, response)).toBe(isLater);
    isLater = true;
    return response.body.language?.code;
  };
  let isLater = false;
  for (const [host, code] of [
    ["libros.example.org", "es"],
    ["www.example.org", undefined],
    ["libros.example.org:8080", "es"],
    ["LIBROS.example.org", "es"],
    ["[::1]:80", undefined],
  ] as const)
    expect(await languageAt(host)).toBe(code);
});

describe("the checks before kept responses", () => {
  it("rejects bad headers", async () => {
    const { server, api } = await startWithBook();
    await api.get(LIST);
    const many = Array.from({ length: 200 }, (_, index) => `X-${index}: 1`);
    expect((await sendRaw(server, formatGet(LIST, many))).status).toBe(431);
    expect((await sendRaw(server, formatGet(LIST, ["Host: example.org"]))).status).toBe(400);
    expect((await sendRaw(server, formatGet(LIST, [`If-None-Match: ${'"x",'.repeat(300)}`]))).status).toBe(
      431,
    );
  });

  it("limits the open responses of an address, which include kept ones", async () => {
    const app = await startWithBook({ MAX_OPEN_RESPONSES: "2", ...BEHIND_PROXY });
    await app.make.published("Long", "en", "a".repeat(LONG));
    const link = await linkTo(app.api, { slug: "long", languageCode: "en" });
    const [here, there] = ["203.0.113.1", "203.0.113.2"].map((address) => from(app.api, address));
    const isLimited = async (client = here) => (await client?.get(LIST))?.status === 429;
    expect(await isLimited()).toBe(false);
    const slow = connectTo(app.server).pause();
    onTestFinished(() => void slow.destroy());
    const ask = (path: string) =>
      slow.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 203.0.113.1\r\n\r\n`);
    ask(link);
    // Waits for the end of the download, which isn't read.
    ask(LIST);
    await expect.poll(() => isLimited()).toBe(true);
    expect(await isLimited(there)).toBe(false);
    slow.destroy();
    await expect.poll(() => isLimited()).toBe(false);
  });

  it("limits searches", async () => {
    const { api } = await startWithBook({ RATE_LIMIT_SEARCH: "3" });
    const statuses: number[] = [];
    for (let time = 0; time < 5; time += 1) statuses.push((await api.get("/api/books?search=book")).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
  });

  it("counts kept responses in the metrics", async () => {
    const METRICS_TOKEN = "q7Vd0Zk2mXr9LbT4wYc6NfHs1JgPu8Ae";
    const app = await startWithBook({ METRICS_TOKEN });
    for (let time = 0; time < 3; time += 1) await app.api.get(LIST);
    const { body } = await app.api.get("/metrics", { Authorization: `Bearer ${METRICS_TOKEN}` });
    const name = "bookdist_http_request_duration_seconds_count";
    expect(readMetrics(body.toString())[`${name}{method="GET",route="/api/books",status="2xx"}`]).toBe(3);
  });

  it("logs kept responses as all others", async () => {
    const app = await startWithBook();
    const lines: Record<string, unknown>[] = [];
    for (let time = 0; time < 2; time += 1) {
      const { headers } = await app.api.get(LIST);
      const find = () => app.logged.find(({ id }) => id === headers["x-request-id"]);
      await expect.poll(find).toBeDefined();
      lines.push(find() ?? {});
    }
    const [routed = {}, kept = {}] = lines;
    expect(kept.id).not.toBe(routed.id);
    const { id, time, ms } = kept;
    expect(kept).toEqual({ ...routed, id, time, ms, kept: true });
  });

  it("rejects requests while the service stops", async () => {
    const app = await startWithBook();
    await app.api.get(LIST);
    app.leave();
    expect(await isKept(app, await app.api.get(LIST))).toBe(true);
    app.close();
    expectProblem(await app.api.get(LIST), 503, { code: "stopping" });
  });
});

it("counts the error of a kept response as one open response", async () => {
  const app = await startWithBook({ MAX_OPEN_RESPONSES: "1" });
  await app.api.get(KEPT.getPublishedBook);
  await setActive(app, app.book.id, 0);
  expectProblem(await app.api.get(KEPT.getPublishedBook), 404);
});

it("sends the same response to a failure as the router", async () => {
  const app = await startWithBook();
  await app.api.get(LIST);
  await app.container.database.close();
  const kept = await app.api.get(LIST);
  const routed = await app.api.get(LIST, { "If-Match": "*" });
  const [one, other] = [kept, routed].map(({ status, body: { requestId, ...body } }) => ({ status, body }));
  expect(one).toEqual(other);
  expectProblem(kept, kept.status);
  expect(kept.headers["content-security-policy"]).toBe(routed.headers["content-security-policy"]);
});

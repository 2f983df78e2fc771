/** PUBLIC_CACHE_SECONDS: what CDNs and caching proxies may keep, and by which keys they forget it. */
import { describe, expect, it } from "vitest";
import { routes } from "../../src/routes/index.ts";
import { startApp } from "../support/app.ts";
import { setActive } from "../support/catalogue-rows.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { linkTo } from "../support/reader.ts";

async function start(PUBLIC_CACHE_SECONDS?: string) {
  const app = await startApp(PUBLIC_CACHE_SECONDS === undefined ? {} : { PUBLIC_CACHE_SECONDS });
  await app.make.language("es", { customDomain: "libros.example.org" });
  const { book } = await app.make.published("A Book", "en");
  await app.make.textFile(book.id, "es", "texto");
  return { ...app, book };
}

const SHARED = "public, max-age=0, s-maxage=60, stale-while-revalidate=60";

/** Public reads of the catalogue, with their keys. */
const CATALOGUE: [string, string][] = [
  ["/api/books", "catalogue"],
  ["/api/books?languageCode=ES", "catalogue catalogue-es"],
  ["/api/books?search=book&languageCode=en", "catalogue catalogue-en"],
  ["/api/books/a-book", "catalogue"],
  ["/api/books/a-book?languageCode=es", "catalogue catalogue-es"],
  ["/api/books/a-book?languageCode=fr", "catalogue"],
  ["/api/languages", "catalogue"],
  ["/api/books/a-book/cover", "catalogue"],
  ["/api/books/a-book/cover?languageCode=es-AR", "catalogue catalogue-es"],
];

describe.each(CATALOGUE)("%s", (path, keys) => {
  it("may be kept for PUBLIC_CACHE_SECONDS, under its cache keys", async () => {
    const { api } = await start("60");
    const expected = { "cache-control": SHARED, "surrogate-key": keys };
    const first = await api.get(path);
    expect([first.status, first.headers]).toEqual([200, expect.objectContaining(expected)]);
    // The second one is a kept response, if the route has them.
    for (const response of [
      await api.get(path),
      await api.head(path),
      await api.get(path, { "If-None-Match": first.headers.etag ?? "" }),
    ])
      expect(response.headers).toMatchObject(expected);
  });

  it("must be revalidated at each request by default", async () => {
    const { api } = await start();
    for (let time = 0; time < 2; time += 1) {
      const { headers } = await api.get(path);
      expect([headers["cache-control"], headers["surrogate-key"]]).toEqual(["no-cache", undefined]);
    }
  });
});

it("shared caches distinguish the language of a custom domain by Host", async () => {
  const { api } = await start("60");
  for (const [host, keys] of [
    ["libros.example.org", "catalogue catalogue-es"],
    ["www.example.org", "catalogue"],
    ["libros.example.org", "catalogue catalogue-es"],
  ] as const)
    expect((await api.get("/api/books", { Host: host })).headers["surrogate-key"]).toBe(keys);
});

it("errors, downloads, administration and documents may not be kept by shared caches", async () => {
  const app = await start("60");
  const { api, book } = app;
  const admin = await app.admin();
  const link = await linkTo(api, { slug: "a-book", languageCode: "en" });
  const others: [string, string][] = [
    [link, "private, no-store"],
    ["/api/openapi.json", "no-cache"],
    ["/api/favicon", "no-cache"],
    ["/api/health", "no-store"],
    ["/api/admin/books", "no-store"],
    [`/api/admin/books/${book.id}`, "no-store"],
    ["/api/books/none", "no-store"],
    ["/api/books?languageCode=fr", "no-store"],
  ];
  for (const [path, control] of others)
    for (let time = 0; time < 2; time += 1) {
      const { headers } = await admin.get(path);
      expect([path, headers["cache-control"], headers["surrogate-key"]]).toEqual([path, control, undefined]);
    }
  const unmatched = await api.get("/api/books", { "If-Match": '"other"' });
  expectProblem(unmatched, 412);
  expect([unmatched.headers["cache-control"], unmatched.headers["surrogate-key"]]).toEqual([
    "no-store",
    undefined,
  ]);
});

it("the service itself never sends withdrawn content", async () => {
  const { api, book, ...app } = await start("60");
  await api.get("/api/books/a-book");
  await setActive(app, book.id, 0);
  const gone = await api.get("/api/books/a-book");
  expectProblem(gone, 404);
  expect([gone.headers["cache-control"], gone.headers["surrogate-key"]]).toEqual(["no-store", undefined]);
  expect((await api.get("/api/books")).body.books).toEqual([]);
});

it("only public routes without a limit for all requests depend on the catalogue's version", () => {
  const shared = routes.filter(({ showsCatalogue }) => showsCatalogue);
  expect(shared.map(({ path }) => path).sort()).toEqual([
    "/api/books",
    "/api/books/{slugOrId}",
    "/api/books/{slugOrId}/cover",
    "/api/languages",
    "/library",
    "/library/{code}",
    "/library/{code}/about",
    "/library/{code}/all",
    "/library/{code}/books/{slug}",
    "/library/{code}/new.atom",
    "/library/{code}/privacy",
    "/sitemap.xml",
    "/sitemaps/{number}.xml",
  ]);
  for (const { isCacheable, access } of shared) expect([isCacheable, access.credentials]).toEqual([true, []]);
});

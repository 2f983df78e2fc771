/** A book with dates: readers get it from the first one on and until the second one, on every path and to the moment. */
import { describe, expect, it } from "vitest";
import { readZip } from "../../tools/lib/read-zip.ts";
import { startApp, startWithAdmin, type TestApp } from "../support/app.ts";
import { contact } from "../support/factory.ts";
import { pageOf, sendForm } from "../support/library-pages.ts";
import { linkTo, linkToAll } from "../support/reader.ts";

const BASE = { PUBLIC_BASE_URL: "https://books.example.org" };
const MINUTE = 60_000;

/** The Well has the dates; the Tree is always there. Catalan has nothing but the Well. */
async function scene(variables: Record<string, string> = {}) {
  const { app, client: admin } = await startWithAdmin({ ...BASE, ...variables });
  const es = await app.make.language("es", { customDomain: "libros.example.org" });
  await app.make.language("ca");
  const channel = await app.make.channel("Web");
  const series = { name: "Tales" };
  for (const title of ["The Well", "The Tree"]) {
    const { book } = await app.make.published(title, "es");
    await admin.patch(`/api/admin/books/${book.id}`, { series });
    await app.make.publish(book.id, channel.id, es.id);
  }
  const { id } = (await app.api.get("/api/books/the-well")).body;
  await app.make.textFile(id, "ca", "El pou");
  const links = {
    book: await linkTo(app.api, { slug: "the-well", languageCode: "es" }),
    all: await linkToAll(app.api, "ca"),
    mixed: await linkToAll(app.api, "es"),
  };
  const setDates = async (begin: number | null, end: number | null) => {
    const at = (after: number | null) => after && new Date(app.clock.now() + after).toISOString();
    const given = { publishAt: at(begin), unpublishAt: at(end) };
    expect((await admin.patch(`/api/admin/books/${id}`, given)).status).toBe(200);
  };
  return { app, admin, id, links, setDates, seen: (of = app) => listSeen(of, { id, links }) };
}

interface Asked {
  id: string;
  links: { book: string; all: string; mixed: string };
}

/** Which of the public paths show the book. */
async function listSeen(app: TestApp, { id, links }: Asked): Promise<Record<string, boolean>> {
  const { api } = app;
  const has = async (path: string, headers = {}) => {
    const { status, body } = await api.get(path, headers);
    return status === 200 && JSON.stringify(body).includes("the-well");
  };
  const page = async (path: string) => {
    const { status, html } = await pageOf(app, path);
    return status === 200 && html.includes("The Well");
  };
  const ok = async (path: string) => (await api.get(path)).status === 200;
  const languages = (await api.get("/api/languages")).body.languages;
  const countIn = (code: string) =>
    languages.find((each: { code: string }) => each.code === code)?.booksCount ?? 0;
  const submit = (path: string, more: object) => api.post(`/api/download/${path}`, { contact, ...more });
  const zip = await api.get(links.mixed);
  const sitemap = (await api.get("/sitemap.xml")).body.toString();
  const feed = (await pageOf(app, "/library/es/new.atom")).html;
  return {
    list: await has("/api/books"),
    "list of a language": await has("/api/books?languageCode=es"),
    "list of a host": await has("/api/books", { Host: "libros.example.org" }),
    "list of a channel": await has("/api/books?channel=web"),
    "list of both": await has("/api/books?channel=web&languageCode=es"),
    search: await has("/api/books?search=well"),
    "search in a language": await has("/api/books?search=well&languageCode=es"),
    details: await has("/api/books/the-well"),
    "details by id": await has(`/api/books/${id}`),
    cover: await ok("/api/books/the-well/cover"),
    "cover of a language": await ok("/api/books/the-well/cover?languageCode=es&width=320"),
    "count of a language": countIn("es") === 2,
    "language that has nothing else": countIn("ca") === 1,
    submit: (await submit("submit", { slug: "the-well", languageCode: "es" })).status === 200,
    "count of all": (await submit("submit-all", { languageCode: "es" })).body.booksCount === 2,
    "all of the other language": (await submit("submit-all", { languageCode: "ca" })).status === 200,
    link: await ok(links.book),
    "page of the link": (await pageOf(app, links.book)).status === 200,
    renewal: (await api.post(`${links.book}/renewal`)).status === 200,
    "link to all": await ok(links.all),
    "renewal of all": (await api.post(`${links.all}/renewal`)).status === 200,
    "files in the ZIP": (await readZip(zip.body)).length === 2,
    "library of a language": await page("/library/es"),
    "newest in the library": await page("/library/es?order=newest"),
    "search in the library": await page("/library/es?q=well"),
    "page of the book": await page("/library/es/books/the-well"),
    "form of the page": (await sendForm(app, "/library/es/books/the-well", {})).status !== 404,
    "other parts of the series": await page("/library/es/books/the-tree"),
    "number of books in the library": /<p>[^<]*\b2\b/.test((await pageOf(app, "/library/es/all")).html),
    "languages of the library": (await pageOf(app, "/library")).html.includes("Native ca"),
    "library of the other language": (await pageOf(app, "/library/ca")).status === 200,
    feed: feed.includes("The Well"),
    sitemap: sitemap.includes("the-well"),
  };
}

const every = (seen: Record<string, boolean>, is: boolean) =>
  Object.fromEntries(Object.keys(seen).map((path) => [path, is]));

describe("a book with dates", () => {
  it("is on every public path between them, to the millisecond, and on none before and after", async () => {
    const { app, setDates, seen } = await scene();
    expect(await seen()).toEqual(every(await seen(), true));
    await setDates(MINUTE, 3 * MINUTE);
    const none = every(await seen(), false);
    expect(await seen()).toEqual(none);
    app.clock.advance(MINUTE - 1);
    expect(await seen()).toEqual(none);
    app.clock.advance(1);
    const all = every(none, true);
    expect(await seen()).toEqual(all);
    app.clock.advance(2 * MINUTE - 1);
    expect(await seen()).toEqual(all);
    app.clock.advance(1);
    expect(await seen()).toEqual(none);
  });

  it("is there and gone at each instance, also after a restart", async () => {
    const { app, setDates, seen } = await scene();
    const other = await startApp(BASE, { dataDir: app.dataDir });
    const none = every(await seen(), false);
    await setDates(MINUTE, 2 * MINUTE);
    const steps = [
      [0, false],
      [MINUTE, true],
      [MINUTE, false],
    ] as const;
    for (const [passed, is] of steps) {
      for (const { clock } of [app, other]) clock.advance(passed);
      expect(await seen(other)).toEqual(every(none, is));
      expect(await seen()).toEqual(every(none, is));
    }
    const restarted = await startApp(BASE, { dataDir: app.dataDir });
    expect((await restarted.api.get("/api/books?languageCode=es")).body.pagination.total).toBe(1);
    restarted.clock.advance(MINUTE);
    expect((await restarted.api.get("/api/books?languageCode=es")).body.pagination.total).toBe(2);
  });

  it("is hidden again by a clock that is set back", async () => {
    const { app, setDates, seen } = await scene();
    await setDates(MINUTE, null);
    app.clock.advance(MINUTE);
    expect((await seen()).list).toBe(true);
    app.clock.advance(-1);
    expect((await seen()).list).toBe(false);
  });
});

describe("what is kept", () => {
  const listsOf = async ({ container }: TestApp) => {
    const { publicCatalogue } = container.services;
    const list = (languageCode?: string) => publicCatalogue.list({ languageCode, page: 1, limit: 50 }, "");
    return [await list("es"), await list("ca"), await list()];
  };

  it("stays until the next date, and is then composed once, however many books are due in that second", async () => {
    const { app, admin } = await scene();
    const at = new Date(app.clock.now() + MINUTE);
    const books = Array.from({ length: 1000 }, (_, index) => ({
      slug: `book-${index}`,
      titleEn: `Book ${index}`,
      publishAt: new Date(at.getTime() - index).toISOString(),
    }));
    expect((await admin.post("/api/admin/books/bulk", { books })).body.summary.created).toBe(1000);
    const before = await listsOf(app);
    app.clock.advance(MINUTE - 1);
    for (const [index, list] of (await listsOf(app)).entries()) expect(list).toBe(before[index]);
    app.clock.advance(1);
    const after = await listsOf(app);
    for (const [index, list] of after.entries()) expect(list).not.toBe(before[index]);
    app.clock.advance(10 * MINUTE);
    for (const [index, list] of (await listsOf(app)).entries()) expect(list).toBe(after[index]);
  });

  it("is kept by others until the next date at most", async () => {
    const { app, setDates } = await scene({ PUBLIC_CACHE_SECONDS: "300" });
    const shared = async (path: string) => (await app.api.get(path)).headers["cache-control"];
    const paths = [
      "/api/books",
      "/api/books/the-tree",
      "/api/languages",
      "/library/es",
      "/library/es/new.atom",
    ];
    const expected = async (fresh: number, stale: number) => {
      const value = `public, max-age=0, s-maxage=${fresh}, stale-while-revalidate=${stale}`;
      // The second response is sent without the router.
      for (const path of [...paths, ...paths]) expect(await shared(path), path).toBe(value);
      expect(await shared("/api/books/the-tree/cover")).toBe(value);
    };
    await expected(300, 300);
    await setDates(700_000, 705_000);
    await expected(300, 300);
    app.clock.advance(300_000);
    await expected(300, 100);
    app.clock.advance(100_500);
    await expected(299, 0);
    app.clock.advance(299_000);
    await expected(0, 0);
    app.clock.advance(500);
    await expected(5, 0);
    app.clock.advance(5000);
    await expected(300, 300);
  });
});

/** examples/nginx/cache.conf, which docs/scaling.md shows, run by nginx in front of a service with PUBLIC_CACHE_SECONDS. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  has,
  openCatalogue,
  publish,
  requestLink,
  type Scene,
  startBehind,
  startNginx,
} from "./support/proxies.ts";
import { createTempFolder } from "./support/temp-folder.ts";

const TIMEOUT = 120_000;
/** Long enough for a few requests on a busy machine. */
const SECONDS = 5;
const CODINGS = ["identity", "gzip", "br"];
const CONTENT = "A text.\n";
/** What must never be in a cache, beside links. */
const PRIVATE = [
  "/api/admin/books",
  "/api/admin/languages",
  "/api/auth/session",
  "/api/download/none",
  "/api/health",
  "/api/health/ready",
];

/** A catalogue behind nginx. @param seconds PUBLIC_CACHE_SECONDS */
async function start(seconds: number) {
  const folder = createTempFolder();
  const at = await startBehind(onTestFinished, (...at) => startNginx("nginx/cache.conf", { folder }, ...at), {
    PUBLIC_CACHE_SECONDS: String(seconds),
  });
  const cookie = await openCatalogue(at);
  const book = await publish(at, cookie, "The book", CONTENT);
  // A list that is long enough to be compressed.
  for (const title of ["Second", "Third", "Fourth"]) await publish(at, cookie, title, CONTENT);
  return { ...at, cookie, book, cached: join(folder, "cache") };
}

/** The response, its body and what the cache did. */
async function read({ send }: Pick<Scene, "send">, path: string, headers: Record<string, string> = {}) {
  const response = await send(path, { headers: { "accept-encoding": "identity", ...headers } });
  const { status, headers: received } = response;
  return { status, headers: received, body: await response.text(), cache: received.get("x-cache-status") };
}

const codingOf = ({ headers }: { headers: { get(name: string): string | null } }): string =>
  headers.get("content-encoding") ?? "identity";

/** The keys of all that nginx has stored, without scheme and host. */
const storedKeys = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1"))
    .map((content) => /^KEY: https:\/\/localhost(.*)$/m.exec(content)?.[1] ?? content)
    .sort();

/** How often the service was asked for a route, by its log. Ends the service. */
async function countAsked({ server }: Pick<Scene, "server">, route: string): Promise<number> {
  await server.end();
  return server.lines.filter((line) => line.route === route).length;
}

describe.runIf(has("nginx") && has("openssl"))("nginx with the cache of examples/nginx/cache.conf", () => {
  it("sends a list for PUBLIC_CACHE_SECONDS without asking the service", { timeout: TIMEOUT }, async () => {
    const at = await start(600);
    const first = await read(at, "/api/books");
    expect([first.status, first.cache]).toEqual([200, "MISS"]);
    expect(first.headers.get("surrogate-key")).toBe("catalogue");
    expect(first.headers.get("cache-control")).toBe(
      "public, max-age=0, s-maxage=600, stale-while-revalidate=600",
    );
    for (let time = 0; time < 20; time += 1) {
      const { cache, body } = await read(at, "/api/books");
      expect([cache, body]).toEqual(["HIT", first.body]);
    }
    const headers = { "if-none-match": first.headers.get("etag") ?? "" };
    const unchanged = await read(at, "/api/books", headers);
    expect([unchanged.status, unchanged.cache]).toEqual([304, "HIT"]);
    expect(await countAsked(at, "/api/books")).toBe(1);
  });

  it("sends the stale response at once while it asks, and what was withdrawn for twice as long and a second", {
    timeout: TIMEOUT,
  }, async () => {
    const at = await start(SECONDS);
    const book = `/api/books/${at.book.id}`;
    const before = await read(at, "/api/books");
    expect((await read(at, book)).cache).toBe("MISS");
    const storedAt = performance.now();
    const until = (seconds: number) => sleep(storedAt + 1_000 * seconds - performance.now());
    const { cookie } = at;
    const withdrawn = await at.send(`/api/admin/books/${at.book.id}`, {
      method: "DELETE",
      headers: { cookie },
    });
    expect(withdrawn.status).toBe(200);

    await until(SECONDS + 1.5);
    const stale = await read(at, "/api/books");
    expect([stale.cache, stale.body]).toEqual(["STALE", before.body]);
    await expect.poll(async () => (await read(at, "/api/books")).body).not.toContain(at.book.id);
    expect((await read(at, "/api/books")).cache).toBe("HIT");

    // nginx counts whole seconds.
    await until(2 * SECONDS + 1);
    for (let time = 0; time < 2; time += 1) expect((await read(at, book)).status).toBe(404);
  });

  it("keeps a variant for each coding", { timeout: TIMEOUT }, async () => {
    const at = await start(600);
    const service = await at.server.waitUntilListening();
    const bodies = new Map<string, string>();
    for (const coding of CODINGS) {
      const headers = { "accept-encoding": coding };
      // The service compresses a response when it is requested again.
      const send = () => fetch(`${service}/api/books`, { headers });
      await expect.poll(async () => codingOf(await send())).toBe(coding);
    }
    for (const cache of ["MISS", "HIT"])
      for (const coding of CODINGS) {
        const list = await read(at, "/api/books", { "accept-encoding": coding });
        expect([list.cache, codingOf(list), list.headers.get("vary")]).toEqual([
          cache,
          coding,
          "Origin, Accept-Encoding",
        ]);
        bodies.set(list.headers.get("etag") ?? "", list.body);
      }
    expect([bodies.size, new Set(bodies.values()).size]).toEqual([CODINGS.length, 1]);
  });

  it("compresses a response that it got before the service had compressed it", {
    timeout: TIMEOUT,
  }, async () => {
    const at = await start(600);
    const plain = await read(at, "/api/books");
    const headers = { "accept-encoding": "gzip, br" };
    for (const cache of ["MISS", "HIT"]) {
      const list = await read(at, "/api/books", headers);
      expect([list.cache, codingOf(list), list.body]).toEqual([cache, "gzip", plain.body]);
      const condition = { ...headers, "if-none-match": list.headers.get("etag") ?? "" };
      expect((await read(at, "/api/books", condition)).status).toBe(304);
    }
    expect(await countAsked(at, "/api/books")).toBe(2);
  });

  it("has no part in administration, log-ins, downloads and health", { timeout: TIMEOUT }, async () => {
    const at = await start(600);
    const link = await requestLink(at, at.book.slug);
    expect((await read(at, link)).body).toBe(CONTENT);
    for (const path of [...PRIVATE, link])
      for (let time = 0; time < 2; time += 1) {
        const [mine, others] = [await read(at, path, { cookie: at.cookie }), await read(at, path)];
        expect([path, mine.cache, others.cache]).toEqual([path, null, null]);
        if (path.startsWith("/api/admin")) expect([mine.status, others.status]).toEqual([200, 401]);
      }
    expect(storedKeys(at.cached)).toEqual([]);
  });

  it("keeps public responses of the catalogue alone", { timeout: TIMEOUT }, async () => {
    const at = await start(600);
    const secrets = { cookie: at.cookie, authorization: "Bearer none" };
    // nginx compares the first path as /api/books, and sends it as one below /api/admin.
    for (const path of ["/api/admin/books/..%2f..%2fbooks", "/api/books/none", "/api/books?languageCode=fr"])
      for (let time = 0; time < 2; time += 1) {
        const { status, cache } = await read(at, path, secrets);
        expect([path, status >= 400, cache]).toEqual([path, true, "MISS"]);
      }
    expect(storedKeys(at.cached)).toEqual([]);

    const { id } = at.book;
    for (const path of ["/api/books", "/api/languages", `/api/books/${id}`, `/api/books/${id}/cover`])
      expect((await read(at, path)).headers.get("surrogate-key")).toBe("catalogue");
    const kept = ["/api/books", `/api/books/${id}`, `/api/books/${id}/cover`, "/api/languages"];
    expect(storedKeys(at.cached)).toEqual(kept);
  });
});

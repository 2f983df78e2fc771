/** The figures that Prometheus reads. */
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { noteBackup } from "../../src/backup/backup-directory.ts";
import { LAST_BACKUP_FILE } from "../../src/lib/data-dir-names.ts";
import { routes } from "../../src/routes/index.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { dumpOf } from "../support/database-dump.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { contact } from "../support/factory.ts";
import { rawGet, sendRaw } from "../support/raw-http.ts";
import { readExposition } from "../support/read-exposition.ts";
import { linkTo } from "../support/reader.ts";
import { startDownload } from "../support/slow-download.ts";

const METRICS_TOKEN = "q7Vd0Zk2mXr9LbT4wYc6NfHs1JgPu8Ae";
const TOKEN = { Authorization: `Bearer ${METRICS_TOKEN}` };

const start = (variables: Readonly<Record<string, string>> = {}) => startApp({ METRICS_TOKEN, ...variables });

/** Every sample as `name{label="value"}`, with its value. */
async function figuresOf({ api }: TestApp): Promise<Record<string, number>> {
  const response = await api.get("/metrics", TOKEN);
  expect(response.status).toBe(200);
  const samples = [...readExposition(response.body.toString()).values()].flatMap((family) => family.samples);
  return Object.fromEntries(
    samples.map(({ name, labels, value }) => {
      const pairs = Object.entries(labels).map(([label, text]) => `${label}="${text}"`);
      return [pairs.length === 0 ? name : `${name}{${pairs.join()}}`, value];
    }),
  );
}

describe("without METRICS_TOKEN", () => {
  it("there is nothing at the address, whatever is tried", async () => {
    const { api } = await startApp();
    const unknown = await api.get("/api/nothing");
    for (const method of ["get", "post", "delete"] as const) {
      for (const headers of [{}, TOKEN, { Authorization: "Bearer" }, { Authorization: "Bearer undefined" }]) {
        const response = await api.call(method, "/metrics", { headers });
        expectProblem(response, 404, { code: "route_not_found" });
        expect(Object.keys(response.headers)).toEqual(Object.keys(unknown.headers));
      }
    }
  });
});

describe("who may read them", () => {
  it("is whoever has the token, and nobody else, an administrator included", async () => {
    const app = await start();
    const admin = await app.admin();
    const key = await app.make.apiKey();
    for (const wrong of [
      "",
      "Bearer",
      "Bearer x",
      `Basic ${METRICS_TOKEN}`,
      `${TOKEN.Authorization}x`,
      METRICS_TOKEN,
    ]) {
      const response = await app.api.get("/metrics", { Authorization: wrong });
      expectProblem(response, 401, { code: "unauthenticated" });
      expect(response.headers["www-authenticate"]).toMatch(/^Bearer /);
    }
    for (const client of [app.api, admin, key]) expectProblem(await client.get("/metrics"), 401);
    for (const path of ["/metrics/", "/Metrics", "//metrics", "/metrics%20", "/api/metrics"])
      expectProblem(await app.api.get(path, TOKEN), 404);
    expect((await app.api.get(`/metrics?token=${METRICS_TOKEN}`)).status).toBe(401);
    expect(JSON.stringify(app.logged)).not.toContain(METRICS_TOKEN);
  });

  it("reads and does nothing else", async () => {
    const app = await start();
    const before = await dumpOf(app);
    const response = await app.api.get("/metrics", TOKEN);
    expect(response.headers).toMatchObject({
      "content-type": "text/plain; version=0.0.4; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    const head = await app.api.head("/metrics", TOKEN);
    expect(head.status).toBe(200);
    const post = await app.api.call("post", "/metrics", { headers: TOKEN });
    expectProblem(post, 405);
    expect(post.headers.allow).toBe("HEAD, GET");
    expect(await dumpOf(app)).toEqual(before);
  });
});

const count = (method: string, route: string, status: string): string =>
  `http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`;

describe("the figures", () => {
  it("count requests by method, route and class of status, and problems by their code", async () => {
    const app = await start();
    await app.api.get("/api/books");
    await app.api.head("/api/books");
    await app.api.get("/api/books/one");
    await app.api.get("/api/books/two");
    await app.api.get("/api/nothing");
    await sendRaw(app.server, rawGet("/api/books", [], "PROPFIND"));
    const figures = await figuresOf(app);
    expect(figures).toMatchObject({
      [count("GET", "/api/books", "2xx")]: 1,
      [count("HEAD", "/api/books", "2xx")]: 1,
      [count("GET", "/api/books/{slugOrId}", "4xx")]: 2,
      [count("GET", "none", "4xx")]: 1,
      [count("other", "/api/books", "4xx")]: 1,
      'http_problems_total{code="book_not_found"}': 2,
      http_requests_in_flight: 1,
    });
  });

  it("hold nothing personal, and no more lines than there are routes, whatever is asked for", async () => {
    const app = await start();
    await app.make.language("es");
    const { book } = await app.make.published("The Well", "es");
    const link = await linkTo(app.api, { slug: "the-well", languageCode: "es" });
    const admin = await app.admin();
    const ask = async () => {
      for (const [index, client] of [app.api, admin].entries()) {
        await client.get(link);
        await client.get(`/api/admin/books/${book.id}`);
        await client.get(`/api/books?search=${contact.email}&page=${index}`);
        for (let other = 0; other < 20; other++) {
          await client.get(`/api/download/token-${index}-${other}`);
          await client.get(`/nowhere/${index}/${other}?email=${contact.email}`);
          await client.call("get", `/api/books/${other}${index}`, { headers: { Host: `h${other}` } });
        }
      }
      return Object.keys(await figuresOf(app));
    };
    await figuresOf(app);
    const lines = await ask();
    expect(await ask()).toEqual(lines);
    const known = new Set([...routes.map(({ path }) => path), "/metrics", "none"]);
    const named = lines.flatMap((line) => /route="([^"]*)"/.exec(line)?.[1] ?? []);
    expect(named.filter((route) => !known.has(route))).toEqual([]);
    const text = lines.join("\n");
    const [token = ""] = link.split("/").slice(-1);
    for (const secret of [contact.email, token, book.id, "127.0.0.1", "nowhere", "the-well"])
      expect(text).not.toContain(secret);
  });

  it("count refusals by limit", async () => {
    const app = await start({ RATE_LIMIT_SUBMIT: "1", RATE_LIMIT_DOWNLOAD: "2" });
    for (let call = 0; call < 4; call++) {
      await app.api.post("/api/download/submit", {});
      await app.api.get("/api/download/x");
    }
    expect(await figuresOf(app)).toMatchObject({
      'rate_limit_refusals_total{limit="login"}': 0,
      'rate_limit_refusals_total{limit="submit"}': 3,
      'rate_limit_refusals_total{limit="download"}': 2,
    });
  });

  it("count transfers that ended before their end", async () => {
    const app = await start();
    await app.make.language("es");
    await app.make.published("The Well", "es", "a".repeat(24 * 1024 * 1024));
    const download = await startDownload(
      app.server,
      await linkTo(app.api, { slug: "the-well", languageCode: "es" }),
    );
    expect(await figuresOf(app)).toMatchObject({ http_requests_in_flight: 2 });
    download.leave();
    const aborted = 'http_answers_aborted_total{method="GET",route="/api/download/{token}"}';
    await expect.poll(() => figuresOf(app)).toMatchObject({ [aborted]: 1, http_requests_in_flight: 1 });
  });

  it("tell of the storage: the log, its faults, caches, what was swept, the City database", async () => {
    const app = await start();
    const { dataDir, container } = app;
    const none = await figuresOf(app);
    expect(none.sqlite_wal_bytes).toBeGreaterThan(0);
    expect(none).toMatchObject({
      'sqlite_faults_total{kind="busy"}': 0,
      'sqlite_faults_total{kind="full"}': 0,
      'cache_files{cache="zip"}': 0,
      orphans_swept_total: 0,
    });
    expect(none.geoip_database_time_seconds).toBeUndefined();

    await app.make.language("es");
    await app.make.published("The Well", "es");
    const { body } = await app.api.post("/api/download/submit-all", { languageCode: "es", contact });
    const zip = await app.api.get(body.downloadUrl);
    mkdirSync(join(dataDir, "files", "ab"), { recursive: true });
    writeFileSync(join(dataDir, "files", "ab", "ab".repeat(32)), "orphan");
    await container.sweep();
    const made = new Date("2026-02-03T04:05:06Z");
    writeFileSync(join(dataDir, "GeoLite2-City.mmdb"), "");
    utimesSync(join(dataDir, "GeoLite2-City.mmdb"), made, made);
    expect(await figuresOf(app)).toMatchObject({
      'cache_files{cache="zip"}': 1,
      'cache_bytes{cache="zip"}': Number(zip.headers["content-length"]),
      orphans_swept_total: 1,
      geoip_database_time_seconds: made.getTime() / 1000,
    });
  });

  it("tell when the last backup was made, wherever it is", async () => {
    const app = await start();
    const reported = async () => (await figuresOf(app)).backup_last_time_seconds;
    expect(await reported()).toBeUndefined();
    await noteBackup(app.dataDir, { createdAt: "2026-02-03T04:05:06.000Z", path: "/mnt/backups/one" });
    expect(await reported()).toBe(Date.parse("2026-02-03T04:05:06Z") / 1000);
    writeFileSync(join(app.dataDir, LAST_BACKUP_FILE), '{"createdAt":');
    expect(await reported()).toBeUndefined();
  });

  it("leave out what can't be read just now, and tell the rest", async () => {
    const app = await start();
    mkdirSync(join(app.dataDir, LAST_BACKUP_FILE));
    const figures = await figuresOf(app);
    expect(figures.backup_last_time_seconds).toBeUndefined();
    expect(figures.sqlite_wal_bytes).toBeGreaterThan(0);
    expect(figures.http_requests_in_flight).toBe(1);
  });

  it("tell of the process", async () => {
    const figures = await figuresOf(await start());
    for (const name of [
      "process_resident_memory_bytes",
      "nodejs_heap_used_bytes",
      "process_cpu_seconds_total",
    ])
      expect(figures[name]).toBeGreaterThan(0);
    const startedAt = (Date.now() - performance.now()) / 1000;
    expect(Math.abs((figures.process_start_time_seconds ?? 0) - startedAt)).toBeLessThan(5);
    if (process.platform === "linux") expect(figures.process_open_fds).toBeGreaterThan(3);
  });

  it("tell how late the event loop was, since they were read last", async () => {
    const app = await start();
    const latest = async () => (await figuresOf(app))['event_loop_lag_seconds{quantile="1"}'] ?? 0;
    await new Promise((resolve) => setTimeout(resolve, 100));
    const until = performance.now() + 300;
    while (performance.now() < until);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await latest()).toBeGreaterThan(0.2);
  });
});

/** The metrics that Prometheus scrapes. */

import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { noteBackup } from "../../src/adapters/last-backup.ts";
import { LAST_BACKUP_FILE } from "../../src/lib/data-dir-names.ts";
import { routes } from "../../src/routes/index.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { bodyOf } from "../support/client.ts";
import { dumpOf } from "../support/database-dump.ts";
import { eventually } from "../support/eventually.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { contact } from "../support/factory.ts";
import { itInFolder } from "../support/on-s3.ts";
import { connectTo, formatGet, sendRaw } from "../support/raw-http.ts";
import { linkTo } from "../support/reader.ts";
import { readMetrics } from "../support/scrape.ts";
import { startDownload } from "../support/slow-download.ts";
import { isOnPostgres } from "../support/test-database.ts";

const METRICS_TOKEN = "q7Vd0Zk2mXr9LbT4wYc6NfHs1JgPu8Ae";
const TOKEN = { Authorization: `Bearer ${METRICS_TOKEN}` };

const start = (variables: Readonly<Record<string, string>> = {}) => startApp({ METRICS_TOKEN, ...variables });

async function metricsOf({ api }: TestApp): Promise<Record<string, number>> {
  return readMetrics((await bodyOf(api.get("/metrics", TOKEN))).toString());
}

it("without METRICS_TOKEN the path returns 404 to every request", async () => {
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

describe("the metrics with METRICS_TOKEN", () => {
  it("are readable by a client with the token; an administrator without it gets 401", async () => {
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

  it("aren't changed by being read", async () => {
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
  `bookdist_http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`;

describe("the metrics", () => {
  it("count requests by method, route and class of status, and problems by their code", async () => {
    const app = await start();
    await app.api.get("/api/books");
    await app.api.head("/api/books");
    await app.api.get("/api/books/one");
    await app.api.get("/api/books/two");
    await app.api.get("/api/nothing");
    await sendRaw(app.server, formatGet("/api/books", [], "PROPFIND"));
    const metrics = await metricsOf(app);
    expect(metrics).toMatchObject({
      [count("GET", "/api/books", "2xx")]: 1,
      [count("HEAD", "/api/books", "2xx")]: 1,
      [count("GET", "/api/books/{slugOrId}", "4xx")]: 2,
      [count("GET", "none", "4xx")]: 1,
      [count("other", "/api/books", "4xx")]: 1,
      'bookdist_http_problems_total{code="book_not_found"}': 2,
      bookdist_http_requests_in_flight: 1,
    });
  });

  it("contain no personal data, and no unknown route, regardless of the requests", async () => {
    const app = await start();
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
      // Those of the process name all that it has open at the moment.
      return Object.keys(await metricsOf(app)).filter((line) => line.startsWith("bookdist_"));
    };
    await metricsOf(app);
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

  it("count rejected requests by limit", async () => {
    const app = await start({ RATE_LIMIT_SUBMIT: "1", RATE_LIMIT_DOWNLOAD: "2" });
    for (let call = 0; call < 4; call++) {
      await app.api.post("/api/download/submit", {});
      await app.api.get("/api/download/x");
    }
    expect(await metricsOf(app)).toMatchObject({
      'bookdist_rate_limit_rejected_total{limit="login"}': 0,
      'bookdist_rate_limit_rejected_total{limit="submit"}': 3,
      'bookdist_rate_limit_rejected_total{limit="download"}': 2,
    });
  });

  it("count responses that were not sent completely", async () => {
    const app = await start();
    await app.make.published("The Well", "es", "a".repeat(24 * 1024 * 1024));
    const download = await startDownload(
      app.server,
      await linkTo(app.api, { slug: "the-well", languageCode: "es" }),
    );
    expect(await metricsOf(app)).toMatchObject({ bookdist_http_requests_in_flight: 2 });
    download.leave();
    const aborted = 'bookdist_http_responses_aborted_total{method="GET",route="/api/download/{token}"}';
    await expect
      .poll(() => metricsOf(app))
      .toMatchObject({ [aborted]: 1, bookdist_http_requests_in_flight: 1 });
  });

  it("count and log a request as 499 if the client disconnected before there was a response", async () => {
    const app = await start();
    await app.make.published("The Well", "es");
    const { database } = app.container;
    const commit = database.commit.bind(database);
    const left = Promise.withResolvers<void>();
    const writes = vi.spyOn(database, "commit").mockImplementationOnce(async (...work) => {
      await left.promise;
      return commit(...work);
    });
    const form = "slug=the-well&languageCode=es&email=a%40example.org&firstName=Sara";
    const type = ["Content-Type: application/x-www-form-urlencoded", `Content-Length: ${form.length}`];
    const socket = connectTo(app.server);
    socket.write(formatGet("/api/download/submit", type, "POST") + form);
    await eventually(() => expect(writes).toHaveBeenCalled());
    socket.destroy();
    const line = () => app.logged.find(({ route }) => route === "/api/download/submit");
    await expect.poll(line).toMatchObject({ status: 499, bytes: 0, aborted: true });
    left.resolve();
    const counted =
      'bookdist_http_request_duration_seconds_count{method="POST",route="/api/download/submit",status=';
    expect(await metricsOf(app)).toMatchObject({ [`${counted}"4xx"}`]: 1 });
  });

  itInFolder("include the storage: log, errors, caches, swept files, City database", async () => {
    const app = await start();
    const { dataDir, container } = app;
    const none = await metricsOf(app);
    expect(none).toMatchObject({
      ...(!isOnPostgres() && {
        'bookdist_sqlite_errors_total{kind="busy"}': 0,
        'bookdist_sqlite_errors_total{kind="full"}': 0,
      }),
      'bookdist_cache_files{cache="zip"}': 0,
      bookdist_orphans_swept_total: 0,
      bookdist_removed_files: 0,
    });
    expect(none.bookdist_geoip_database_timestamp_seconds).toBeUndefined();

    await app.make.published("The Well", "es");
    const { body } = await app.api.post("/api/download/submit-all", { languageCode: "es", contact });
    const zip = await app.api.get(body.downloadUrl);
    mkdirSync(join(dataDir, "files", "ab"), { recursive: true });
    writeFileSync(join(dataDir, "files", "ab", "ab".repeat(32)), "orphan");
    await container.sweep();
    const made = new Date("2026-02-03T04:05:06Z");
    writeFileSync(join(dataDir, "GeoLite2-City.mmdb"), "");
    utimesSync(join(dataDir, "GeoLite2-City.mmdb"), made, made);
    const filled = await metricsOf(app);
    if (!isOnPostgres()) expect(filled.bookdist_sqlite_wal_bytes).toBeGreaterThan(0);
    expect(filled).toMatchObject({
      'bookdist_cache_files{cache="zip"}': 1,
      'bookdist_cache_bytes{cache="zip"}': Number(zip.headers["content-length"]),
      bookdist_orphans_swept_total: 1,
      bookdist_removed_files: 1,
      bookdist_removed_bytes: "orphan".length,
      bookdist_geoip_database_timestamp_seconds: made.getTime() / 1000,
    });
  });

  it("include the time of the last backup, regardless of its folder", async () => {
    const app = await start();
    const reported = async () => (await metricsOf(app)).bookdist_backup_last_timestamp_seconds;
    expect(await reported()).toBeUndefined();
    await noteBackup(app.dataDir, { createdAt: "2026-02-03T04:05:06.000Z", path: "/mnt/backups/one" });
    expect(await reported()).toBe(Date.parse("2026-02-03T04:05:06Z") / 1000);
    writeFileSync(join(app.dataDir, LAST_BACKUP_FILE), '{"createdAt":');
    expect(await reported()).toBeUndefined();
  });

  it("omit what can't be read, and include the rest", async () => {
    const app = await start();
    await app.make.language("es");
    mkdirSync(join(app.dataDir, LAST_BACKUP_FILE));
    const metrics = await metricsOf(app);
    expect(metrics.bookdist_backup_last_timestamp_seconds).toBeUndefined();
    if (!isOnPostgres()) expect(metrics.bookdist_sqlite_wal_bytes).toBeGreaterThan(0);
    expect(metrics.bookdist_http_requests_in_flight).toBe(1);
  });

  it("include the standard metrics of the process, once for several applications", async () => {
    const [one, other] = [await start(), await start()];
    const metrics = await metricsOf(one);
    for (const name of [
      "process_resident_memory_bytes",
      "nodejs_heap_size_used_bytes",
      "process_cpu_seconds_total",
      "nodejs_eventloop_lag_p99_seconds",
    ])
      expect(metrics[name]).toBeGreaterThan(0);
    const startedAt = (Date.now() - performance.now()) / 1000;
    expect(Math.abs((metrics.process_start_time_seconds ?? 0) - startedAt)).toBeLessThan(60);
    if (process.platform === "linux") expect(metrics.process_open_fds).toBeGreaterThan(3);
    await one.api.get("/api/books");
    expect(await metricsOf(one)).toHaveProperty([count("GET", "/api/books", "2xx")], 1);
    expect(await metricsOf(other)).not.toHaveProperty([count("GET", "/api/books", "2xx")]);
  });

  it("contain the greatest delay of the event loop since the last scrape", async () => {
    const app = await start();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const until = performance.now() + 300;
    while (performance.now() < until);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await metricsOf(app)).nodejs_eventloop_lag_max_seconds).toBeGreaterThan(0.2);
  });

  it("don't add up if they are scraped twice concurrently", async () => {
    const app = await start({ RATE_LIMIT_SUBMIT: "1" });
    for (let call = 0; call < 3; call++) await app.api.post("/api/download/submit", {});
    const scrapes = await Promise.all([metricsOf(app), metricsOf(app), metricsOf(app)]);
    const rejected = 'bookdist_rate_limit_rejected_total{limit="submit"}';
    expect(scrapes.map((metrics) => metrics[rejected])).toEqual([2, 2, 2]);
  });
});

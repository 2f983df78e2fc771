/** The doctor: what it finds, what it advises, and that it changes nothing. */
import { appendFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openWriter } from "../../src/db/sqlite/connection.ts";
import { startHost } from "../adapters/cloud-fetch-host.ts";
import { startApp, startWithAdmin, type TestApp } from "../support/app.ts";
import { setActive } from "../support/catalogue-rows.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { itInFolder } from "../support/on-s3.ts";
import { expectStored, hashBytes } from "../support/stored-files.ts";
import { isOnPostgres } from "../support/test-database.ts";

interface Finding {
  check: string;
  severity: string;
  object: { name: string };
  message: string;
}

const PATH = "/api/admin/doctor";

const examine = async (app: TestApp, query = "") => {
  const answer = await (await app.admin()).get(`${PATH}${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};

const placeOf = ({ dataDir }: TestApp, bytes: Buffer) => {
  const sha256 = hashBytes(bytes);
  return join(dataDir, "files", sha256.slice(0, 2), sha256);
};

/** What is found of one kind, as object and message. */
const foundOf = (report: { findings: Finding[] }, check: string) =>
  report.findings.filter((finding) => finding.check === check);

describe("GET /api/admin/doctor", () => {
  it("reports every unknown parameter and value", async () => {
    const { make } = await startApp();
    expectProblem(await (await make.login("admin")).get(`${PATH}?deep=sure&cloud=yes&more=1`), 400, {
      errors: ["deep invalid_value", "cloud invalid_value", "more unknown_field"],
    });
  });

  it("finds nothing wrong with a consistent catalogue, and lists its checks", async () => {
    const app = await startApp();
    await app.make.published("Well", "en");
    const report = await examine(app, "?deep=true");
    expect(report).toEqual({
      isHealthy: true,
      checkedAt: "2026-03-01T12:00:00.000Z",
      checks: [
        "damaged_database",
        "broken_reference",
        "foreign_trigger",
        "foreign_table",
        "missing_constraint",
        "missing_index",
        "missing_bytes",
        "unreadable_bytes",
        "changed_bytes",
        "orphaned_bytes",
        "many_orphaned_bytes",
        "language_without_files",
        "translation_without_file",
        "published_without_file",
        "library_channel",
        "stale_search_texts",
        "search_index_missing",
        "misplaced_file",
        "similar_books",
        "equal_files",
        "geoip_stale",
        "clock_ahead",
        "clock_differs",
        "overdue_readers",
        "unwritten_redemptions",
        "trusted_readers",
        "webhook_disabled",
        "webhook_secret",
        "outbox_held",
        "outbox_dropped",
        "mail_server",
        "images_unavailable",
      ].map((check) => ({ check, found: 0 })),
      examined: {
        files: 1,
        covers: 0,
        bytes: 1,
        cloudLinks: 0,
        removedFiles: 0,
        removedBytes: 0,
        replacedFiles: 0,
        replacedBytes: 0,
      },
      findings: [],
    });
  });

  itInFolder(
    "reports missing, shorter and longer bytes, also of inactive files, and changes nothing",
    async () => {
      const app = await startApp();
      const book = await app.make.book("Well");
      const former = await app.make.textFile(book.id, "en", "the former one", "former.txt");
      const present = await app.make.textFile(book.id, "en", "the present one", "present.txt");
      const longer = await app.make.textFile(book.id, "en", "the longer one", "longer.txt");
      appendFileSync(placeOf(app, Buffer.from("the longer one")), "more");
      rmSync(placeOf(app, Buffer.from("the former one")));
      writeFileSync(placeOf(app, Buffer.from("the present one")), "half");
      const report = await examine(app);
      expect(report.isHealthy).toBe(false);
      expect(foundOf(report, "missing_bytes")).toEqual([
        {
          check: "missing_bytes",
          severity: "error",
          object: { kind: "file", id: former.id, name: "former.txt" },
          message: "The stored bytes are missing or have another size.",
          advice: "Upload the file again, or restore a backup.",
        },
        expect.objectContaining({ object: { kind: "file", id: present.id, name: "present.txt" } }),
        expect.objectContaining({ object: { kind: "file", id: longer.id, name: "longer.txt" } }),
      ]);
      expect((await examine(app)).checks).toEqual(report.checks);
    },
  );

  it("rejects deep and cloud from another site, and works from a plain link", async () => {
    const { client: admin } = await startWithAdmin();
    for (const query of ["?deep=true", "?deep=1", "?cloud=true", "?deep=false&cloud=1"]) {
      for (const site of ["cross-site", "same-site"]) {
        const response = await admin.get(`${PATH}${query}`, { "Sec-Fetch-Site": site });
        expectProblem(response, 403, { code: "cross_site_request" });
      }
      const foreign = await admin.get(`${PATH}${query}`, { Origin: "https://evil.example" });
      expectProblem(foreign, 403, { code: "cross_site_request" });
      expect((await admin.get(`${PATH}${query}`, { "Sec-Fetch-Site": "same-origin" })).status).toBe(200);
    }
    expect((await admin.get(PATH, { "Sec-Fetch-Site": "cross-site" })).status).toBe(200);
  });

  it("reports foreign triggers and views as errors, foreign tables and indexes as warnings", async ({
    skip,
  }) => {
    if (isOnPostgres()) return skip("the data folder has no database");
    const app = await startApp();
    const writer = openWriter(join(app.dataDir, "database.sqlite"));
    writer.exec(`create table _litestream_seq (id integer primary key);
      create index more_books on books (titleEn);
      create trigger sneak after insert on sessions begin delete from audit_log; end;
      create view "all users" as select * from users;
      analyze`);
    writer.close();
    const report = await examine(app, "?deep=true");
    expect(report.isHealthy).toBe(false);
    const named = (check: string) =>
      foundOf(report, check).map(({ severity, message }) => [severity, message]);
    const made = (what: string) => `This service did not create the ${what}.`;
    expect(named("foreign_trigger")).toEqual([
      ["error", made("view all users")],
      ["error", made("trigger sneak on sessions")],
    ]);
    expect(named("foreign_table")).toEqual([
      ["warning", made("table _litestream_seq")],
      ["warning", made("index more_books on books")],
      ["warning", made("table sqlite_stat1")],
      ...foundOf(report, "foreign_table")
        .slice(3)
        .map(() => expect.anything()),
    ]);
    expect(await examine(app)).toMatchObject({ isHealthy: true });
  });

  itInFolder("reports changed bytes only if it reads them", async () => {
    const app = await startApp();
    const { file } = await app.make.published("Well", "en", "true to the letter");
    writeFileSync(placeOf(app, Buffer.from("true to the letter")), "true to the lettuce".slice(0, 18));
    expect(await examine(app)).toMatchObject({ isHealthy: true, findings: [] });
    const report = await examine(app, "?deep=true");
    expect(report.isHealthy).toBe(false);
    expect(foundOf(report, "changed_bytes")).toMatchObject([{ object: { kind: "file", id: file.id } }]);
  });

  it("reports bytes without a row, and leaves them", async () => {
    const app = await startApp();
    await app.make.published("Well", "en", "wanted");
    const stray = Buffer.from("unnamed");
    const { store } = app.container;
    const received = await store.receive(toStream(stray), { maxBytes: 100 });
    await store.keep(received);
    await received.discard();
    const report = await examine(app);
    expect(report.isHealthy).toBe(true);
    const object = { kind: "bytes", id: hashBytes(stray), name: hashBytes(stray) };
    expect(foundOf(report, "orphaned_bytes")).toMatchObject([{ severity: "warning", object }]);
    await expectStored(app.dataDir, stray, Buffer.from("wanted"));
  });

  it("lists at most a hundred of a kind, and counts them all", async () => {
    const app = await startApp();
    await app.make.language("en");
    const book = await app.make.book("Well");
    // The codes from qaa on are for private use.
    const codes = Array.from({ length: 101 }, (_, n) => `q${letter(Math.floor(n / 26))}${letter(n % 26)}`);
    const titles = codes.map((languageCode) => ({ languageCode, title: "T" }));
    for (const { languageCode } of titles) await app.make.language(languageCode);
    await app.make.book("Words only", { translations: titles });
    await app.make.textFile(book.id, "en", "text");
    const report = await examine(app);
    for (const check of ["language_without_files", "translation_without_file"]) {
      expect(report.checks).toContainEqual({ check, found: 101 });
      expect(foundOf(report, check)).toHaveLength(100);
    }
  });

  it("reports missing files that readers could request", async () => {
    const app = await startApp();
    const spanish = await app.make.language("es");
    const mexican = await app.make.language("es-MX", { parentId: spanish.id });
    const arabic = await app.make.language("ar");
    await app.make.language("fr", { isActive: 0 });
    const { book } = await app.make.published("Well", "es");
    const words = ["es", "es-MX", "ar", "fr"].map((languageCode) => ({ languageCode, title: "T" }));
    const wordy = await app.make.book("Words", { translations: words });
    const channel = (await app.make.channel("web")).id;
    const closed = (await app.make.channel("closed", { isActive: 0 })).id;
    await app.make.publish(book.id, channel, mexican.id);
    await app.make.publish(book.id, channel, arabic.id);
    await app.make.publish(book.id, closed, arabic.id);
    const found = async (check: string) =>
      foundOf(await examine(app), check).map(({ object, message }) => [object, message]);
    const name = "words";
    expect(await found("language_without_files")).toEqual([
      [{ kind: "language", id: String(arabic.id), name: "ar" }, expect.stringContaining("Name of ar")],
    ]);
    expect((await found("translation_without_file")).map(([object, message]) => [object, message])).toEqual(
      ["ar", "es", "es-MX"].map((code) => [
        { kind: "translation", id: expect.any(String), name },
        `The book has a translation in ${code}, but no file.`,
      ]),
    );
    expect(await found("published_without_file")).toEqual([
      [
        { kind: "publication", id: book.id, name: "well" },
        "The book is on the channel web in ar, but has no file there.",
      ],
    ]);
    await setActive(app, wordy.id, 0);
    expect(await found("translation_without_file")).toEqual([]);
  });

  it("names the channel that the library shows while it is inactive", async () => {
    const { app, client, make } = await startWithAdmin();
    const channel = await make.channel("Kids & more");
    const found = async () => foundOf(await examine(app), "library_channel").map(({ message }) => message);
    expect((await client.put("/api/admin/library", { channelId: channel.id })).status).toBe(200);
    expect(await found()).toEqual([]);
    const switchTo = async (isActive: 0 | 1) =>
      expect((await client.put(`/api/admin/channels/${channel.id}`, { isActive })).status).toBe(200);
    await switchTo(0);
    expect(await found()).toEqual([
      "The library shows the channel Kids & more, which is inactive: readers find no books.",
    ]);
    expect((await client.put("/api/admin/library", { channelId: null })).status).toBe(200);
    expect(await found()).toEqual([]);
  });

  it("checks cloud links on request", async () => {
    const host = await startHost(cloud);
    const app = await startApp({ CLOUD_FETCH_ALLOW_HOSTS: host.hostAndPort });
    const book = await app.make.book("Well");
    for (const fileType of ["pdf", "epub", "mobi"]) {
      const cloudUrl = `http://${host.hostAndPort}/${fileType}`;
      await app.make.link(book.id, "en", { fileType, fileName: `well.${fileType}`, cloudUrl });
    }
    expect(await examine(app)).toMatchObject({ isHealthy: true, examined: { cloudLinks: 0 } });
    const report = await examine(app, "?cloud=true");
    expect(report).toMatchObject({ isHealthy: false, examined: { files: 0, cloudLinks: 3 } });
    const messages = foundOf(report, "cloud_link_broken").map(({ object, message }) => [
      object.name,
      message,
    ]);
    expect(Object.fromEntries(messages)).toEqual({
      "well.epub": "The host responded with status 404.",
      "well.mobi": "The host responded with a web page instead of the file.",
    });
  });

  it("reports a City database that is more than thirty days old", async () => {
    const app = await startApp();
    const path = join(app.dataDir, "GeoLite2-City.mmdb");
    const daysAgo = (days: number) => new Date(app.clock.now() - days * 86_400_000);
    writeFileSync(path, "");
    utimesSync(path, daysAgo(30), daysAgo(30));
    expect(foundOf(await examine(app), "geoip_stale")).toEqual([]);
    utimesSync(path, daysAgo(31), daysAgo(31));
    expect(foundOf(await examine(app), "geoip_stale")).toMatchObject([
      { severity: "warning", message: "The City database is 31 days old." },
    ]);
  });

  it("runs one examination at a time", async () => {
    const waiting = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const host = await startHost(async (_, response) => {
      asked.resolve();
      await waiting.promise;
      response.end("%PDF-");
    });
    const { app, client: admin } = await startWithAdmin({ CLOUD_FETCH_ALLOW_HOSTS: host.hostAndPort });
    const book = await app.make.book("Well");
    await app.make.link(book.id, "en", { cloudUrl: `http://${host.hostAndPort}/well` });
    const first = examine(app, "?cloud=true");
    await asked.promise;
    expectProblem(await admin.get(PATH), 409, { code: "doctor_running" });
    waiting.resolve();
    expect(await first).toMatchObject({ isHealthy: true });
    expect(await examine(app)).toMatchObject({ isHealthy: true });
  });
});

const letter = (number: number): string => String.fromCharCode(97 + number);

const cloud: RequestListener = ({ url }, response) => {
  if (url === "/epub") response.writeHead(404).end();
  else if (url === "/mobi")
    response.writeHead(200, { "Content-Type": "text/html" }).end("<html>Log in</html>");
  else response.writeHead(200, { "Content-Type": "application/pdf" }).end("%PDF-1.7");
};

async function* toStream(bytes: Buffer) {
  yield bytes;
}

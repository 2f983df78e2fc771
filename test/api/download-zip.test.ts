/** Downloading everything in a language as a ZIP. */
import { readdirSync, statSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readZip } from "../../tools/lib/read-zip.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { eventually } from "../support/eventually.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { contact } from "../support/factory.ts";
import { itInFolder } from "../support/on-s3.ts";
import { linkToAll } from "../support/reader.ts";
import { hashBytes } from "../support/stored-files.ts";

/** A language with books: `[title, text]` each. */
async function library(code: string, books: readonly (readonly [string, string])[], variables = {}) {
  const app = await startApp(variables);
  await app.make.language(code);
  const made = [];
  for (const [title, text] of books) made.push(await app.make.published(title, code, text));
  return { app, api: app.api, made };
}

/** All but the folder of the covers. */
const cached = (app: Pick<TestApp, "dataDir">): string[] =>
  readdirSync(join(app.dataDir, "cache")).filter((name) => name !== "covers");

/** A ZIP is taken over by the next start only when it is known to be whole on the disk: it is read-only then. */
const untilSealed = (app: TestApp): Promise<string> =>
  eventually(() => {
    const [name = "", ...others] = cached(app);
    expect(others).toEqual([]);
    expect(statSync(join(app.dataDir, "cache", name)).mode & 0o777).toBe(0o400);
    return name;
  });

const contents = async (zip: Buffer) =>
  (await readZip(zip)).map(({ name, bytes }) => [name, bytes.toString()]);

describe("GET /api/download/{token} of a whole language", () => {
  it("delivers a ZIP with each file unchanged, under its title", async () => {
    const { app, api } = await library("hi", [["A Well", "कुआँ"]]);
    const { make } = app;
    const admin = await app.admin();
    const stars = await make.book("Counting Stars", {
      translations: [{ languageCode: "hi", title: "तारे गिनना ✨" }],
    });
    await make.textFile(stars.id, "hi", "तारे", "stars.txt");
    const html = Buffer.from("<!doctype html><title>तारे</title><p>तारे");
    const fields = { languageCode: "hi", fileType: "html" };
    await admin.upload("post", `/api/admin/books/${stars.id}/files`, {
      fields,
      file: { bytes: html, name: "stars.html" },
    });

    const link = await linkToAll(api, "hi");
    const response = await api.get(link);
    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({
      "content-type": "application/zip",
      "content-length": String(response.body.length),
      "content-disposition": "attachment; filename=hi.zip",
      "accept-ranges": "bytes",
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
      "cache-control": "private, no-store",
      "x-robots-tag": "noindex",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
    });
    expect(response.headers["transfer-encoding"]).toBeUndefined();
    const entries = await readZip(response.body);
    expect(entries.map(({ name, method, utf8, bytes }) => [name, method, utf8, bytes.toString()])).toEqual([
      ["01 - A Well [hi].txt", 0, false, "कुआँ"],
      ["02 - तारे गिनना ✨ [hi].html", 0, true, html.toString()],
      ["02 - तारे गिनना ✨ [hi].txt", 0, true, "तारे"],
    ]);
  });

  it("gives every file a unique name that can be unpacked everywhere", async () => {
    const titles = ["../../etc/passwd", "The Well", "THE WELL", 'a/b\\c:d*e?"f<g>|h', "..", "深".repeat(150)];
    const { app, api } = await library("zh", []);
    for (const title of titles) {
      const { book } = await app.make.published(title, "zh", title);
      // All at the same place in the order, so that only the titles tell them apart.
      await (await app.admin()).put(`/api/admin/books/${book.id}`, { sortOrder: 1 });
    }
    const entries = await readZip((await api.get(await linkToAll(api, "zh"))).body);
    expect(entries.map(({ bytes }) => bytes.toString()).sort()).toEqual([...titles].sort());
    for (const { name } of entries) {
      expect(name).toMatch(/^0[1-6] - [^/\\:*?"<>|]+ \[zh\]\.txt$|^0[1-6] \[zh\]\.txt$/);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
      expect(name).not.toContain("..");
    }
    const folded = entries.map(({ name }) => name.toLowerCase().normalize("NFC"));
    expect(new Set(folded).size).toBe(titles.length);
  });

  itInFolder(
    "builds nothing for a HEAD or an unmet condition, whose responses follow from the list of files",
    async () => {
      const { app, api } = await library("en", [["One", "1".repeat(5000)]]);
      const link = await linkToAll(api, "en");
      const { etag = "" } = (await api.get(link)).headers;
      const name = await untilSealed(app);
      await rm(join(app.dataDir, "cache", name), { force: true });
      // Without the bytes nothing can be built.
      await rename(join(app.dataDir, "files"), join(app.dataDir, "files away"));

      const head = await api.head(link);
      expect(head.status).toBe(200);
      expect(head.headers).toMatchObject({
        etag,
        "accept-ranges": "bytes",
        "content-type": "application/zip",
      });
      expect(head.headers["content-length"]).toBeUndefined();
      const unmodified = await api.get(link, { "If-None-Match": etag });
      expect([unmodified.status, unmodified.headers.etag]).toEqual([304, etag]);
      expectProblem(await api.get(link, { "If-Match": '"other"' }), 412, { code: "precondition_failed" });
      expect((await api.get(link, { "If-Match": etag })).status).toBe(503);
      expect((await api.get(link)).status).toBe(503);
    },
  );

  itInFolder("has the same bytes at each build, also by another process at another time", async () => {
    const { app, api } = await library("ar", [
      ["One", "واحد"],
      ["Two", "اثنان"],
    ]);
    const link = await linkToAll(api, "ar");
    const first = await api.get(link);
    await untilSealed(app);
    await rm(join(app.dataDir, "cache"), { recursive: true });
    const rebuilt = await api.get(link);
    expect(rebuilt.body.equals(first.body)).toBe(true);
    expect(rebuilt.headers.etag).toBe(first.headers.etag);

    await untilSealed(app);
    await rm(join(app.dataDir, "cache"), { recursive: true });
    const restarted = await startApp({}, { dataDir: app.dataDir });
    restarted.clock.advance(400_000);
    const afterRestart = await restarted.api.get(link);
    expect(afterRestart.body.equals(first.body)).toBe(true);
    expect(afterRestart.headers.etag).toBe(first.headers.etag);
  });

  itInFolder("is built once, by the first request, and then kept, even after a restart", async () => {
    const { app, api } = await library("en", [
      ["One", "1".repeat(100_000)],
      ["Two", "2".repeat(100_000)],
    ]);
    const link = await linkToAll(api, "en");
    const together = await Promise.all(Array.from({ length: 8 }, () => api.get(link)));
    const hashes = together.map(({ status, body }) => `${status} ${hashBytes(body)}`);
    expect(new Set(hashes).size).toBe(1);
    const name = await untilSealed(app);
    expect(`"${name}"`).toBe(together[0]?.headers.etag?.replace(/"$/, '.zip"'));

    // Without the files themselves it can't be built again.
    await rename(join(app.dataDir, "files"), join(app.dataDir, "files away"));
    const kept = await api.get(link);
    expect(`${kept.status} ${hashBytes(kept.body)}`).toBe(hashes[0]);
    await rename(join(app.dataDir, "files away"), join(app.dataDir, "files"));
    const restarted = await startApp({}, { dataDir: app.dataDir });
    await rename(join(app.dataDir, "files"), join(app.dataDir, "files away"));
    const afterRestart = await restarted.api.get(link);
    expect(`${afterRestart.status} ${hashBytes(afterRestart.body)}`).toBe(hashes[0]);
  });

  itInFolder("is delivered even if there is no room to keep it, and leaves no remains", async () => {
    const { app, api } = await library("en", [["One", "1"]], { CACHE_MAX_BYTES: "10" });
    const link = await linkToAll(api, "en");
    expect(await contents((await api.get(link)).body)).toEqual([["01 - One [en].txt", "1"]]);
    await eventually(() => expect(cached(app)).toEqual([]));
    expect(await contents((await api.get(link)).body)).toEqual([["01 - One [en].txt", "1"]]);
  });

  it("contains what is published at the time of the download", async () => {
    const { app, api, made } = await library("en", [
      ["One", "one"],
      ["Two", "two"],
    ]);
    const admin = await app.admin();
    const link = await linkToAll(api, "en");
    const before = await api.get(link);
    const [one, two] = made.map(({ book, file }) => `/api/admin/books/${book.id}/files/${file.id}`);
    await admin.delete(one ?? "");
    await admin.upload("put", two ?? "", { file: { bytes: Buffer.from("two, mended"), name: "two.txt" } });
    await app.make.published("Three", "en", "three");

    const after = await api.get(link, { Range: "bytes=10-", "If-Range": before.headers.etag ?? "" });
    expect(after.status).toBe(200);
    expect(after.headers.etag).not.toBe(before.headers.etag);
    expect(await contents(after.body)).toEqual([
      ["01 - Two [en].txt", "two, mended"],
      ["02 - Three [en].txt", "three"],
    ]);
  });

  it("uses the language's own titles, or those that it inherits, for file names", async () => {
    const { api, make } = await startApp();
    const parent = await make.language("es");
    await make.language("es-MX", { parentId: parent.id });
    const title = (languageCode: string, text: string) => ({ languageCode, title: text });
    const one = await make.book("One", { translations: [title("es", "Uno"), title("es-MX", "Uno, pues")] });
    const two = await make.book("Two", { translations: [title("es", "Dos")] });
    for (const { id, slug } of [one, two]) await make.textFile(id, "es", slug);
    await make.textFile(two.id, "es-MX", "own");
    const response = await api.get(await linkToAll(api, "es-mx"));
    expect(response.headers["content-disposition"]).toBe("attachment; filename=es-MX.zip");
    expect(await contents(response.body)).toEqual([
      ["01 - Uno, pues [es-MX].txt", "one"],
      ["02 - Dos [es-MX].txt", "own"],
    ]);
  });

  it("lists the authors and licenses of all its books in CREDITS.txt if there are any", async () => {
    const { app, api, made } = await library("hi", [
      ["A Well", "कुआँ"],
      ["A Tree", "पेड़"],
    ]);
    const admin = await app.admin();
    const link = await linkToAll(api, "hi");
    const bare = await api.get(link);
    const [well = "", tree = ""] = made.map(({ book }) => `/api/admin/books/${book.id}`);
    const publisher = { languageCode: "hi", title: "कुआँ", publisher: "Village Press" };
    expect((await admin.post(`${well}/translations`, publisher)).status).toBe(201);
    expect(await contents((await api.get(link)).body)).toEqual([
      ["01 - कुआँ [hi].txt", "कुआँ"],
      ["02 - A Tree [hi].txt", "पेड़"],
    ]);

    await admin.post(`${well}/translations`, {
      ...publisher,
      contributors: [{ name: "मीना", role: "translator" }, { name: "Okoro, Ben" }],
      license: "CC-BY",
      isbn: "978-3-16-148410-0",
    });
    await admin.put(well, { authors: ["Núñez, Ana", "深井"] });
    const credited = await api.get(link);
    expect(credited.headers.etag).not.toBe(bare.headers.etag);
    const expected = `Authors, contributors and licenses of the books in this archive

1. कुआँ
Authors: Núñez, Ana; 深井
Contributors: मीना (translator); Okoro, Ben
Publisher: Village Press
License: CC-BY
ISBN: 9783161484100

2. A Tree
`.replaceAll("\n", "\r\n");
    expect((await contents(credited.body)).at(-1)).toEqual(["CREDITS.txt", expected]);
    const { body } = await api.post("/api/download/submit-all", { languageCode: "hi", contact });
    expect(body).toMatchObject({ booksCount: 2, filesCount: 2 });

    const rest = await api.get(link, { Range: "bytes=100-", "If-Range": credited.headers.etag ?? "" });
    expect(rest.status).toBe(206);
    expect(rest.body.equals(credited.body.subarray(100))).toBe(true);

    await admin.put(tree, { authors: ["Li"] });
    const changed = await api.get(link, { Range: "bytes=100-", "If-Range": credited.headers.etag ?? "" });
    expect(changed.status).toBe(200);
    expect((await contents(changed.body)).at(-1)?.[1]).toContain("2. A Tree\r\nAuthors: Li\r\n");

    await admin.put(tree, { authors: [] });
    const again = await api.get(link);
    expect(again.headers.etag).toBe(credited.headers.etag);
    expect(again.body.equals(credited.body)).toBe(true);
  });

  it("keeps a book named CREDITS apart from its own CREDITS.txt", async () => {
    const { app, api, made } = await library("en", [["CREDITS.txt", "a book"]]);
    await (await app.admin()).put(`/api/admin/books/${made[0]?.book.id}`, { authors: ["Ana"] });
    const entries = await readZip((await api.get(await linkToAll(api, "en"))).body);
    expect(entries.map(({ name }) => name)).toEqual(["01 - CREDITS.txt [en].txt", "CREDITS.txt"]);
  });

  itInFolder(
    "returns 503 while a member's bytes are missing, never an incomplete ZIP, and recovers",
    async () => {
      const { app, api } = await library("en", [
        ["One", "one"],
        ["Two", "two"],
      ]);
      const hash = hashBytes(Buffer.from("two"));
      const place = join(app.dataDir, "files", hash.slice(0, 2), hash);
      await rename(place, `${place}.away`);
      const link = await linkToAll(api, "en");
      const missing = await api.get(link);
      expectProblem(missing, 503, { code: "archive_unavailable" });
      expect(JSON.stringify(missing.body)).not.toContain(hash);
      expect((await api.get(link, { Accept: "text/html" })).headers["content-type"]).toMatch(/^text\/html/);
      expect(cached(app)).toEqual([]);
      expect(app.logged).toContainEqual(expect.objectContaining({ level: 50, msg: "a request failed" }));

      await rename(`${place}.away`, place);
      expect(await contents((await api.get(link)).body)).toEqual([
        ["01 - One [en].txt", "one"],
        ["02 - Two [en].txt", "two"],
      ]);
    },
  );
});

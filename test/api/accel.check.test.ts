/** DELIVERY=accel: what the service names to nginx, what it sends itself, and how long what it named stays. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { BYTES } from "../support/covers.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { itInFolder } from "../support/on-s3.ts";
import { AGENTS, downloadCounts, findOnlyEvent, linkTo, linkToAll } from "../support/reader.ts";
import { createTxt, expectStored, hashBytes, replaceStored } from "../support/stored-files.ts";

const HOUR = 3_600_000;
const TEXT = "0123456789abcdef".repeat(64);
const pathOf = (text: string): string => {
  const sha256 = hashBytes(createTxt(text));
  return `files/${sha256.slice(0, 2)}/${sha256}`;
};

/** A book with one text file, behind a proxy that has the data folder below `/protected/`. */
async function start(variables: Record<string, string> = {}, title = "The Well") {
  const { app, client } = await startWithAdmin({ DELIVERY: "accel", ...variables });
  const { book, file } = await app.make.published(title, "en", TEXT);
  const link = await linkTo(app.api, { slug: book.slug, languageCode: "en" });
  const files = `/api/admin/books/${book.id}/files`;
  const replace = async (text: string) => {
    app.clock.advance(1000);
    const replaced = await client.call("put", `${files}/${file.id}`, {
      headers: BYTES,
      body: createTxt(text),
    });
    expect(replaced.status).toBe(200);
  };
  const zips = () => readdirSync(join(app.dataDir, "cache")).filter((name) => name.endsWith(".zip"));
  return { ...app, app, client, book, link, own: `${files}/${file.id}`, replace, zips };
}

describe("a download behind nginx", () => {
  itInFolder("names the file below the prefix and sends no byte; nginx gets its name and type", async () => {
    const { app, api, link } = await start({ ACCEL_PREFIX: "/a/b/" }, "Колодец");
    const response = await api.get(link);
    expect([response.status, response.body.length]).toEqual([200, 0]);
    expect(response.headers).toMatchObject({
      "x-accel-redirect": `/a/b/${pathOf(TEXT)}`,
      "content-type": "text/plain; charset=utf-8",
      "content-disposition": expect.stringMatching(/^attachment; .*filename\*=UTF-8''%D0%9A/),
      "cache-control": "private, no-store",
    });
    expect([response.headers.etag, response.headers["last-modified"]]).toEqual([undefined, undefined]);
    expect((await findOnlyEvent(app)).redeemedAt).toBe(app.clock.now());
    expect(Object.values(await downloadCounts(app))).toEqual([1]);
  });

  itInFolder.each([
    ["HEAD", "head", {}, false],
    ["a later range", "get", { Range: "bytes=1-" }, false],
    ["a range from the first byte", "get", { Range: "bytes=0-9" }, true],
    ["the last bytes", "get", { Range: "bytes=-9" }, false],
    ["conditions with nginx's tag", "get", { "If-None-Match": '"65-400"', Range: "bytes=1-" }, false],
    ["a range of nginx's tag", "get", { "If-Range": '"65-400"', Range: "bytes=1-" }, false],
    ["a bot", "get", { "User-Agent": AGENTS.googlebot }, false],
  ] as const)("names the file for %s", async (_, method, headers, isCounted) => {
    const { app, api, link } = await start();
    const response = await api.call(method, link, { headers: { ...headers } });
    expect([response.status, response.headers["x-accel-redirect"]]).toEqual([
      200,
      `/protected/${pathOf(TEXT)}`,
    ]);
    expect((await findOnlyEvent(app)).redeemedAt !== null).toBe(isCounted);
  });

  itInFolder(
    "sends itself what nginx would send differently: its own tags, several ranges and bad ones",
    async () => {
      const { api, link } = await start();
      const etag = `"${hashBytes(createTxt(TEXT))}"`;
      for (const [headers, status] of [
        [{ "If-None-Match": etag }, 304],
        [{ "If-Match": etag }, 200],
        [{ Range: "bytes=1-", "If-Range": etag }, 206],
        [{ Range: "bytes=0-0,2-3" }, 200],
        [{ Range: "pages=1-2" }, 200],
        [{ Range: "bytes=a-" }, 200],
        [{ Range: "bytes=1024-" }, 416],
      ] as const) {
        const response = await api.get(link, { ...headers });
        expect([headers, response.status]).toEqual([headers, status]);
        expect(response.headers["x-accel-redirect"]).toBeUndefined();
      }
    },
  );

  itInFolder(
    "sends itself ranges and conditions of another version than the link first delivered",
    async () => {
      const { api, link, replace } = await start();
      const other = TEXT.replace("0", "1");
      expect((await api.get(link, { Range: "bytes=0-9" })).headers["x-accel-redirect"]).toContain(
        pathOf(TEXT),
      );
      await replace(other);
      for (const headers of [
        { Range: "bytes=10-" },
        { Range: "bytes=10-", "If-Range": '"65-400"' },
        { Range: "bytes=0-9" },
        { "If-None-Match": '"65-400"' },
        { "If-Modified-Since": "Mon, 02 Mar 2026 00:00:00 GMT" },
      ]) {
        const { status, headers: received, body } = await api.get(link, headers);
        const isUnmodified = "If-Modified-Since" in headers;
        expect([headers, status, received["x-accel-redirect"]]).toEqual([
          headers,
          isUnmodified ? 304 : 200,
          undefined,
        ]);
        expect(body.toString()).toBe(isUnmodified ? "" : other);
      }
      expect((await api.get(link)).headers["x-accel-redirect"]).toBe(`/protected/${pathOf(other)}`);
    },
  );

  itInFolder(
    "checks each request: no path for a wrong, an expired or a withdrawn link, with any tag",
    async () => {
      const { api, client, book, clock, link } = await start();
      const wishes = { "X-Accel-Redirect": "/protected/auth-secret", "X-Sendfile": "/etc/passwd" };
      for (const path of [
        `${link}x`,
        "/api/download/..%2f..%2fprotected%2fauth-secret",
        "/api/download/none",
      ]) {
        const { status, headers } = await api.get(path, wishes);
        expect([path, status, headers["x-accel-redirect"]]).toEqual([path, 404, undefined]);
      }
      expect((await api.get(link, wishes)).headers["x-accel-redirect"]).toBe(`/protected/${pathOf(TEXT)}`);
      await client.delete(`/api/admin/books/${book.id}`);
      const withdrawn = await api.get(link);
      expectProblem(withdrawn, 404, { code: "file_unavailable" });
      expect(withdrawn.headers["x-accel-redirect"]).toBeUndefined();
      clock.advance(600_000);
      const expired = await api.get(link);
      expectProblem(expired, 410, { code: "download_token_expired" });
      expect(expired.headers["x-accel-redirect"]).toBeUndefined();
    },
  );

  itInFolder("names no file that is missing or has another length", async () => {
    const { api, link, dataDir } = await start();
    await replaceStored(dataDir, hashBytes(createTxt(TEXT)), createTxt("short"));
    const response = await api.get(link);
    expectProblem(response, 503, { code: "storage_unavailable" });
    expect(response.headers["x-accel-redirect"]).toBeUndefined();
  });

  itInFolder(
    "names a ZIP once it is whole, and the validators of a ZIP without bytes aren't promised",
    async () => {
      const { app, api, zips, clock } = await start();
      const link = await linkToAll(api, "en");
      const head = await api.head(link);
      expect([head.status, head.headers.etag, head.headers["x-accel-redirect"]]).toEqual([
        200,
        undefined,
        undefined,
      ]);
      const built = await api.get(link);
      const [name = ""] = zips();
      expect(built.headers).toMatchObject({
        "x-accel-redirect": `/protected/cache/${name}`,
        "content-type": "application/zip",
        "content-disposition": "attachment; filename=en.zip",
      });
      const path = join(app.dataDir, "cache", name);
      const { mtimeMs } = statSync(path);
      clock.advance(5000);
      for (const method of ["head", "get"] as const) {
        const again = await api.call(method, link, { headers: { Range: "bytes=1-" } });
        expect(again.headers["x-accel-redirect"]).toBe(`/protected/cache/${name}`);
        // nginx makes its entity tag of it: a resumed download needs the same one.
        expect(Math.floor(statSync(path).mtimeMs / 1000)).toBe(Math.floor(mtimeMs / 1000));
      }
    },
  );

  itInFolder("sends an incomplete ZIP itself, and covers as always", async () => {
    const { api, make, book } = await start({ CLOUD_FETCH_ALLOW_HOSTS: "127.0.0.1:9" });
    await make.link(book.id, "en", { cloudUrl: "https://127.0.0.1:9/a.pdf" });
    const zip = await api.get(await linkToAll(api, "en"));
    expect([zip.status, zip.headers["x-accel-redirect"]]).toEqual([200, undefined]);
    expect(zip.body.subarray(0, 2).toString()).toBe("PK");
    const single = await api.get(await linkTo(api, { slug: book.slug, languageCode: "en", fileType: "pdf" }));
    expect([single.status, single.headers["x-accel-redirect"]]).toEqual([302, undefined]);
    const cover = await api.get(`/api/books/${book.slug}/cover`);
    expect([cover.status, cover.headers["x-accel-redirect"]]).toEqual([200, undefined]);
  });
});

describe("what was named to nginx", () => {
  const REMOVED_AT_ONCE = { REPLACED_FILES_DAYS: "0" };
  const released = (dataDir: string, ...texts: string[]) => expectStored(dataDir, ...texts.map(createTxt));

  itInFolder(
    "stays for a minute if it is removed by a request, and goes with the first sweep after that",
    async () => {
      const { app, api, link, replace, dataDir, clock } = await start(REMOVED_AT_ONCE);
      clock.advance(HOUR);
      const fresh = await linkTo(api, { slug: "the-well", languageCode: "en" });
      expect(link).not.toBe(fresh);
      await api.head(fresh);
      await replace("second");
      await released(dataDir, TEXT, "second");
      clock.advance(50_000);
      await app.container.released.run();
      await released(dataDir, TEXT, "second");
      clock.advance(HOUR);
      await app.container.released.run();
      await released(dataDir, "second");
    },
  );

  itInFolder("stays for a minute if a sweep would remove it, with all others that are due", async () => {
    const { app, api, client, own, book, dataDir, clock } = await start();
    const other = await app.make.published("Other", "en", "another");
    const released = () => app.container.released.run();
    await released();
    await client.delete(own);
    await client.delete(`/api/admin/books/${other.book.id}/files/${other.file.id}`);
    clock.advance(HOUR - 1000);
    // As by a request that had found the row before it was deleted.
    app.container.store.nameToProxy(hashBytes(createTxt(TEXT)));
    clock.advance(2000);
    await released();
    await expectStored(dataDir, createTxt(TEXT));
    clock.advance(HOUR);
    await released();
    await expectStored(dataDir);
    expect((await api.get(`/api/books/${book.slug}`)).status).toBe(404);
  });

  itInFolder("goes at once if a minute has passed", async () => {
    const { api, link, replace, dataDir, clock } = await start(REMOVED_AT_ONCE);
    await api.get(link);
    clock.advance(60_000);
    await replace("second");
    await released(dataDir, "second");
  });

  itInFolder("goes at once if the service sends the bytes", async () => {
    const { api, link, replace, dataDir } = await start({ ...REMOVED_AT_ONCE, DELIVERY: "proxy" });
    expect((await api.get(link)).body.toString()).toBe(TEXT);
    await replace("second");
    await released(dataDir, "second");
  });

  itInFolder("stays in a cache without room until it is older, and then makes room", async () => {
    const { app, api, zips, clock } = await start({ CACHE_MAX_BYTES: "0" });
    await api.get(await linkToAll(api, "en"));
    const [first = ""] = zips();
    await app.make.published("Der Brunnen", "de");
    await api.get(await linkToAll(api, "de"));
    expect(zips()).toContain(first);
    clock.advance(61_000);
    await api.get(await linkToAll(api, "de"));
    await expect.poll(zips).not.toContain(first);
  });

  itInFolder(
    "isn't found in the cache once a deep examination has rejected it, and the next start deletes it",
    async () => {
      const { app, api, client, dataDir, zips } = await start();
      const link = await linkToAll(api, "en");
      await api.get(link);
      const [name = ""] = zips();
      await replaceStored(dataDir, hashBytes(createTxt(TEXT)), createTxt(TEXT.replace("0", "1")));
      expect((await client.get("/api/admin/doctor?deep=true")).body.isHealthy).toBe(false);
      expect(zips()).toEqual([name]);
      expectProblem(await api.get(link), 503, { code: "archive_unavailable" });
      await app.container.zipCache.sweep();
      expect(zips()).toEqual([]);
    },
  );
});

describe("FILES_MODE", () => {
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

  itInFolder.each([
    ["private", "600", "700", "400"],
    ["group", "640", "750", "440"],
  ])(
    "%s: new files have mode %s, folders %s, kept ZIPs %s, with any umask",
    async (mode, file, folder, zip) => {
      const before = process.umask(0o077);
      try {
        const { api, dataDir, zips } = await start({ FILES_MODE: mode });
        await api.get(await linkToAll(api, "en"));
        const stored = join(dataDir, pathOf(TEXT));
        expect([modeOf(stored), modeOf(join(stored, ".."))]).toEqual([file, folder]);
        for (const name of ["files", "files/tmp", "cache", "cache/covers"])
          expect([name, modeOf(join(dataDir, name))]).toEqual([name, folder]);
        await expect.poll(() => modeOf(join(dataDir, "cache", zips()[0] ?? ""))).toBe(zip);
        for (const name of ["database.sqlite", "auth-secret"])
          expect([name, modeOf(join(dataDir, name))]).toEqual([name, "600"]);
      } finally {
        process.umask(before);
      }
    },
  );
});

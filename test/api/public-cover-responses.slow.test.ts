/** How a public cover goes out: at which width, as which type, and when it is sent again. */
import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startApp, startWithAdmin } from "../support/app.ts";
import { createPicture, type PictureOptions, putCover, readColor, readMetadata } from "../support/covers.ts";
import { eventually } from "../support/eventually.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { itInFolder } from "../support/on-s3.ts";

/** A published book with a cover. */
async function start(options: PictureOptions = { width: 800, height: 1200 }) {
  const { app, client } = await startWithAdmin();
  const { book } = await app.make.published("The Well", "es", "pozo");
  await putCover(client, book.id, "es", await createPicture("red", options));
  const path = `/api/books/${book.slug}/cover`;
  const typeFor = async (accept?: string) => {
    const response = await app.api.get(path, accept === undefined ? {} : { Accept: accept });
    expect(response.status).toBe(200);
    return response.headers["content-type"];
  };
  const kept = () => readdirSync(join(app.dataDir, "cache", "covers"));
  return { ...app, client, book, path, typeFor, kept };
}

const BROWSERS = {
  chrome: "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8",
  firefox: "image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5",
  safari:
    "image/webp,image/avif,image/jxl,image/heic,video/*;q=0.8,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5",
  old: "image/png,image/*;q=0.8,*/*;q=0.5",
};

describe("the width", () => {
  it("is one of four, 640 by default, and never more than the cover has", async () => {
    const { api, path } = await start();
    const sizeAt = async (query: string) => {
      const { body } = await api.get(path + query);
      const { width, height } = await readMetadata(body);
      return [width, height];
    };
    expect(await sizeAt("?width=160")).toEqual([160, 240]);
    expect(await sizeAt("?width=320")).toEqual([320, 480]);
    expect(await sizeAt("")).toEqual([640, 960]);
    expect(await sizeAt("?width=640&languageCode=es")).toEqual([640, 960]);
    expect(await sizeAt("?width=1200")).toEqual([800, 1200]);
  });

  it("is rejected if it is another number; all errors of the query are reported", async () => {
    const { api, path } = await start();
    for (const width of ["0", "161", "-160", "1e3", "160.0", "0x140", "１６０", "9".repeat(20)]) {
      const response = await api.get(`${path}?width=${encodeURIComponent(width)}`);
      expectProblem(response, 400, { code: "invalid_input" });
    }
    const response = await api.get(`${path}?width=100&languageCode=spanish&v=2&height=3`);
    expectProblem(response, 400, {
      errors: ["width invalid_value", "languageCode invalid_language_code"],
    });
  });
});

describe("the type", () => {
  it("is the cover's own unless a smaller one is requested by name", async () => {
    const { typeFor } = await start();
    for (const accept of [undefined, "*/*", "image/*", "image/jpeg", "text/html", BROWSERS.old, ""]) {
      expect(await typeFor(accept), accept).toBe("image/jpeg");
    }
    expect(await typeFor(BROWSERS.chrome)).toBe("image/avif");
    expect(await typeFor(BROWSERS.firefox)).toBe("image/avif");
    expect(await typeFor(BROWSERS.safari)).toBe("image/webp");
    expect(await typeFor("image/webp, */*;q=0.1")).toBe("image/webp");
    expect(await typeFor("IMAGE/WebP")).toBe("image/webp");
  });

  it("follows the client's preferences and exclusions", async () => {
    const { typeFor } = await start();
    expect(await typeFor("image/avif;q=0.5, image/webp;q=0.9")).toBe("image/webp");
    expect(await typeFor("image/jpeg, image/webp;q=0.5")).toBe("image/jpeg");
    expect(await typeFor("image/webp;q=0.5, */*;q=0.6")).toBe("image/jpeg");
    expect(await typeFor("image/avif;q=0, image/webp;q=0, */*")).toBe("image/jpeg");
    // A photograph as PNG would be ten times as large.
    for (const accept of ["image/png, image/gif", "image/jpeg;q=0, image/*", "text/html"]) {
      expect(await typeFor(accept), accept).toBe("image/jpeg");
    }
  });

  it("is WebP for every client if the cover is one, except for those who reject it", async () => {
    const { typeFor } = await start({ type: "webp" });
    for (const accept of ["*/*", "image/*", "image/png;q=0.5, */*", BROWSERS.old]) {
      expect(await typeFor(accept), accept).toBe("image/webp");
    }
    expect(await typeFor("image/webp;q=0, */*")).toBe("image/jpeg");
    expect(await typeFor("image/jpeg, image/png;q=0.5")).toBe("image/jpeg");
  });

  it("is the one in Content-Type, with the same picture", async () => {
    const { api, path } = await start({ width: 200, height: 300, type: "png" });
    const as = async (accept: string) => (await api.get(path, { Accept: accept })).body;
    for (const [type, format] of [
      ["image/webp", "webp"],
      ["*/*", "png"],
    ]) {
      const body = await as(type ?? "");
      expect((await readMetadata(body)).format).toBe(format);
      expect(await readColor(body)).toBe("red");
    }
    expect((await as("image/avif")).subarray(4, 12).toString()).toBe("ftypavif");
  });

  it("of a generated cover can be any of them, too", async () => {
    const { api, make } = await start();
    const { book } = await make.published("Bare", "es", "x");
    for (const type of ["image/png", "image/webp", "image/avif", "image/jpeg"]) {
      const response = await api.get(`/api/books/${book.slug}/cover?width=160`, { Accept: type });
      expect(response.headers["content-type"]).toBe(type);
    }
  });
});

describe("the response", () => {
  it("may be stored but must be revalidated, varies by Accept, executes nothing and may be embedded anywhere", async () => {
    const { api, path } = await start();
    const response = await api.get(path);
    expect(response.headers).toMatchObject({
      "cache-control": "no-cache",
      "content-length": String(response.body.length),
      "content-security-policy": "default-src 'none'; sandbox",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
    });
    expect(response.headers["content-disposition"]).toBeUndefined();
    for (const [asked, more] of [
      [path, {}],
      [path, { "If-None-Match": response.headers.etag ?? "" }],
      ["/api/books/unknown/cover", {}],
    ] as const) {
      expect((await api.get(asked, more)).headers.vary).toBe("Origin, Accept");
    }
    expect((await api.get("/api/books")).headers.vary).toBe("Origin, Accept-Encoding");
  });

  it("is 304 for a client that has it, and has no body for HEAD", async () => {
    const { api, path } = await start();
    const { headers, body } = await api.get(path);
    const { etag = "" } = headers;
    const unchanged = await api.get(path, { "If-None-Match": etag });
    expect([unchanged.status, unchanged.body.length, unchanged.headers.etag]).toEqual([304, 0, etag]);
    const head = await api.head(path);
    expect([head.status, head.headers["content-length"], head.headers.etag]).toEqual([
      200,
      String(body.length),
      etag,
    ]);
    expectProblem(await api.get(path, { "If-Match": '"other"' }), 412);
    const webp = await api.get(path, { Accept: "image/webp", "If-None-Match": etag });
    expect([webp.status, webp.headers.etag === etag]).toEqual([200, false]);
  });

  it("keeps its entity tag if other things change, and gets another one if the cover changes", async () => {
    const { api, client, make, book, path } = await start();
    const { etag = "" } = (await api.get(path)).headers;
    await make.book("Another");
    expect((await api.get(path, { "If-None-Match": etag })).status).toBe(304);
    await putCover(client, book.id, "es", await createPicture("blue"));
    const changed = await api.get(path, { "If-None-Match": etag });
    expect(changed.status).toBe(200);
    expect(await readColor(changed.body)).toBe("blue");
  });
});

it("every reader gets one complete cover while others replace it", async () => {
  const { api, client, book, path } = await start();
  const colors = ["red", "green", "blue", "yellow", "purple"] as const;
  const pictures = await Promise.all(colors.map((color) => createPicture(color, { width: 60, height: 90 })));
  const replacing = (async () => {
    for (const bytes of [...pictures, ...pictures]) await putCover(client, book.id, "es", bytes);
  })();
  const seen: unknown[] = [];
  let isOver = false;
  const reading = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const { status, body } = await api.get(path);
      seen.push(status === 200 ? await readColor(body) : status);
    }
  });
  await replacing;
  isOver = true;
  await Promise.all(reading);
  expect([...new Set(seen)].filter((each) => !colors.some((color) => color === each))).toEqual([]);
  expect(await readColor((await api.get(path)).body)).toBe("purple");
});

describe("each width and type", () => {
  itInFolder("is created once and kept, regardless of other changes and restarts", async () => {
    const { api, client, book, path, kept, dataDir } = await start();
    const first = await Promise.all(Array.from({ length: 5 }, () => api.get(path)));
    expect(new Set(first.map(({ headers }) => headers.etag)).size).toBe(1);
    expect(kept()).toHaveLength(1);
    await client.put(`/api/admin/books/${book.id}`, { titleEn: "Other" });
    await api.get(path);
    await api.get(`${path}?languageCode=es`);
    expect(kept()).toHaveLength(1);
    await api.get(`${path}?width=160`);
    await api.get(path, { Accept: "image/webp" });
    expect(kept()).toHaveLength(3);
    // A file counts for the next start once it is on the disk.
    const isSealed = (name: string) => (statSync(join(dataDir, "cache", "covers", name)).mode & 0o200) === 0;
    await eventually(() => expect(kept().every(isSealed)).toBe(true));
    const again = await startApp({}, { dataDir });
    expect((await again.api.get(path)).headers.etag).toBe(first[0]?.headers.etag);
    expect(kept()).toHaveLength(3);
  });

  itInFolder(
    "returns 503 while the cover's bytes are missing, and the cover when they are restored",
    async () => {
      const { api, client, make, path, dataDir } = await start();
      rmSync(join(dataDir, "files"), { recursive: true });
      expectProblem(await api.get(path), 503, { code: "cover_unavailable" });
      const book = (await api.get("/api/books/the-well")).body;
      await make.language("fr");
      await client.delete(`/api/admin/books/${book.id}/covers/es`);
      await putCover(client, book.id, "es", await createPicture("red"));
      expect((await api.get(path)).status).toBe(200);
    },
  );

  itInFolder("is sent even if it can't be kept", async () => {
    const { api, path, dataDir, logged } = await start();
    const folder = join(dataDir, "cache", "covers");
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "a file in its place");
    const responses = await Promise.all([api.get(path), api.get(path)]);
    for (const { status, body } of responses) {
      expect(status).toBe(200);
      expect(await readColor(body)).toBe("red");
    }
    expect(logged.filter(({ msg }) => msg === "could not store a cover variant")).toHaveLength(1);
  });
});

/** Covers for administrators in other widths, and as readers of a language see them. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { setActive } from "../support/catalogue-rows.ts";
import { coverPathOf, createPicture, putCover, readColor, readMetadata } from "../support/covers.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { itInFolder } from "../support/on-s3.ts";

const COLORS = { es: "red", "es-MX": "yellow", en: "green", fr: "blue", default: "purple" } as const;

/** A book that isn't published anywhere, and languages. */
async function start() {
  const { app, client } = await startWithAdmin();
  const spanish = await app.make.language("es");
  const mexican = await app.make.language("es-MX", { parentId: spanish.id });
  for (const code of ["en", "fr"]) await app.make.language(code);
  const book = await app.make.book("The Deep Well");
  const get = (code: string, query: string, headers: Record<string, string> = {}) =>
    client.get(`${coverPathOf(book.id, code)}?${query}`, headers);
  const put = async (code: keyof typeof COLORS, size = { width: 400, height: 600 }) =>
    putCover(client, book.id, code, await createPicture(COLORS[code], size));
  const colorOf = async (code: string) => readColor((await get(code, "fallback=true&width=160")).body);
  return { ...app, app, client, spanish, mexican, book, get, put, colorOf };
}

describe("a stored cover in another width", () => {
  it("is not enlarged, and is of the type that the client accepts", async () => {
    const { get, put } = await start();
    await put("es");
    for (const [width, actual] of Object.entries({ 160: 160, 320: 320, 640: 400 })) {
      const { status, headers, body } = await get("es", `width=${width}`);
      expect([status, headers["content-type"], headers.vary]).toEqual([200, "image/jpeg", "Accept"]);
      expect(headers["cache-control"]).toBe("private, no-cache");
      const metadata = await readMetadata(body);
      expect([metadata.width, await readColor(body)]).toEqual([actual, "red"]);
    }
    const webp = await get("es", "width=160", { Accept: "image/webp" });
    expect([webp.headers["content-type"], (await readMetadata(webp.body)).format]).toEqual([
      "image/webp",
      "webp",
    ]);
    expect((await readMetadata((await get("es", "")).body)).width).toBe(400);
  });

  it("can be revalidated, and changes with the cover", async () => {
    const { get, put } = await start();
    await put("es");
    const { etag = "" } = (await get("es", "width=160")).headers;
    expect((await get("es", "width=160", { "If-None-Match": etag })).status).toBe(304);
    expectProblem(await get("es", "width=160", { "If-Match": '"x"' }), 412);
    await put("es", { width: 500, height: 700 });
    expect((await get("es", "width=160", { "If-None-Match": etag })).status).toBe(200);
  });

  it("is 404 without a cover in that language, and 400 in any other width", async () => {
    const { get, put } = await start();
    await put("es");
    for (const code of ["es-MX", "default"])
      expectProblem(await get(code, "width=160"), 404, { code: "cover_not_found" });
    expectProblem(await get("de", "width=160&fallback=true"), 404, { code: "language_not_found" });
    expectProblem(await get("es", "width=1200&fallback=2&height=1"), 400, {
      errors: ["width invalid_value", "fallback invalid_value", "height unknown_field"],
    });
  });
});

describe("a cover as readers of a language see it", () => {
  it("is that of the language, of its parent, the default one, the English one, any other, or drawn", async () => {
    const { client, book, get, put, colorOf } = await start();
    const chain = ["es-MX", "es", "default", "en", "fr"] as const;
    for (const code of chain) await put(code);
    for (const code of chain) {
      expect(await colorOf("es-MX")).toBe(COLORS[code]);
      await client.delete(coverPathOf(book.id, code));
    }
    const drawn = await get("es-MX", "fallback=true");
    expect([drawn.status, drawn.headers["content-type"]]).toEqual([200, "image/png"]);
    expect((await readMetadata(drawn.body)).width).toBe(640);
    expect((await get("es-MX", "")).status).toBe(404);
    expect((await get("es-MX", "fallback=false")).status).toBe(404);
  });

  it("is the same as the public cover of a published book", async () => {
    const { api, client, make, book, get, put } = await start();
    await make.textFile(book.id, "es", "pozo");
    const both = async (code: string) => {
      const { body } = await api.get(`/api/books/${book.id}/cover?languageCode=${code}&width=320`);
      const shown = await get(code, "fallback=true&width=320");
      expect(shown.body.equals(body), code).toBe(true);
    };
    for (const code of ["es", "es-MX"]) await both(code);
    await client.post(`/api/admin/books/${book.id}/translations`, { languageCode: "es", title: "El pozo" });
    for (const code of ["es", "es-MX", "fr"]) await both(code);
    await put("en");
    for (const code of ["es", "es-MX"]) await both(code);
    await put("es");
    for (const code of ["es", "es-MX", "fr"]) await both(code);
  });

  it("exists for an archived book, and for a language that is inactive or hides the book", async () => {
    const { app, client, make, spanish, mexican, book, put, colorOf } = await start();
    await make.textFile(book.id, "es", "pozo");
    await put("default");
    await put("es-MX");
    await make.override(mexican.id, book.id, false);
    await client.put(`/api/admin/languages/${spanish.id}`, { isActive: 0 });
    await setActive(app, book.id, 0);
    expect([await colorOf("es-MX"), await colorOf("es"), await colorOf("default")]).toEqual([
      "yellow",
      "purple",
      "purple",
    ]);
  });

  itInFolder("is 503 while the bytes of the cover are missing", async () => {
    const { get, put, dataDir } = await start();
    await put("es");
    rmSync(join(dataDir, "files"), { recursive: true });
    expectProblem(await get("es", "fallback=true"), 503, { code: "cover_unavailable" });
  });
});

/** The public cover: which one a reader is shown, and that what isn't published shows none. */

import { describe, expect, it } from "vitest";
import { startApp, startWithAdmin } from "../support/app.ts";
import { setActive } from "../support/catalogue-rows.ts";
import { bodyOf } from "../support/client.ts";
import { coverPathOf, createPicture, putCover, readColor, readMetadata } from "../support/covers.ts";
import { expectProblem } from "../support/expect-problem.ts";

const COLORS = { es: "red", "es-MX": "yellow", en: "green", fr: "blue", default: "purple" } as const;

/** A book that is published in Spanish, and so in Mexican Spanish; English and French are there too. */
async function start() {
  const { app, client, make, api } = await startWithAdmin();
  const spanish = await make.language("es");
  const mexican = await make.language("es-MX", { parentId: spanish.id });
  const english = await make.language("en");
  const french = await make.language("fr");
  const { book, file } = await make.published("The Well", "es", "pozo");
  const path = `/api/books/${book.slug}/cover`;
  const show = (languageCode?: string) =>
    api.get(languageCode === undefined ? path : `${path}?languageCode=${languageCode}`);
  const put = async (code: keyof typeof COLORS) => {
    await putCover(client, book.id, code, await createPicture(COLORS[code], { width: 40, height: 60 }));
  };
  const remove = (code: string) => client.delete(coverPathOf(book.id, code));
  const color = async (languageCode?: string) => {
    return readColor(await bodyOf(show(languageCode)));
  };
  return { ...app, client, spanish, mexican, english, french, book, file, path, show, put, remove, color };
}

describe("the displayed cover", () => {
  it("is that of the language, of its parent, the default one, the English one, any other, or a generated one, in this order", async () => {
    const { put, remove, color, show } = await start();
    const chain = ["es-MX", "es", "default", "en", "fr"] as const;
    for (const code of chain.toReversed()) await put(code);
    for (const code of chain) {
      expect(await color("es-MX")).toBe(COLORS[code]);
      await remove(code);
    }
    const drawn = await show("es-MX");
    expect([drawn.status, drawn.headers["content-type"]]).toEqual([200, "image/png"]);
    expect(await readColor(drawn.body)).toBeUndefined();
  });

  it("is never that of a sub-language for its parent's readers if there is another", async () => {
    const { put, color } = await start();
    await put("es-MX");
    await put("en");
    expect(await color("es")).toBe("green");
    expect(await color("es-MX")).toBe("yellow");
  });

  it("without a language is the default one, then the English one, then any other", async () => {
    const { put, remove, color } = await start();
    await put("fr");
    expect(await color()).toBe("blue");
    await put("en");
    expect(await color()).toBe("green");
    await put("default");
    expect(await color()).toBe("purple");
    await remove("default");
    expect(await color()).toBe("green");
  });

  it("exists for every well-formed code: unpublished, without a file, unknown, or partly known", async () => {
    const { put, color, show, make } = await start();
    await make.language("de");
    for (const code of ["en", "de", "ja", "zh-Hant-TW", "es-AR", "tlh"]) {
      expect([code, (await show(code)).status]).toEqual([code, 200]);
    }
    await put("default");
    for (const code of ["fr", "en", "ja", "es-AR"]) expect(await color(code)).toBe("purple");
    // There is no French file, but somebody has made a French cover.
    await put("fr");
    await put("es");
    expect(await color("fr")).toBe("blue");
    expect(await color("fr-CA")).toBe("blue");
    expect(await color("es-AR")).toBe("red");
    expectProblem(await show("not a code"), 400);
  });

  it("is the parent's if the language is inactive or hides the book", async () => {
    const { client, mexican, make, book, put, color } = await start();
    for (const code of ["es-MX", "es", "default"] as const) await put(code);
    expect(await color("es-MX")).toBe("yellow");
    await make.override(mexican.id, book.id, false);
    expect(await color("es-MX")).toBe("red");
    await make.override(mexican.id, book.id, null);
    await client.put(`/api/admin/languages/${mexican.id}`, { isActive: 0 });
    expect(await color("es-MX")).toBe("red");
  });

  it("is found by the book's id and slug, and by a code in any case", async () => {
    const { api, book, put } = await start();
    await put("es");
    for (const path of [book.id, book.slug]) {
      const response = await api.get(`/api/books/${path}/cover?languageCode=ES-mx`);
      expect(await readColor(response.body)).toBe("red");
    }
  });

  it("changes with each change of a cover, here and in another process on the same data", async () => {
    const here = await start();
    const there = await startApp({}, { dataDir: here.dataDir });
    const both = async () => [
      await here.color("es"),
      await readColor((await there.api.get(`${here.path}?languageCode=es`)).body),
    ];
    await here.put("en");
    expect(await both()).toEqual(["green", "green"]);
    await here.put("es");
    expect(await both()).toEqual(["red", "red"]);
    await here.remove("es");
    expect(await both()).toEqual(["green", "green"]);
  });

  it("isn't that of an inactive language or one that hides the book, except where it is inherited", async () => {
    const it = await start();
    const { client, spanish, mexican, french, put, color, show } = it;
    await put("fr");
    expect(await color("es")).toBe("blue");
    await client.put(`/api/admin/languages/${french.id}`, { isActive: 0 });
    expect((await show("es")).headers["content-type"]).toBe("image/png");
    await put("es-MX");
    expect(await color("es")).toBe("yellow");
    await it.make.override(mexican.id, it.book.id, false);
    expect((await show("es")).headers["content-type"]).toBe("image/png");
    await it.make.override(mexican.id, it.book.id, null);
    await it.remove("es-MX");
    await put("es");
    await client.put(`/api/admin/languages/${spanish.id}`, { isActive: 0 });
    expect(await color("es-MX")).toBe("red");
  });
});

describe("a generated cover", () => {
  it("exists for each published book, at each width", async () => {
    const { api, path } = await start();
    for (const width of [160, 320, 640, 1200]) {
      const { body } = await api.get(`${path}?width=${width}`);
      expect(await readMetadata(body)).toMatchObject({ format: "png", width, height: width * 1.5 });
    }
  });

  it("shows the title of the language, else of its parent, else the English one", async () => {
    const { client, spanish, mexican, book, show } = await start();
    const translate = (languageCode: string, title: string) =>
      client.post(`/api/admin/books/${book.id}/translations`, { languageCode, title });
    const drawing = async (code?: string) => (await show(code)).body.toString("base64");
    const english = await drawing();
    expect(await drawing("es-MX")).toBe(english);
    await translate("es", "El pozo");
    const inherited = await drawing("es-MX");
    expect(inherited).not.toBe(english);
    expect(await drawing("es")).toBe(inherited);
    expect(await drawing()).toBe(english);
    await translate("es-MX", "El cenote");
    expect(await drawing("es-MX")).not.toBe(inherited);
    expect(await drawing("es")).toBe(inherited);
    await client.delete(`/api/admin/books/${book.id}/translations/${mexican.id}`);
    await client.delete(`/api/admin/books/${book.id}/translations/${spanish.id}`);
    expect(await drawing("es-MX")).toBe(english);
  });

  it("follows the direction of the language in which the title is written", async () => {
    const { make, client, show } = await start();
    const arabic = await make.language("ar");
    const { book } = await make.published("Well", "ar", "بئر");
    await client.post(`/api/admin/books/${book.id}/translations`, {
      languageCode: "ar",
      title: "בור בְּאֵר 12 abc",
    });
    const path = `/api/books/${book.slug}/cover?languageCode=ar`;
    const rightToLeft = (await client.get(path)).body;
    expect(await readMetadata(rightToLeft)).toMatchObject({ format: "png", width: 640 });
    await client.put(`/api/admin/languages/${arabic.id}`, { direction: "ltr" });
    expect((await client.get(path)).body.equals(rightToLeft)).toBe(false);
    expect((await show("es")).status).toBe(200);
  });
});

describe("no cover is returned of an unpublished book", () => {
  type Scene = Awaited<ReturnType<typeof start>>;
  /** Each takes the book away from readers of Mexican Spanish, who inherit it from Spanish. */
  const WAYS: Record<string, (scene: Scene) => Promise<unknown>> = {
    "the book is archived": (it) => setActive(it, it.book.id, 0),
    "the language is switched off": (it) =>
      it.client.put(`/api/admin/languages/${it.mexican.id}`, { isActive: 0 }),
    "the sub-language hides the book": (it) => it.make.override(it.mexican.id, it.book.id, false),
    "the file is switched off": (it) =>
      it.client.patch(`/api/admin/books/${it.book.id}/files/${it.file.id}`, { isActive: 0 }),
    "the file is deleted": (it) => it.client.delete(`/api/admin/books/${it.book.id}/files/${it.file.id}`),
    "the file moves to another language": (it) =>
      it.client.patch(`/api/admin/books/${it.book.id}/files/${it.file.id}`, { languageCode: "fr" }),
    "the language stops inheriting": (it) =>
      it.client.put(`/api/admin/languages/${it.mexican.id}`, { parentId: null }),
    "the language is deleted": (it) => it.client.delete(`/api/admin/languages/${it.mexican.id}`),
    "the parent is deleted": (it) => it.client.delete(`/api/admin/languages/${it.spanish.id}`),
  };

  it.each(Object.entries(WAYS))("if %s", async (_, takeAway) => {
    const scene = await start();
    const { put, color, show } = scene;
    for (const code of ["es-MX", "es", "en", "default"] as const) await put(code);
    expect(await color("es-MX")).toBe("yellow");
    const { etag = "" } = (await show("es-MX")).headers;
    await takeAway(scene);
    const anywhere = await scene.api.get(`/api/books/${scene.book.slug}`);
    if (anywhere.status === 200) {
      // Any of the book's covers, as long as it is published in any language.
      expect((await show("es-MX")).status).toBe(200);
      return;
    }
    expectProblem(await show("es-MX"), 404, { code: "book_not_found" });
    expectProblem(await show(), 404, { code: "book_not_found" });
    const known = await scene.api.get(`${scene.path}?languageCode=es-MX`, { "If-None-Match": etag });
    expectProblem(known, 404);
  });

  it("or if it never was published", async () => {
    const { api, make, client } = await start();
    const book = await make.book("Unpublished");
    await putCover(client, book.id, "default", await createPicture("red"));
    expectProblem(await api.get(`/api/books/${book.slug}/cover`), 404, { code: "book_not_found" });
    expectProblem(await api.get("/api/books/unknown/cover"), 404, { code: "book_not_found" });
    expectProblem(await api.get(`/api/books/${book.slug}/cover?languageCode=en`), 404, {
      code: "book_not_found",
    });
  });
});

/** Names of downloads for clients that read nothing but ASCII (`filename`), such as curl -OJ. */
import { describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { linkTo } from "../support/reader.ts";

/** The ASCII name of a book's file, and its whole name. */
async function namesOf(app: TestApp, title: string, languageCode = "my") {
  const { book } = await app.make.published(title, languageCode);
  const link = await linkTo(app.api, { slug: book.slug, languageCode });
  const { headers } = await app.api.head(link);
  const disposition = headers["content-disposition"] ?? "";
  const [, quoted, plain] = /filename=(?:"([^"]*)"|([^;]*))/.exec(disposition) ?? [];
  const [, encoded = ""] = /filename\*=UTF-8''(.*)$/.exec(disposition) ?? [];
  return { slug: book.slug, ascii: quoted ?? plain, whole: decodeURIComponent(encoded) };
}

describe("the ASCII name of a download", () => {
  it.each(["title", "original"])("says which book it is, with DOWNLOAD_NAMES=%s", async (names) => {
    const app = await startApp({ DOWNLOAD_NAMES: names });
    await app.make.language("my");
    const found = [];
    for (const title of ["သစ်ပင်ကြီး", "မြစ်ကြီး", "Математика 1", "Физика 1", "数学 1", "Łódź"]) {
      const { slug, ascii, whole } = await namesOf(app, title);
      if (names === "title") expect(whole).toBe(`${title} [my].txt`);
      if (whole !== "") expect(ascii).toBe(`${slug} [my].txt`);
      found.push(ascii);
    }
    if (names === "title") expect(new Set(found).size).toBe(found.length);
  });

  it("is the title itself if nothing but accents and signs is lost", async () => {
    const app = await startApp();
    await app.make.language("my");
    expect(await namesOf(app, "El niño – 1")).toMatchObject({ ascii: "El nino _ 1 [my].txt" });
    expect(await namesOf(app, "The Well")).toMatchObject({ ascii: "The Well [my].txt", whole: "" });
  });
});

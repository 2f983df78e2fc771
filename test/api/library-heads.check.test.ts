/** What the head of the library's pages says to search engines and sites that show a link. */
import { describe, expect, it } from "vitest";
import { startApp } from "../support/app.ts";
import { bodyOf } from "../support/client.ts";
import { pageOf, sendForm } from "../support/library-pages.ts";

const BOOK = "/library/es/books/the-deep-well";
const AT = "https://books.example.org/shelf";

async function scene(variables: Record<string, string> = { PUBLIC_BASE_URL: `${AT}/` }) {
  const app = await startApp(variables);
  await app.make.language("en");
  await app.make.language("es");
  await app.make.language("ar", { customDomain: "kutub.example.net" });
  const book = await app.make.book("The Deep Well", {
    series: { name: "Wells", position: 2 },
    authors: ["Ana </script>"],
  });
  for (const code of ["en", "es", "ar"]) await app.make.textFile(book.id, code, code);
  const admin = await app.admin();
  const translation = {
    languageCode: "es",
    title: "El pozo </script><!-- &",
    description: 'Un "pozo".',
    isbn: "9783161484100",
  };
  await bodyOf(admin.post(`/api/admin/books/${book.id}/translations`, translation), 201);
  return { ...app, app, admin, book };
}

const linksOf = (html: string) =>
  [...html.matchAll(/<link rel="(canonical|alternate)"(?: hreflang="([^"]*)")? href="([^"]*)">/g)].map(
    ([, rel, language, href]) => [language ?? rel, href?.replaceAll("&#38;", "&")],
  );
const propertiesOf = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/<meta property="og:(\w+)" content="([^"]*)">/g)].map(([, name, content]) => [
      name,
      content,
    ]),
  );
const dataOf = (html: string) => {
  const blocks = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)];
  return blocks.map(([, text = ""]) => JSON.parse(text));
};

describe("the head of a page of the library", () => {
  it("of a book has its address, languages, cover and data", async () => {
    const { app } = await scene();
    const { html } = await pageOf(app, `${BOOK}?utm_source=mail`, { Host: "forged.example" });
    const links = linksOf(html);
    expect([links[0]?.[0], links.at(-1)?.[0]]).toEqual(["canonical", "x-default"]);
    expect(Object.fromEntries(links)).toEqual({
      canonical: AT + BOOK,
      es: AT + BOOK,
      ar: "https://kutub.example.net/library/ar/books/the-deep-well",
      en: `${AT}/library/en/books/the-deep-well`,
      "x-default": `${AT}/library/en/books/the-deep-well`,
    });
    expect(propertiesOf(html)).toMatchObject({
      type: "book",
      url: AT + BOOK,
      description: "Un &#34;pozo&#34;.",
      image: expect.stringMatching(/^https:\/\/books\.example\.org\/shelf\/api\/.*&#38;width=640$/),
    });
    expect(html).not.toContain("forged.example");
    expect(html.match(/<script/g)).toHaveLength(1);
    const [data] = dataOf(html);
    expect(data).toMatchObject({
      "@context": "https://schema.org",
      "@type": "Book",
      name: "El pozo </script><!-- &",
      inLanguage: "es",
      url: AT + BOOK,
      isbn: "9783161484100",
      author: [{ "@type": "Person", name: "Ana </script>" }],
      isPartOf: { "@type": "BookSeries", name: "Wells" },
      position: 2,
    });
    const editions = data.workExample.map(({ inLanguage, url }: { inLanguage: string; url: string }) => [
      inLanguage,
      url,
    ]);
    expect(editions).toHaveLength(3);
    expect(editions).toEqual(
      expect.arrayContaining([
        ["es", AT + BOOK],
        ["ar", "https://kutub.example.net/library/ar/books/the-deep-well"],
      ]),
    );
    const image = await app.api.get(
      new URL(data.image).pathname.replace("/shelf", "") + new URL(data.image).search,
    );
    expect(image.headers["content-type"]).toMatch(/^image\//);
  });

  it("of a list has the lists of all languages, and those of further pages none", async () => {
    const { app, make } = await scene();
    const { html } = await pageOf(app, "/library/en");
    expect(linksOf(html)).toEqual(
      expect.arrayContaining([
        ["canonical", `${AT}/library/en`],
        ["es", `${AT}/library/es`],
        ["ar", "https://kutub.example.net/library/ar"],
        ["x-default", `${AT}/library`],
      ]),
    );
    const home = await pageOf(app, "/", { "Accept-Language": "en" });
    expect(linksOf(home.html)).toEqual(linksOf(html));
    for (let number = 1; number <= 24; number += 1) await make.published(`Book ${number}`, "en");
    const second = await pageOf(app, "/library/en?page=2");
    expect(linksOf(second.html)).toEqual([["canonical", `${AT}/library/en?page=2`]]);
    const ordered = await pageOf(app, "/library/en?order=title");
    expect(linksOf(ordered.html)[0]).toEqual(["canonical", `${AT}/library/en`]);
    const all = await pageOf(app, "/library");
    expect(linksOf(all.html)).toEqual([["canonical", `${AT}/library`]]);
  });

  it("of what isn't to be found says so: a search, a wrong form, and an unknown book", async () => {
    const { app } = await scene();
    const pages = [
      await pageOf(app, "/library/es?q=pozo"),
      await pageOf(app, "/library/es/books/nothing"),
      await sendForm(app, BOOK, {}),
    ];
    for (const { html } of pages) {
      expect(html).toContain('<meta name="robots" content="noindex">');
      expect([linksOf(html), dataOf(html), propertiesOf(html)]).toEqual([[], [], {}]);
    }
  });

  it("has no absolute address that isn't configured", async () => {
    const { app } = await scene({});
    for (const path of [BOOK, "/library/es", "/library"]) {
      const { html } = await pageOf(app, path, { Host: "forged.example" });
      expect(linksOf(html).filter(([, href]) => !href?.startsWith("https://kutub.example.net/"))).toEqual([]);
      expect(propertiesOf(html).url).toBeUndefined();
      expect(html).not.toContain("forged.example");
    }
    const { html } = await pageOf(app, "/library/ar/books/the-deep-well");
    expect(linksOf(html)[0]).toEqual([
      "canonical",
      "https://kutub.example.net/library/ar/books/the-deep-well",
    ]);
  });
});

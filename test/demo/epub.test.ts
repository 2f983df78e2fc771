import { SaxesParser } from "saxes";
import { describe, expect, it } from "vitest";
import type { Booklet } from "../../tools/demo/book.ts";
import { createBooklets, demoBooks } from "../../tools/demo/catalogue.ts";
import { makeEpub } from "../../tools/demo/epub.ts";
import { readZip } from "../../tools/lib/read-zip.ts";

const booklets = demoBooks.flatMap(createBooklets).map((booklet) => ({
  label: `“${booklet.title}” (${booklet.languageCode})`,
  booklet,
}));
const arabic = bookletIn("ar");
const english = bookletIn("en");

function bookletIn(code: string): Booklet {
  const found = booklets.find(({ booklet }) => booklet.languageCode === code);
  if (found === undefined) throw new Error(`no booklet in ${code}`);
  return found.booklet;
}

async function partsOf(booklet: Booklet): Promise<Map<string, string>> {
  const entries = await readZip(await makeEpub(booklet));
  return new Map(entries.map(({ name, bytes }) => [name, bytes.toString("utf8")]));
}

/** The elements of an XML document in their order. @throws Error where it isn't well-formed */
function elementsOf(xml: string) {
  const elements: { name: string; attributes: Readonly<Record<string, string>> }[] = [];
  const parser = new SaxesParser();
  parser.on("opentag", ({ name, attributes }) => elements.push({ name, attributes }));
  parser.on("error", (error) => {
    throw error;
  });
  parser.write(xml).close();
  return elements;
}

describe("an EPUB of the demo", () => {
  it("begins with its media type, stored, without an extra field (OCF ZIP container)", async () => {
    const bytes = await makeEpub(english);
    expect(bytes.readUInt16LE(8), "method").toBe(0);
    expect(bytes.readUInt16LE(26), "length of the name").toBe(8);
    expect(bytes.readUInt16LE(28), "length of the extra field").toBe(0);
    expect(bytes.toString("latin1", 30, 38)).toBe("mimetype");
    expect(bytes.toString("latin1", 38, 58)).toBe("application/epub+zip");
  });

  it.each(booklets)("has well-formed documents: $label", async ({ booklet }) => {
    const parts = await partsOf(booklet);
    const documents = [...parts].filter(([name]) => /\.(xml|opf|xhtml)$/.test(name));
    expect(documents).toHaveLength(4);
    for (const [, xml] of documents) expect(elementsOf(xml).length).toBeGreaterThan(2);
  });

  it.each(booklets)(
    "names every part in its manifest and reads in one order: $label",
    async ({ booklet }) => {
      const parts = await partsOf(booklet);
      const elements = elementsOf(parts.get("EPUB/package.opf") ?? "");
      const items = elements.filter(({ name }) => name === "item").map(({ attributes }) => attributes);
      const content = [...parts.keys()].filter((name) => name.startsWith("EPUB/") && !name.endsWith(".opf"));
      expect(items.map((item) => `EPUB/${item.href}`).sort()).toEqual(content.sort());
      expect(items.filter((item) => item.properties === "nav")).toHaveLength(1);
      const spine = elements.find(({ name }) => name === "spine");
      expect(spine?.attributes["page-progression-direction"]).toBe(booklet.direction);
      const read = elements
        .filter(({ name }) => name === "itemref")
        .map(({ attributes }) => attributes.idref);
      expect(read).toEqual(["text"]);
      expect(items.map((item) => item.id)).toContain("text");
    },
  );

  it("points from the container to the package, and from the navigation to the text", async () => {
    const parts = await partsOf(english);
    const container = elementsOf(parts.get("META-INF/container.xml") ?? "");
    const path = container.find(({ name }) => name === "rootfile")?.attributes["full-path"] ?? "";
    expect(parts.has(path)).toBe(true);
    const navigation = elementsOf(parts.get("EPUB/nav.xhtml") ?? "");
    expect(navigation.find(({ name }) => name === "nav")?.attributes["epub:type"]).toBe("toc");
    const links = navigation.filter(({ name }) => name === "a").map(({ attributes }) => attributes.href);
    expect(links).toEqual(["text.xhtml"]);
    expect(parts.get("EPUB/nav.xhtml")).toContain(`<a href="text.xhtml">${english.title}</a>`);
  });

  it("declares the language and the direction of the script", async () => {
    const parts = await partsOf(arabic);
    for (const name of ["EPUB/nav.xhtml", "EPUB/text.xhtml"]) {
      const html = elementsOf(parts.get(name) ?? "")[0];
      expect(html?.name).toBe("html");
      expect(html?.attributes.lang).toBe("ar");
      expect(html?.attributes["xml:lang"]).toBe("ar");
      expect(html?.attributes.dir).toBe("rtl");
    }
    expect(parts.get("EPUB/package.opf")).toContain("<dc:language>ar</dc:language>");
    for (const paragraph of arabic.paragraphs) {
      expect(parts.get("EPUB/text.xhtml")).toContain(`<p>${paragraph}</p>`);
    }
  });

  it("escapes what XML would read as markup", async () => {
    const parts = await partsOf({ ...english, title: 'A & B <i> "c"', paragraphs: ["1 < 2 && 3 > 2"] });
    for (const [name, xml] of parts) if (/\.(opf|xhtml)$/.test(name)) elementsOf(xml);
    expect(parts.get("EPUB/package.opf")).toContain("<dc:title>A &amp; B &lt;i&gt; &quot;c&quot;</dc:title>");
    expect(parts.get("EPUB/text.xhtml")).toContain("<p>1 &lt; 2 &amp;&amp; 3 &gt; 2</p>");
  });

  it.each(booklets)("has the same bytes every time: $label", async ({ booklet }) => {
    expect((await makeEpub(booklet)).equals(await makeEpub(booklet))).toBe(true);
  });

  it("has an identifier derived from the content", async () => {
    const identifier = async (booklet: Booklet) =>
      /urn:uuid:([^<]+)/.exec((await partsOf(booklet)).get("EPUB/package.opf") ?? "")?.[1];
    expect(await identifier(english)).toMatch(
      /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
    );
    expect(await identifier({ ...english, paragraphs: ["Another text."] })).not.toBe(
      await identifier(english),
    );
    expect(await identifier(arabic)).not.toBe(await identifier(english));
  });
});

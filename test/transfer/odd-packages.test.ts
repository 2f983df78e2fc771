/** Package documents of EPUB as programs and people write them: what a librarian would read in them. */
import { describe, expect, it } from "vitest";
import { examineFile } from "../../src/operation/transfer/examine.ts";
import { findFileBelow } from "../../src/operation/transfer/local-files.ts";
import { createEpub, writeFiles } from "../support/book-files.ts";
import { createPicture } from "../support/covers.ts";
import { createMetadataReader } from "../support/metadata-reader.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const reader = createMetadataReader();

type Parts = Parameters<typeof createEpub>[0];

async function read(parts: Parts) {
  const folder = createTempFolder();
  writeFiles(folder, { "book.epub": await createEpub(parts) });
  return (await examineFile(await findFileBelow(folder, "book.epub"), undefined, reader)).metadata;
}

const refine = (id: string, property: string, value: string) =>
  `<meta refines="#${id}" property="${property}">${value}</meta>`;

it.each([
  ["an escaped ampersand twice", "Tom &amp;amp; Jerry", "Tom & Jerry"],
  ["an escaped name of a letter", "Caf&amp;eacute; M&amp;#252;nchen", "Café München"],
  ["a letter of Central Europe", "&Zcaron;lu&tcaron; &lstrok;", "Žluť ł"],
  ["escaped italics", "One &lt;i&gt;Bold&lt;/i&gt; Word", "One Bold Word"],
  ["an escaped line break", "One&lt;br/&gt;Two", "One Two"],
  ["markup in CDATA", "<![CDATA[Tom & <em>Jerry</em>]]>", "Tom & Jerry"],
  ["the reading of a character", "<ruby>猫<rp>(</rp><rt>ねこ</rt><rp>)</rp></ruby>", "猫"],
  [
    "signs that are no markup",
    "AT&T, R&D; a < b and <The Sea>".replace(/</g, "&lt;"),
    "AT&T, R&D; a < b and <The Sea>",
  ],
  ["an unknown name", "The &foo; Garden", "The &foo; Garden"],
])("reads a title with %s", async (_, title, expected) => {
  expect(await read({ metadata: `<dc:title>${title}</dc:title>` })).toMatchObject({ title: expected });
});

it("has no title of which no letter is left", async () => {
  expect(await read({ metadata: "<dc:title>\ufffd\ufffd \ufffd</dc:title>" })).toMatchObject({
    title: undefined,
  });
});

it.each([
  ["are several in one element", "<dc:creator>Ida Marek; Jon Ek</dc:creator>", ["Ida Marek", "Jon Ek"]],
  [
    "are in the order that is said",
    `<dc:creator id="b">B</dc:creator><dc:creator id="a">A</dc:creator>${refine("b", "display-seq", "2")}${refine("a", "display-seq", "1")}`,
    ["A", "B"],
  ],
  [
    "are none where a program knew none",
    "<dc:creator>Unknown</dc:creator><dc:creator>Неизвестный</dc:creator>",
    [],
  ],
  ["are anonymous", "<dc:creator>Anonymous</dc:creator>", ["Anonymous"]],
  ["are perhaps the author", `<dc:creator opf:role="att">Ida</dc:creator>`, ["Ida"]],
])("people %s", async (_, metadata, authors) => {
  expect(await read({ metadata })).toMatchObject({ authors });
});

it.each([
  [
    "a type in capitals",
    `<dc:title id="s">Sub</dc:title>${refine("s", "title-type", "Subtitle")}<dc:title>Main</dc:title>`,
  ],
  [
    "the place zero",
    `<dc:title id="s">Sub</dc:title>${refine("s", "display-seq", "1")}<dc:title id="m">Main</dc:title>${refine("m", "display-seq", "0")}`,
  ],
])("finds the main title by %s", async (_, metadata) => {
  expect(await read({ metadata })).toMatchObject({ title: "Main" });
});

it.each(["\u200ees\u200e", "ＥＳ", "\ufeffes", "es\u200b"])("reads the language %j", async (written) => {
  expect(await read({ metadata: `<dc:language>${written}</dc:language>` })).toMatchObject({
    languageCode: "es",
  });
});

it("has no scripts and styles in its description", async () => {
  const description =
    "&lt;style&gt;p { color: red }&lt;/style&gt;&lt;p&gt;A well.&lt;/p&gt;&lt;script&gt;go()&lt;/script&gt;";
  const metadata = `<dc:description>${description}</dc:description>`;
  expect(await read({ metadata })).toMatchObject({ description: "A well." });
});

describe("a series", () => {
  it.each([
    ["1,5", 1.5],
    ["#2", 2],
    ["Vol. 2", 2],
    ["№ 2", 2],
    ["٢", 2],
    ["0", 0],
    ["II", undefined],
    ["1.2.3", undefined],
    ["1-3", undefined],
    ["-1", undefined],
  ])("has the position %s", async (written, position) => {
    const collection = `<meta property="belongs-to-collection" id="c">Nights</meta>${refine("c", "group-position", written)}`;
    expect(await read({ metadata: collection })).toMatchObject({ series: { name: "Nights", position } });
  });

  it.each([
    [
      "with other capitals",
      `<meta property="belongs-to-collection">Nights</meta><meta name="calibre:series" content="nights"/><meta name="calibre:series_index" content="2"/>`,
    ],
    [
      "as a property",
      `<meta property="calibre:series">Nights</meta><meta property="calibre:series_index">2</meta>`,
    ],
  ])("is the one of Calibre, %s", async (_, metadata) => {
    expect(await read({ metadata })).toMatchObject({ series: { name: "Nights", position: 2 } });
  });
});

it("reads the next package document where the first one isn't any", async () => {
  const roots = ["OEBPS/broken.opf", "OEBPS/book.opf"].map(
    (path) => `<rootfile full-path="${path}" media-type="application/oebps-package+xml"/>`,
  );
  const container = `<container><rootfiles>${roots.join("")}</rootfiles></container>`;
  const metadata = "<dc:title>Found</dc:title>";
  const found = await read({ container, metadata, entries: { "OEBPS/broken.opf": "%PDF-1.4" } });
  expect(found).toMatchObject({ title: "Found" });
});

describe("a cover", async () => {
  const picture = await createPicture("blue", { type: "png" });
  const item = (id: string, href: string, type: string, properties = "") =>
    `<item id="${id}" href="${href}" media-type="${type}" properties="${properties}"/>`;
  const png = item("p", "c.png", "image/png");
  const page = (body: string) => `<html xmlns="http://www.w3.org/1999/xhtml"><body>${body}</body></html>`;
  const named = (id: string) => `<meta name="cover" content="${id}"/>`;

  it.each([
    ["by its id with a number sign", { metadata: named("#p"), items: png }],
    ["by its id in capitals", { metadata: named("P"), items: png }],
    ["by its path from the root", { metadata: named("OEBPS/c.png"), items: png }],
    ["by its path without an item", { metadata: named("c.png") }],
    [
      "by its name",
      { items: item("x", "front-cover.png", "image/png"), entries: { "OEBPS/front-cover.png": picture } },
    ],
    [
      "as an object of its page",
      {
        metadata: named("q"),
        items: png + item("q", "q.xhtml", "application/xhtml+xml"),
        entries: { "OEBPS/q.xhtml": page(`<object data="c.png" type="image/png"/>`) },
      },
    ],
    [
      "in an SVG that draws nothing else",
      {
        items: png + item("s", "s.svg", "image/svg+xml", "cover-image"),
        entries: {
          "OEBPS/s.svg": `<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink"><image x:href="c.png"/></svg>`,
        },
      },
    ],
  ] satisfies [string, Parts][])("is found %s", async (_, parts: Parts) => {
    const { cover } = await read({ ...parts, entries: { "OEBPS/c.png": picture, ...parts.entries } });
    expect(await cover?.()).toEqual(picture);
  });
});

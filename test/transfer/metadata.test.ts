import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { examineFile } from "../../src/operation/transfer/examine.ts";
import { listFilesBelow } from "../../src/operation/transfer/local-files.ts";
import { NO_METADATA } from "../../src/operation/transfer/metadata/metadata.ts";
import { createEpub, createMp3, createPdf, createTitledEpub, writeFiles } from "../support/book-files.ts";
import { createPicture } from "../support/covers.ts";
import { createMetadataReader } from "../support/metadata-reader.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const reader = createMetadataReader();

async function examine(name: string, bytes: Buffer) {
  const folder = createTempFolder();
  writeFiles(folder, { [name]: bytes });
  const [file] = await listFilesBelow(folder, (place) => expect.unreachable(place));
  if (!file) throw new Error("no file");
  return examineFile(file, undefined, reader);
}

const PNG_SIGNATURE = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

const metadataOf = async (name: string, bytes: Buffer) => (await examine(name, bytes)).metadata;
const ofEpub = async (metadata: string) => metadataOf("book.epub", await createEpub({ metadata }));

describe("EPUB", () => {
  it("has every field of the package document", async () => {
    const metadata = await ofEpub(`
      <dc:title id="sub">A subtitle</dc:title><meta refines="#sub" property="title-type">subtitle</meta>
      <dc:title id="main">The Deep
        Well</dc:title><meta refines="#main" property="title-type">main</meta>
      <dc:language>pt-br</dc:language>
      <dc:creator id="a">Ana Núñez</dc:creator><meta refines="#a" property="role" scheme="marc:relators">aut</meta>
      <dc:creator id="b">Ben Okoro</dc:creator><meta refines="#b" property="role" scheme="marc:relators">trl</meta>
      <dc:contributor opf:role="ill">Cleo</dc:contributor>
      <dc:contributor opf:role="bkp">calibre (7.1)</dc:contributor>
      <dc:description>&lt;p&gt;First &amp;amp; last.&lt;/p&gt;&lt;p&gt;Second&lt;br/&gt;line&lt;/p&gt;</dc:description>
      <dc:publisher>Village Press</dc:publisher>
      <dc:rights>CC-BY</dc:rights>
      <dc:identifier>urn:uuid:eb5a3bc7-397d-4d45-a0e6-7acef4192457</dc:identifier>
      <dc:identifier>urn:isbn:978-3-16-148410-0</dc:identifier>
      <dc:subject>folk tales</dc:subject><dc:subject>water</dc:subject><dc:subject>water</dc:subject>
      <meta property="belongs-to-collection" id="c">Tales</meta>
      <meta refines="#c" property="collection-type">series</meta>
      <meta refines="#c" property="group-position">2</meta>`);
    expect(metadata).toEqual({
      title: "The Deep Well",
      languageCode: "pt-BR",
      authors: ["Ana Núñez"],
      contributors: [
        { name: "Ben Okoro", role: "translator" },
        { name: "Cleo", role: "illustrator" },
      ],
      description: "First & last.\n\nSecond\nline",
      publisher: "Village Press",
      license: "CC-BY",
      isbn: "9783161484100",
      tags: ["folk tales", "water"],
      series: { name: "Tales", position: 2 },
      cover: undefined,
    });
  });

  it.each([
    ["no metadata at all", "", {}],
    ["empty elements", "<dc:title> </dc:title><dc:language/><dc:creator></dc:creator>", {}],
    ["a language in words", "<dc:language>English</dc:language>", { languageCode: "en" }],
    ["an undetermined language", "<dc:language>und</dc:language>", {}],
    ["a language with an underscore", "<dc:language>en_US</dc:language>", { languageCode: "en-US" }],
    [
      "Calibre's series",
      `<meta name="calibre:series" content="S"/><meta name="calibre:series_index" content="1.50"/>`,
      { series: { name: "S", position: 1.5 } },
    ],
    ["an author without a role", "<dc:creator>Ana</dc:creator>", { authors: ["Ana"] }],
    ["an unknown role", `<dc:creator opf:role="zzz">Ana</dc:creator>`, { authors: ["Ana"] }],
    [
      "an unknown entity and a stray ampersand",
      "<dc:title>A &nbsp; B & C</dc:title>",
      { title: expect.stringMatching(/^A .*B/) },
    ],
    ["a title of 10,000 letters", `<dc:title>${"é".repeat(10_000)}</dc:title>`, { title: "é".repeat(500) }],
    [
      "marks without end",
      `<dc:title>a${"\u0301\u0316".repeat(500)}</dc:title>`,
      { title: expect.stringMatching(/^.\p{M}{1,30}$/u) },
    ],
    [
      "an ISBN with a wrong check digit before a right one, which has no prefix",
      "<dc:identifier>urn:isbn:9783161484101</dc:identifier><dc:identifier>3-16-148410-X</dc:identifier>",
      { isbn: "9783161484100" },
    ],
    ["an identifier that is no ISBN", "<dc:identifier>ISBN 12345</dc:identifier>", {}],
    [
      "several languages, of which the first are none",
      "<dc:language>und</dc:language><dc:language>*** unknown</dc:language><dc:language>de</dc:language>",
      { languageCode: "de" },
    ],
    ["languages in one element", "<dc:language>eng; fre</dc:language>", { languageCode: "en" }],
    ["a language in its own words", "<dc:language>Français (France)</dc:language>", { languageCode: "fr" }],
    ["a locale", "<dc:language>sr_RS@latin</dc:language>", { languageCode: "sr-Latn-RS" }],
    ["a locale of no country's own", "<dc:language>en_US_POSIX</dc:language>", { languageCode: "en-US" }],
    [
      "roles as words, URIs and ONIX codes",
      `<dc:creator opf:role="Author">A</dc:creator><dc:creator opf:role="http://id.loc.gov/vocabulary/relators/aut">B</dc:creator>
       <dc:creator opf:role="A01">C</dc:creator><dc:creator opf:role="ill aut">D</dc:creator><dc:creator opf:role="Translator">E</dc:creator>`,
      { authors: ["A", "B", "C", "D"], contributors: [{ name: "E", role: "translator" }] },
    ],
    [
      "two roles of a contributor",
      `<dc:contributor id="c">A</dc:contributor><meta refines="#c" property="role">ill</meta><meta refines="#c" property="role">trl</meta>`,
      {
        contributors: [
          { name: "A", role: "illustrator" },
          { name: "A", role: "translator" },
        ],
      },
    ],
    [
      "a prefix that isn't declared for Dublin Core",
      `<dcterms:title>No</dcterms:title><dc:title>A</dc:title>`,
      { title: "A" },
    ],
    [
      "titles of other types before the main one",
      `<dc:title id="a">Sub</dc:title><meta refines="#a" property="title-type">subtitle</meta><dc:title>Main</dc:title>`,
      { title: "Main" },
    ],
    [
      "paragraphs of XHTML",
      `<dc:description><div xmlns="http://www.w3.org/1999/xhtml"><p>One
        line</p><p>Two<br/>three</p></div></dc:description>`,
      { description: "One line\n\nTwo\nthree" },
    ],
    [
      "an ISBN by its scheme",
      `<dc:identifier opf:scheme="ISBN">3-16-148410-X</dc:identifier>`,
      { isbn: "9783161484100" },
    ],
    [
      "an ISBN in other dashes",
      "<dc:identifier>ISBN-13: 978–3–16–148410–0 (pbk)</dc:identifier>",
      { isbn: "9783161484100" },
    ],
    [
      "a number of ten digits in an address",
      "<dc:identifier>https://example.org/316148410X</dc:identifier>",
      {},
    ],
    [
      "Calibre's series beside a set",
      `<meta property="belongs-to-collection" id="c">Set</meta><meta refines="#c" property="collection-type">set</meta>
       <meta name="calibre:series" content="S"/><meta name="calibre:series_index" content="3"/>`,
      { series: { name: "S", position: 3 } },
    ],
    ["control characters", "<dc:title>A\u0085B\u202e</dc:title>", { title: expect.stringContaining("A B") }],
  ])("tolerates %s", async (_, given, expected) => {
    const nothing = { authors: [], contributors: [], tags: [] };
    expect(await ofEpub(given)).toEqual({ ...nothing, ...expected });
  });

  it.each([
    ["a container that names no file", { container: "<container/>" }],
    ["a container that names a missing file", { container: `<rootfile full-path="x.opf"/>` }],
    ["no container", { container: "" }],
  ])("has the package document that is there with %s", async (_, parts) => {
    const metadata = "<dc:title>The Well</dc:title>";
    expect(await metadataOf("book.epub", await createEpub({ ...parts, metadata }))).toMatchObject({
      title: "The Well",
    });
  });

  it("can have a package document in UTF-16", async () => {
    const opf = `\ufeff<?xml version="1.0" encoding="UTF-16"?><package><metadata><dc:title>井</dc:title></metadata></package>`;
    const bytes = await createEpub({ opf: Buffer.from(opf, "utf16le") });
    expect(await metadataOf("book.epub", bytes)).toMatchObject({ title: "井" });
  });

  it.each([
    ["EPUB 3", "", `<item id="x" href="../my%20cover.png" media-type="image/png" properties="cover-image"/>`],
    [
      "EPUB 2",
      `<meta name="cover" content="x"/>`,
      `<item id="x" href="../my%20cover.png" media-type="image/png"/>`,
    ],
  ])("has the cover of %s", async (_, metadata, items) => {
    const cover = await createPicture("red", { type: "png" });
    const bytes = await createEpub({ metadata, items, entries: { "my cover.png": cover } });
    const { cover: read } = await metadataOf("book.epub", bytes);
    expect(await read?.()).toEqual(cover);
  });

  it.each<[string, string, string, Record<string, string>, "red" | "none" | "missing"]>([
    [
      "a wrong media type",
      `<meta name="Cover" content="x"/>`,
      `<item id="x" href="a" media-type="text/plain"/>`,
      { "OEBPS/a": "red" },
      "red",
    ],
    [
      "another case of its path",
      `<meta name="cover" content="x"/>`,
      `<item id="x" href="Images/A.PNG" media-type="image/png"/>`,
      { "OEBPS/images/a.png": "red" },
      "red",
    ],
    [
      "only a name",
      "",
      `<item id="cover-image" href="a.png" media-type="image/png"/>`,
      { "OEBPS/a.png": "red" },
      "red",
    ],
    [
      "a page with a picture of SVG",
      `<meta name="cover" content="p"/>`,
      `<item id="p" href="t/p.xhtml" media-type="application/xhtml+xml"/>`,
      {
        "OEBPS/t/p.xhtml": `<html><body><svg><image href="../a%20b.png"/></svg></body></html>`,
        "OEBPS/a b.png": "red",
      },
      "red",
    ],
    [
      "a page of text",
      `<meta name="cover" content="p"/>`,
      `<item id="p" href="p.xhtml" media-type="application/xhtml+xml"/>`,
      { "OEBPS/p.xhtml": "<html><body>Text</body></html>" },
      "none",
    ],
    [
      "a missing item",
      `<meta name="cover" content="x"/>`,
      `<item id="x" href="a.png" media-type="image/png"/>`,
      {},
      "missing",
    ],
    [
      "an item that is no picture",
      "",
      `<item id="x" href="a.png" media-type="image/png" properties="cover-image"/>`,
      { "OEBPS/a.png": "text" },
      "missing",
    ],
    [
      "another picture for a missing item",
      `<meta name="cover" content="x"/>`,
      `<item id="x" href="gone.png" media-type="image/png"/><item id="c" href="cover.png" media-type="image/png"/>`,
      { "OEBPS/cover.png": "red" },
      "red",
    ],
  ])("finds the cover with %s", async (_, metadata, items, given, expected) => {
    const picture = await createPicture("red", { type: "png" });
    const entries = Object.fromEntries(
      Object.entries(given).map(([name, content]) => [name, content === "red" ? picture : content]),
    );
    const found = await metadataOf("book.epub", await createEpub({ metadata, items, entries }));
    if (expected === "red") expect(await found.cover?.()).toEqual(picture);
    else expect(found.cover).toBeUndefined();
    expect(found.coverIsMissing).toBe(expected === "missing" ? true : undefined);
  });

  const bomb = `<!DOCTYPE package [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>
    <package><metadata><dc:title>&b;</dc:title></metadata></package>`;
  it.each([
    [
      "a package document of 3 MB",
      { opf: Buffer.alloc(3_000_000, " ") },
      /OEBPS\/book\.opf has 3000000 bytes/,
    ],
    ["a package document that is no XML", { opf: randomBytes(500) }, /not XML/],
  ])("is a book without metadata with %s", async (_, parts, reason) => {
    const metadata = await metadataOf("book.epub", await createEpub(parts));
    const unreadable = expect.stringMatching(new RegExp(`^Its metadata can't be read\\. .*${reason.source}`));
    expect(metadata).toEqual({ ...NO_METADATA, unreadable });
  });

  it("doesn't grow by an XML bomb", async () => {
    expect(await metadataOf("book.epub", await createEpub({ opf: bomb }))).toMatchObject({
      title: undefined,
    });
    const many = `<!DOCTYPE package [<!ENTITY a "${"a".repeat(900)}">]>
      <package><metadata><dc:title>${"&a;".repeat(100_000)}</dc:title></metadata></package>`;
    const { title } = await metadataOf("book.epub", await createEpub({ opf: many }));
    expect(title).toBe("a".repeat(500));
  });

  it("rejects a cover above the limit only when it is read", async () => {
    const items = `<item id="x" href="cover.png" media-type="image/png" properties="cover-image"/>`;
    const bytes = await createEpub({
      items,
      entries: { "OEBPS/cover.png": Buffer.concat([PNG_SIGNATURE, Buffer.alloc(11_000_000)]) },
    });
    const { cover: read } = await metadataOf("book.epub", bytes);
    await expect(read?.()).rejects.toThrow(/OEBPS\/cover\.png has 11000008 bytes/);
  });

  it("is rejected if it was cut off", async () => {
    const bytes = await createTitledEpub("A", "en");
    await expect(examine("book.epub", bytes.subarray(0, -40))).rejects.toThrow("damaged ZIP archive");
  });
});

describe("PDF", () => {
  it("has its information dictionary and language", async () => {
    const info = {
      Title: "Το βαθύ πηγάδι",
      Author: "Ana; Ben",
      Subject: "About wells",
      Keywords: "water, wells",
    };
    expect(await metadataOf("book.pdf", await createPdf({ info, lang: "el" }))).toMatchObject({
      title: "Το βαθύ πηγάδι",
      authors: ["Ana", "Ben"],
      description: "About wells",
      tags: ["water", "wells"],
    });
  });

  it.each(["Microsoft Word - well final.doc", "Untitled", "well.indd"])(
    "ignores a title that a program has made up: %s",
    async (Title) => {
      expect(await metadataOf("book.pdf", await createPdf({ info: { Title } }))).toMatchObject({
        title: undefined,
      });
    },
  );

  it("is a book without metadata, with a remark, if readers need a password", async () => {
    const bytes = await createPdf({ info: { Title: "Secret" }, userPassword: "a" });
    const { title, unreadable } = await metadataOf("book.pdf", bytes);
    expect(title).toBeUndefined();
    expect(unreadable).toBe("Its metadata can't be read. It can only be opened with a password.");
  });

  it("is a book without metadata if it was cut off", async () => {
    const bytes = await createPdf({ info: { Title: "A" } });
    const { unreadable } = await metadataOf("book.pdf", bytes.subarray(0, 300));
    expect(unreadable).toBe("Its metadata can't be read. It is damaged, or written in an unusual way.");
  });
});

it("reads the tags of audio books, and their covers", async () => {
  const cover = await createPicture("blue", { type: "png" });
  const tags = {
    TALB: "井",
    TIT2: "Chapter 1",
    TPE1: "Ana",
    TLAN: "zho",
    TCON: "Audiobook",
    TPUB: "Village",
  };
  const { fileType, metadata } = await examine("book.mp3", createMp3(tags, cover));
  expect({ fileType, metadata }).toMatchObject({
    fileType: "mp3",
    metadata: { title: "井", languageCode: "zh", authors: ["Ana"], tags: ["Audiobook"] },
  });
  expect(await metadata.cover?.()).toEqual(cover);
});

it.each([
  ["page.txt", Buffer.from("Text."), "txt"],
  ["book.kepub.epub", undefined, "kepub"],
])("recognises the type of %s", async (name, bytes, type) => {
  expect((await examine(name, bytes ?? (await createTitledEpub("A", "en")))).fileType).toBe(type);
});

it.each([
  ["book.pdf", Buffer.from("Text."), "The file is plain text"],
  ["book.epub", Buffer.alloc(0), "The file is empty"],
])("rejects content of another type: %s", async (name, bytes, reason) => {
  await expect(examine(name, bytes)).rejects.toThrow(reason);
});

import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { examineFile } from "../../src/operation/transfer/examine.ts";
import { listFilesBelow } from "../../src/operation/transfer/local-files.ts";
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
    ["a language in words", "<dc:language>English</dc:language>", {}],
    ["an undetermined language", "<dc:language>und</dc:language>", {}],
    ["a language with an underscore", "<dc:language>en_US</dc:language>", { languageCode: "en-US" }],
    [
      "Calibre's series",
      `<meta name="calibre:series" content="S"/><meta name="calibre:series_index" content="1.50"/>`,
      { series: { name: "S", position: 1.5 } },
    ],
    ["an author without a role", "<dc:creator>Ana</dc:creator>", { authors: ["Ana"] }],
    [
      "an unknown role",
      `<dc:creator opf:role="zzz">Ana</dc:creator>`,
      { contributors: [{ name: "Ana", role: "zzz" }] },
    ],
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
    ["control characters", "<dc:title>A\u0085B\u202e</dc:title>", { title: expect.stringContaining("A B") }],
  ])("tolerates %s", async (_, given, expected) => {
    const nothing = { authors: [], contributors: [], tags: [] };
    expect(await ofEpub(given)).toEqual({ ...nothing, ...expected });
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

  const bomb = `<!DOCTYPE package [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>
    <package><metadata><dc:title>&b;</dc:title></metadata></package>`;
  it.each([
    ["an XML bomb", { opf: bomb }, /defines entities/],
    [
      "a package document of 3 MB",
      { opf: Buffer.alloc(3_000_000, " ") },
      /OEBPS\/book\.opf has 3000000 bytes/,
    ],
    ["a package document that is no XML", { opf: randomBytes(500) }, /not XML/],
    ["a container that names no file", { container: "<container/>" }, /META-INF\/container\.xml/],
    [
      "a container that names a missing file",
      { container: `<rootfile full-path="x.opf"/>` },
      /no package document x\.opf/,
    ],
    ["no container", { container: "" }, /META-INF\/container\.xml/],
  ])("is rejected with %s", async (_, parts, reason) => {
    await expect(examine("book.epub", await createEpub(parts))).rejects.toThrow(reason);
  });

  it("rejects a cover above the limit only when it is read", async () => {
    const items = `<item id="x" href="cover.png" media-type="image/png" properties="cover-image"/>`;
    const bytes = await createEpub({ items, entries: { "OEBPS/cover.png": Buffer.alloc(11_000_000) } });
    const { cover: read } = await metadataOf("book.epub", bytes);
    await expect(read?.()).rejects.toThrow(/OEBPS\/cover\.png has 11000000 bytes/);
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

  it("has no metadata if it has a password", async () => {
    const bytes = await createPdf({ info: { Title: "Secret" }, userPassword: "a" });
    expect(await metadataOf("book.pdf", bytes)).toEqual({ authors: [], contributors: [], tags: [] });
  });

  it("is rejected if it was cut off", async () => {
    const bytes = await createPdf({ info: { Title: "A" } });
    await expect(examine("book.pdf", bytes.subarray(0, 300))).rejects.toThrow("metadata can't be read");
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

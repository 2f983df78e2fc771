/** The metadata of formats other than EPUB and PDF, as their programs write it. */
import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { examineFile } from "../../src/operation/transfer/examine.ts";
import { findFileBelow } from "../../src/operation/transfer/local-files.ts";
import { createMp3, createPdf, writeFiles, zipOf } from "../support/book-files.ts";
import { createPicture } from "../support/covers.ts";
import { createMetadataReader } from "../support/metadata-reader.ts";
import { createMobi } from "../support/mobi.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const reader = createMetadataReader();

async function metadataOf(name: string, bytes: Buffer | string) {
  const folder = createTempFolder();
  writeFiles(folder, { [name]: bytes });
  return (await examineFile(await findFileBelow(folder, name), undefined, reader)).metadata;
}

describe("FB2", () => {
  const book = (titleInfo: string, more = "", prolog = '<?xml version="1.0" encoding="UTF-8"?>') =>
    `${prolog}<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:l="http://www.w3.org/1999/xlink">
    <description><title-info>${titleInfo}</title-info>${more}</description><body><section><p>Text</p></section></body>`;

  it("has every field of its description, and the cover behind the book", async () => {
    const cover = await createPicture("red", { type: "png" });
    const base64 = cover.toString("base64").replace(/.{76}/g, "$&\n");
    const text = book(
      `<genre>prose</genre>
      <author><first-name>Анна</first-name><middle-name>И.</middle-name><last-name>Белова</last-name></author>
      <author><nickname>bel</nickname></author>
      <book-title>Сад &amp; <emphasis>река</emphasis></book-title>
      <annotation><p>Первый
        абзац.</p><p>Второй.</p></annotation>
      <keywords>сад, река</keywords>
      <coverpage><image l:href="#cover.png"/></coverpage>
      <lang>RU</lang><src-lang>de</src-lang>
      <translator><first-name>Ян</first-name><last-name>Эк</last-name></translator>
      <sequence name="Сады" number="2"/>`,
      `<src-title-info><book-title>Garten</book-title><lang>de</lang></src-title-info>
      <document-info><author><nickname>scanner</nickname></author></document-info>
      <publish-info><publisher>Берег</publisher><isbn>ISBN 978-3-16-148410-0</isbn></publish-info>`,
    );
    const filling = `<p>${"Слово ".repeat(50_000)}</p>`;
    const whole = `${text}${filling}<binary id="other.png">AAAA</binary><binary content-type="image/png" id="cover.png">${base64}</binary></FictionBook>`;
    const { cover: read, ...metadata } = await metadataOf("book.fb2", whole);
    expect(metadata).toEqual({
      title: "Сад & река",
      languageCode: "ru",
      authors: ["Анна И. Белова", "bel"],
      contributors: [{ name: "Ян Эк", role: "translator" }],
      description: "Первый абзац.\n\nВторой.",
      publisher: "Берег",
      isbn: "9783161484100",
      tags: ["сад", "река"],
      series: { name: "Сады", position: 2 },
    });
    expect(await read?.()).toEqual(cover);
  });

  it("can be in UTF-16, and in an encoding that isn't declared", async () => {
    const titled = (prolog: string) => book("<book-title>Лодка</book-title>", "", prolog);
    const utf16 = Buffer.from(`\ufeff${titled('<?xml version="1.0" encoding="utf-16"?>')}`, "utf16le");
    expect(await metadataOf("book.fb2", utf16)).toMatchObject({ title: "Лодка" });
    expect(await metadataOf("book.fb2", titled("").replace(/<fb:/g, "<"))).toMatchObject({ title: "Лодка" });
  });

  it("lacks the cover that it names and doesn't have", async () => {
    const coverpage = '<coverpage><image l:href="#gone.png"/></coverpage>';
    const found = await metadataOf("book.fb2", book(`<book-title>Сад</book-title>${coverpage}`));
    expect(found).toMatchObject({ title: "Сад", cover: undefined, coverIsMissing: true });
  });

  it("is read as UTF-8 where it is that and says something else, and the other way round", async () => {
    const titled = book(
      "<book-title>Сад за рекой</book-title>",
      "",
      '<?xml version="1.0" encoding="windows-1251"?>',
    );
    expect(await metadataOf("book.fb2", titled)).toMatchObject({ title: "Сад за рекой" });
    const latin = book("<book-title>Caf\xe9</book-title>");
    expect(await metadataOf("book.fb2", Buffer.from(latin, "latin1"))).toMatchObject({ title: "Café" });
  });

  it("is a book without a description", async () => {
    const { unreadable } = await metadataOf("book.fb2", "<FictionBook><body/></FictionBook>");
    expect(unreadable).toBe("Its metadata can't be read. It has no description.");
  });
});

describe("MOBI", () => {
  it.each(["book.mobi", "book.azw3", "book.azw", "book.prc"])(
    "has the records of its header: %s",
    async (name) => {
      const cover = await createPicture("blue");
      const records = [
        [100, "Ana Núñez"],
        [100, "Ben; Cleo"],
        [101, "Village"],
        [103, "<p>About</p><p>wells</p>"],
        [104, "3-16-148410-X"],
        [105, "water"],
        [108, "calibre (7.1)"],
        [109, "CC-BY"],
        [503, "El pozo"],
        [524, "es-MX"],
      ] as const;
      const { cover: read, ...metadata } = await metadataOf(name, createMobi({ title: "x", records, cover }));
      expect(metadata).toEqual({
        title: "El pozo",
        languageCode: "es-MX",
        authors: ["Ana Núñez", "Ben", "Cleo"],
        contributors: [],
        description: "About\n\nwells",
        publisher: "Village",
        license: "CC-BY",
        isbn: "9783161484100",
        tags: ["water"],
      });
      expect(await read?.()).toEqual(cover);
    },
  );

  it("of older programs has its name and the language of Windows", async () => {
    const bytes = createMobi({ title: "Café", locale: 0x080c, encoding: "latin1" });
    expect(await metadataOf("book.mobi", bytes)).toMatchObject({ title: "Café", languageCode: "fr" });
  });

  it.each([
    [0x0804, "zh-CN"],
    [0x0404, "zh-TW"],
    [0x0004, "zh"],
    [0x0414, "nb"],
    [0x0814, "nn"],
    [0x041a, "hr"],
    [0x0c1a, "sr-Cyrl"],
    [0x0416, "pt-BR"],
    [0x045e, "am"],
    [0, undefined],
  ])("has the language of Windows %i", async (locale, languageCode) => {
    expect((await metadataOf("book.mobi", createMobi({ title: "A", locale }))).languageCode).toBe(
      languageCode,
    );
  });

  it("gives a result with any damage", async () => {
    const whole = createMobi({ title: "A", records: [[100, "Ana"]], cover: await createPicture("red") });
    for (let at = 76; at < 420; at += 3) {
      const bytes = Buffer.from(whole);
      bytes.fill(0xff, at, at + 4);
      expect(await metadataOf("book.mobi", bytes)).toHaveProperty("authors");
    }
    expect(await metadataOf("book.mobi", whole.subarray(0, 100))).toHaveProperty("unreadable");
  });
});

describe("a document of a word processor", () => {
  const core = (elements: string) =>
    `<cp:coreProperties xmlns:cp="c" xmlns:dc="http://purl.org/dc/elements/1.1/">${elements}</cp:coreProperties>`;
  const docx = (elements: string) =>
    zipOf({
      "[Content_Types].xml": "<Types/>",
      "word/document.xml": "<w/>",
      "docProps/core.xml": core(elements),
    });

  it("in Word has its core properties", async () => {
    const elements = `<dc:title>The_x000d_ Well</dc:title><dc:creator>Ana; Ben</dc:creator><dc:language>en-GB</dc:language>
      <cp:keywords>water, wells</cp:keywords><dc:subject>About</dc:subject>`;
    expect(await metadataOf("a.docx", await docx(elements))).toMatchObject({
      title: "The Well",
      authors: ["Ana", "Ben"],
      languageCode: "en-GB",
      tags: ["water", "wells"],
      description: "About",
    });
  });

  it("has nothing that the program has made up", async () => {
    const elements = "<dc:title>draft.docx</dc:title><dc:creator>Windows User</dc:creator>";
    expect(await metadataOf("a.docx", await docx(elements))).toMatchObject({ title: undefined, authors: [] });
    const bare = await zipOf({ "[Content_Types].xml": "<Types/>", "word/document.xml": "<w/>" });
    expect(await metadataOf("a.docx", bare)).toMatchObject({ title: undefined, authors: [] });
  });

  it.each(["/package/services/metadata/core-properties/1f.psmdcp", "docProps/core0.xml"])(
    "by another program has its core properties in %s",
    async (path) => {
      const relationship = `<Relationship Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="${path}"/>`;
      const bytes = await zipOf({
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": `<Relationships>${relationship}</Relationships>`,
        "word/document.xml": "<w/>",
        [path.replace(/^\//, "")]: core("<dc:title>The Well</dc:title><dc:creator>Ana</dc:creator>"),
      });
      expect(await metadataOf("a.docx", bytes)).toMatchObject({ title: "The Well", authors: ["Ana"] });
    },
  );

  it("of OpenDocument has its author and not who saved it last", async () => {
    const meta = `<o:document-meta xmlns:o="o" xmlns:m="m" xmlns:dc="http://purl.org/dc/elements/1.1/"><o:meta>
      <dc:title>El pozo</dc:title><m:initial-creator>Ana</m:initial-creator><dc:creator>Ben</dc:creator>
      <dc:language>es</dc:language><m:keyword>agua</m:keyword></o:meta></o:document-meta>`;
    const mimetype = "application/vnd.oasis.opendocument.text";
    expect(await metadataOf("a.odt", await zipOf({ mimetype, "meta.xml": meta }))).toMatchObject({
      title: "El pozo",
      authors: ["Ana"],
      languageCode: "es",
      tags: ["agua"],
    });
  });
});

it("reads ComicInfo of comics, and their first page as the cover", async () => {
  const [first, second] = [await createPicture("red"), await createPicture("blue")];
  const info = `<ComicInfo><Series>Wells</Series><Number>2</Number><Writer>Ana, Ben</Writer><Penciller>Cleo</Penciller>
    <LanguageISO>fr</LanguageISO><Summary>About</Summary></ComicInfo>`;
  const pages = { "p10.jpg": second, "p2.jpg": first, "__MACOSX/._p1.jpg": "x" };
  const { cover, ...metadata } = await metadataOf("a.cbz", await zipOf({ ...pages, "ComicInfo.xml": info }));
  expect(metadata).toMatchObject({
    title: "Wells 2",
    languageCode: "fr",
    authors: ["Ana", "Ben"],
    contributors: [{ name: "Cleo", role: "artist" }],
    series: { name: "Wells", position: 2 },
  });
  expect(await cover?.()).toEqual(first);
  const bare = await metadataOf("a.cbz", await zipOf(pages));
  expect(bare).toMatchObject({ title: undefined, authors: [] });
  expect((await metadataOf("a.zip", await zipOf(pages))).cover).toBeUndefined();
});

it("reads ComicInfo in the folder of a comic, and the page that it names as the cover", async () => {
  const [first, second] = [await createPicture("red"), await createPicture("blue")];
  const info = `<ComicInfo><Title>Well</Title><Pages><Page Image="0"/><Page Image="1" Type="FrontCover"/></Pages></ComicInfo>`;
  const entries = { "Well/p1.jpg": first, "Well/p2.jpg": second, "Well/ComicInfo.xml": info };
  const { cover, title } = await metadataOf("a.cbz", await zipOf(entries));
  expect(title).toBe("Well");
  expect(await cover?.()).toEqual(second);
});

it.each([
  [
    `<html><head><title>Well</title><meta name="description" content="a > b"><meta name="DC.Identifier" content="urn:isbn:9783161484100">
      <meta name="dcterms.language" content="fr"><meta name="dcterms.creator" content="Ana">`,
    { description: "a > b", isbn: "9783161484100", languageCode: "fr", authors: ["Ana"] },
  ],
  [Buffer.from(`<html><meta charset="utf-8"><title>Caf\xe9</title>`, "latin1"), { title: "Café" }],
  [`<html><meta charset="iso-8859-1"><title>Café</title>`, { title: "Café" }],
  [
    `<!DOCTYPE html><!-- <title>No</title> --><html lang="pt-BR"><head><title>
      O po&ccedil;o &#8211; 1</title><meta name="Author" content="Ana; Ben"><meta content='agua' name=keywords></head>`,
    { title: "O poço – 1", languageCode: "pt-BR", authors: ["Ana", "Ben"], tags: ["agua"] },
  ],
  [
    `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml" xml:lang="fr"><head><title>Puits</title></head></html>`,
    { title: "Puits", languageCode: "fr" },
  ],
  [`<title>Untitled Document</title><meta name="DC.Title" content="The Well">`, { title: "The Well" }],
  ["<p>Only text", { title: undefined, authors: [] }],
  [Buffer.from(`<html><meta charset="iso-8859-1"><title>Caf\xe9</title>`, "latin1"), { title: "Café" }],
  [
    `<script>write("<title>No</title>")</script><svg><title>Icon</title></svg><title>Book</title>`,
    { title: "Book" },
  ],
])("reads the head of HTML: %#", async (html, expected) => {
  expect(await metadataOf("a.html", html)).toMatchObject(expected);
});

describe("audio", () => {
  it.each([
    [{ TALB: "A", TPE1: "Ana; Ben" }, ["Ana", "Ben"]],
    [{ TALB: "A", TPE2: "Ana / Ben", TPE1: "Reader" }, ["Ana", "Ben"]],
    [{ TALB: "A", TPE1: "Ana\0\0" }, ["Ana"]],
    [{ TALB: "A", TPE2: "Various Artists", TPE1: "Ana" }, ["Ana"]],
  ])("can have several authors: %#", async (tags, authors) => {
    expect(await metadataOf("a.mp3", createMp3(tags))).toMatchObject({ authors });
  });

  it.each([
    ["Español", "es"],
    ["deu", "de"],
    ["XXX", undefined],
    ["English/French", "en"],
    ["fraspa", "fr"],
    ["fra\0spa", "fr"],
    ["French", "fr"],
  ])("has a language by its name: %s", async (TLAN, languageCode) => {
    expect((await metadataOf("a.mp3", createMp3({ TALB: "A", TLAN }))).languageCode).toBe(languageCode);
  });

  it.each([
    ["iTunNORM", undefined],
    ["", "About wells."],
  ])("is described by a comment unless it is a program's: %j", async (name, description) => {
    const bytes = createMp3({ TALB: "A", COMM: `${name}\0About wells.` });
    expect((await metadataOf("a.mp3", bytes)).description).toBe(description);
  });

  it("is called after its track if its album has no name", async () => {
    expect(await metadataOf("a.mp3", createMp3({ TALB: "", TIT2: "Track" }))).toMatchObject({
      title: "Track",
    });
  });

  it("has the Cyrillic letters that its tags have as Latin ones", async () => {
    const tags = { TALB: "Âîéíà è ìèð", TPE1: "Ëåâ Òîëñòîé" };
    expect(await metadataOf("a.mp3", createMp3(tags))).toMatchObject({
      title: "Война и мир",
      authors: ["Лев Толстой"],
    });
  });

  it("has the UTF-8 that its tags have as Latin letters", async () => {
    expect(await metadataOf("a.mp3", createMp3({ TALB: "CafÃ©", TPE1: "JosÃ©" }))).toMatchObject({
      title: "Café",
      authors: ["José"],
    });
  });

  it("has no author that a program didn't know", async () => {
    expect(await metadataOf("a.mp3", createMp3({ TALB: "A", TPE1: "Unknown Artist" }))).toMatchObject({
      authors: [],
    });
  });

  it("has the front cover among pictures whose type says nothing", async () => {
    const cover = await createPicture("red", { type: "png" });
    const { cover: read } = await metadataOf("a.mp3", createMp3({ TALB: "A" }, cover));
    expect(await read?.()).toEqual(cover);
    const junk = await metadataOf("a.mp3", createMp3({ TALB: "A" }, randomBytes(99)));
    expect(junk.cover).toBeUndefined();
  });
});

describe("the information dictionary of a PDF", () => {
  const pdf = (title: Buffer) =>
    Buffer.concat([
      Buffer.from(
        "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n",
      ),
      Buffer.from(
        `3 0 obj<</Title<${title.toString("hex")}>>>endobj\ntrailer<</Root 1 0 R/Info 3 0 R>>\n%%EOF\n`,
      ),
    ]);

  it.each([
    ["UTF-8 without its mark", Buffer.from("Война и мир – том 1"), "Война и мир – том 1"],
    ["windows-1251", Buffer.from("\xc2\xee\xe9\xed\xe0", "latin1"), "Война"],
    ["the encoding of its own", Buffer.from("Los ni\xf1os \x84 \x8dx\x8e", "latin1"), "Los niños — “x”"],
    ["UTF-16", Buffer.from("\ufeffВойна", "utf16le").swap16(), "Война"],
  ])("can be in %s", async (_, bytes, title) => {
    expect(await metadataOf("a.pdf", pdf(bytes))).toMatchObject({ title });
  });

  it.each([
    ["the title of the document", "<dc:title>Microsoft Word - well.doc</dc:title>", { title: "Война" }],
    ["its own title", "<dc:title>Well</dc:title>", { title: "Well" }],
    ["keywords", "<pdf:Keywords>water; wells</pdf:Keywords>", { tags: ["water", "wells"] }],
  ])("gives way to XMP that has %s", async (_, properties, expected) => {
    const xmp = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/">${properties}</rdf:Description></rdf:RDF>`;
    const stream = `4 0 obj<</Type/Metadata/Subtype/XML/Length ${xmp.length}>>stream\n${xmp}\nendstream endobj\ntrailer`;
    const document = pdf(Buffer.from("Война")).toString("latin1");
    const bytes = document.replace("/Pages 2", "/Metadata 4 0 R/Pages 2").replace("trailer", stream);
    expect(await metadataOf("a.pdf", Buffer.from(bytes, "latin1"))).toMatchObject(expected);
  });

  it("has no author who is only the user of a machine", async () => {
    const bytes = await createPdf({ info: { Title: "A", Author: "Microsoft Office User; Ana" } });
    expect(await metadataOf("a.pdf", bytes)).toMatchObject({ title: "A", authors: ["Ana"] });
  });
});

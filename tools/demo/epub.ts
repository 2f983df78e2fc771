// Makes an EPUB 3 file of one booklet; the same booklet gives the same bytes on every machine.
import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { ZipArchive } from "archiver";
import type { Booklet } from "./book.ts";

/** The earliest date that a ZIP entry can carry: a fixed one, so that the bytes don't depend on the day. */
const ENTRY_DATE = new Date("1980-01-01T00:00:00Z");
const MODIFIED = "2026-01-01T00:00:00Z";
const CREATOR = "Book Distribution Service, demo catalogue";

type Part = { name: string; content: string };

/**
 * The EPUB of a booklet: one chapter, navigation, right-to-left page order where the script asks for it.
 * Entries are stored, not deflated: what zlib makes of the same text differs from one processor to another.
 */
export async function makeEpub(booklet: Booklet): Promise<Buffer> {
  const archive = new ZipArchive({ store: true });
  for (const { name, content } of createParts(booklet)) {
    archive.append(Buffer.from(content, "utf8"), { name, date: ENTRY_DATE });
  }
  const [bytes] = await Promise.all([buffer(archive), archive.finalize()]);
  return bytes;
}

/** The media type comes first and bare, where readers look for it (EPUB 3.3, OCF ZIP container, section 4.2.1.1). */
function createParts(booklet: Booklet): Part[] {
  return [
    { name: "mimetype", content: "application/epub+zip" },
    { name: "META-INF/container.xml", content: CONTAINER },
    { name: "EPUB/package.opf", content: renderPackageDocument(booklet) },
    { name: "EPUB/nav.xhtml", content: renderNavigation(booklet) },
    { name: "EPUB/text.xhtml", content: renderText(booklet) },
    { name: "EPUB/style.css", content: STYLE },
  ];
}

function renderPackageDocument(booklet: Booklet): string {
  const { languageCode, direction } = booklet;
  return `${XML}
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="book-id" xml:lang="${escapeXml(languageCode)}" dir="${direction}">
  <metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
    <dc:identifier id="book-id">urn:uuid:${computeContentUuid(booklet)}</dc:identifier>
    <dc:title>${escapeXml(booklet.title)}</dc:title>
    <dc:language>${escapeXml(languageCode)}</dc:language>
    <dc:creator>${escapeXml(CREATOR)}</dc:creator>
    <dc:description>${escapeXml(booklet.description)}</dc:description>
    <meta property="dcterms:modified">${MODIFIED}</meta>
    <meta property="schema:accessMode">textual</meta>
    <meta property="schema:accessModeSufficient">textual</meta>
    <meta property="schema:accessibilityFeature">readingOrder</meta>
    <meta property="schema:accessibilityHazard">none</meta>
  </metadata>
  <manifest>
    <item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
    <item id="text" href="text.xhtml" media-type="application/xhtml+xml"/>
    <item id="style" href="style.css" media-type="text/css"/>
  </manifest>
  <spine page-progression-direction="${direction}">
    <itemref idref="text"/>
  </spine>
</package>
`;
}

function renderNavigation(booklet: Booklet): string {
  const title = escapeXml(booklet.title);
  return renderPage(
    booklet,
    `<nav epub:type="toc" role="doc-toc">
      <h1>${title}</h1>
      <ol>
        <li><a href="text.xhtml">${title}</a></li>
      </ol>
    </nav>`,
  );
}

function renderText(booklet: Booklet): string {
  const paragraphs = booklet.paragraphs.map((paragraph) => `<p>${escapeXml(paragraph)}</p>`);
  return renderPage(
    booklet,
    `<section epub:type="chapter" role="doc-chapter">
      <h1>${escapeXml(booklet.title)}</h1>
      <p class="description">${escapeXml(booklet.description)}</p>
      ${paragraphs.join("\n      ")}
    </section>`,
  );
}

function renderPage({ languageCode, direction, title }: Booklet, body: string): string {
  const language = escapeXml(languageCode);
  return `${XML}
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" xml:lang="${language}" lang="${language}" dir="${direction}">
  <head>
    <title>${escapeXml(title)}</title>
    <link rel="stylesheet" type="text/css" href="style.css"/>
  </head>
  <body>
    ${body}
  </body>
</html>
`;
}

/** A UUID of version 8 (RFC 9562, section 5.8) cut from the SHA-256 of the booklet: another text, another identity. */
function computeContentUuid(booklet: Booklet): string {
  const bytes = createHash("sha256").update(JSON.stringify(booklet)).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function escapeXml(value: string): string {
  return value
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>';

const CONTAINER = `${XML}
<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0">
  <rootfiles>
    <rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/>
  </rootfiles>
</container>
`;

const STYLE = `body { margin: 5%; line-height: 1.6; }
h1 { font-size: 1.6em; line-height: 1.3; }
p { margin: 0 0 0.8em 0; }
.description { font-style: italic; color: #555; margin-bottom: 2em; }
:lang(ar) .description, :lang(zh) .description, :lang(hi) .description { font-style: normal; }
`;

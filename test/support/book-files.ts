/** Makes files of books with given metadata. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { constants, deflateRawSync, deflateSync } from "node:zlib";
import { ZipArchive } from "archiver";
import PDFDocument from "pdfkit";

interface EpubParts {
  /** The elements of the metadata. */
  metadata?: string;
  /** The items of the manifest. */
  items?: string;
  /** In place of the whole package document. */
  opf?: string | Buffer;
  /** In place of the container. */
  container?: string;
  /** Other entries by name. */
  entries?: Readonly<Record<string, string | Buffer>>;
}

const CONTAINER = `<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`;

const createOpf = ({
  metadata = "",
  items = "",
}: EpubParts): string => `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">${metadata}</metadata>
<manifest>${items}</manifest><spine/></package>`;

/** An EPUB; its mimetype comes first and isn't compressed. */
export async function createEpub(parts: EpubParts): Promise<Buffer> {
  const archive = new ZipArchive();
  archive.append("application/epub+zip", { name: "mimetype", store: true });
  if (parts.container !== "") {
    archive.append(parts.container ?? CONTAINER, { name: "META-INF/container.xml" });
  }
  archive.append(parts.opf ?? createOpf(parts), { name: "OEBPS/book.opf" });
  for (const [name, content] of Object.entries(parts.entries ?? {})) archive.append(content, { name });
  const [bytes] = await Promise.all([buffer(archive), archive.finalize()]);
  return bytes;
}

export async function zipOf(entries: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const archive = new ZipArchive();
  for (const [name, content] of Object.entries(entries)) archive.append(content, { name });
  const [bytes] = await Promise.all([buffer(archive), archive.finalize()]);
  return bytes;
}

export const createTitledEpub = (title: string, languageCode: string, more = ""): Promise<Buffer> =>
  createEpub({
    metadata: `<dc:title>${title}</dc:title><dc:language>${languageCode}</dc:language>${more}`,
  });

export async function createPdf(options: PDFKit.PDFDocumentOptions): Promise<Buffer> {
  const document = new PDFDocument(options);
  document.text("A page.");
  const bytes = buffer(document);
  document.end();
  return bytes;
}

/** An MP3 with an ID3v2.3 tag of these frames; texts are in UTF-16, and a comment follows its name and NUL. */
export function createMp3(texts: Readonly<Record<string, string>>, picture?: Buffer): Buffer {
  const frames = Object.entries(texts).map(([id, text]) =>
    createFrame(
      id,
      Buffer.concat([
        Buffer.from(id === "COMM" ? "\x01eng\xff\xfe" : "\x01\xff\xfe", "latin1"),
        Buffer.from(text, "utf16le"),
      ]),
    ),
  );
  if (picture) {
    frames.push(createFrame("APIC", Buffer.concat([Buffer.from("\0image/png\0\x03\0", "latin1"), picture])));
  }
  const body = Buffer.concat(frames);
  const size = [21, 14, 7, 0].map((shift) => (body.length >> shift) & 0x7f);
  const header = Buffer.from([0x49, 0x44, 0x33, 3, 0, 0, ...size]);
  // MPEG 1, layer III, 128 kbit/s, 44.1 kHz: 417 bytes a frame.
  const sound = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(413)]);
  return Buffer.concat([header, body, ...Array.from({ length: 8 }, () => sound)]);
}

function createFrame(id: string, content: Buffer): Buffer {
  const header = Buffer.alloc(10);
  header.write(id, "latin1");
  header.writeUInt32BE(content.length, 4);
  return Buffer.concat([header, content]);
}

/** Writes files below a folder, with the folders between. */
export function writeFiles(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [place, content] of Object.entries(files)) {
    const path = join(folder, place);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}

/** A PDF of a few kilobytes whose XMP metadata inflates twice, in the end to so many times 16 MiB. */
export function createInflatingPdf(pieces: number): Buffer {
  // A piece that ends at a byte can be repeated.
  const piece = deflateRawSync(Buffer.alloc(16 * 1024 * 1024, " "), { finishFlush: constants.Z_FULL_FLUSH });
  const once = Buffer.concat([
    Buffer.from([0x78, 0x9c]),
    ...Array.from({ length: pieces }, () => piece),
    deflateRawSync(Buffer.alloc(0)),
  ]);
  const xmp = deflateSync(once, { level: 9 });
  const stream = `<</Type/Metadata/Subtype/XML/Filter[/FlateDecode/FlateDecode]/Length ${xmp.length}>>stream\n`;
  const objects = [
    Buffer.from("<</Type/Catalog/Pages 2 0 R/Metadata 3 0 R>>"),
    Buffer.from("<</Type/Pages/Kids[]/Count 0>>"),
    Buffer.concat([Buffer.from(stream), xmp, Buffer.from("\nendstream")]),
  ];
  const parts = [Buffer.from("%PDF-1.7\n")];
  const offsets: string[] = [];
  for (const [index, content] of objects.entries()) {
    offsets.push(`${String(Buffer.concat(parts).length).padStart(10, "0")} 00000 n \n`);
    parts.push(Buffer.from(`${index + 1} 0 obj\n`), content, Buffer.from("\nendobj\n"));
  }
  const start = Buffer.concat(parts).length;
  const table = `xref\n0 4\n0000000000 65535 f \n${offsets.join("")}`;
  const trailer = `trailer\n<</Size 4/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(table + trailer)]);
}

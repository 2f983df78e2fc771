// Makes a PDF file of one booklet; the same booklet gives the same bytes on every machine.
import { buffer } from "node:stream/consumers";
import PDFDocument from "pdfkit";
import type { Booklet } from "./book.ts";

/** Languages whose letters the standard fonts of PDF have (WinAnsi, ISO 32000-1 Annex D.2): nothing needs embedding. */
export const pdfLanguages: readonly string[] = ["en", "es", "fr"];

/** The file ID is derived from these dates too; a fixed one keeps the bytes the same on any day. */
const WRITTEN = new Date("2026-01-01T00:00:00Z");
const AUTHOR = "Book Distribution Service, demo catalogue";

/**
 * The PDF of a booklet, A5 pages in Helvetica, uncompressed: what zlib makes of the same text differs from one
 * processor to another.
 * @throws RangeError for a language that is not among `pdfLanguages`
 */
export async function makePdf(booklet: Booklet): Promise<Buffer> {
  if (!pdfLanguages.includes(booklet.languageCode)) {
    throw new RangeError(`the standard fonts of PDF can't write "${booklet.languageCode}"`);
  }
  const document = new PDFDocument({
    size: "A5",
    margin: 54,
    compress: false,
    pdfVersion: "1.7",
    lang: booklet.languageCode,
    displayTitle: true,
    info: {
      Title: booklet.title,
      Author: AUTHOR,
      Subject: booklet.description,
      CreationDate: WRITTEN,
      ModDate: WRITTEN,
    },
  });
  write(document, booklet);
  document.end();
  return buffer(document);
}

function write(document: PDFKit.PDFDocument, { title, description, paragraphs }: Booklet): void {
  document.font("Helvetica-Bold").fontSize(20).text(title).moveDown(0.3);
  document.font("Helvetica-Oblique").fontSize(11).fillColor("#555555").text(description).moveDown(1.5);
  document.font("Helvetica").fontSize(11.5).fillColor("#000000");
  for (const paragraph of paragraphs) {
    document.text(paragraph, { lineGap: 3, align: "left" }).moveDown(0.6);
  }
}

/** The metadata of PDF documents, from their information dictionary and XMP, by PDF.js. */
import { getResolvedPDFJS } from "unpdf";
import type { Inspectable } from "../../../adapters/files/file-store.ts";
import { readMisread } from "../../../lib/encodings.ts";
import { findIsbn } from "../../../lib/isbn.ts";
import { isPerson } from "./made-up.ts";
import {
  type FileMetadata,
  findCode,
  MAX_TITLE,
  MAX_WORD,
  splitNames,
  splitWords,
  toLine,
  toLines,
  toParagraphs,
  toTitle,
} from "./metadata.ts";
import { UnreadableError } from "./unreadable-error.ts";
import { parseXmp, type Xmp } from "./xmp.ts";

/** Only the parts of the file that the metadata needs are read. */
const CHUNK_BYTES = 64 * 1024;

export async function read(file: Inspectable): Promise<FileMetadata> {
  const { getDocument, PDFDataRangeTransport, VerbosityLevel } = await getResolvedPDFJS();
  await using handle = await file.open();
  class FileRange extends PDFDataRangeTransport {
    override requestDataRange(begin: number, end: number): void {
      const bytes = Buffer.alloc(end - begin);
      handle.read(bytes, 0, bytes.length, begin).then(
        ({ bytesRead }) => this.onDataRange(begin, new Uint8Array(bytes.subarray(0, bytesRead))),
        () => this.abort(),
      );
    }
  }
  const task = getDocument({
    range: new FileRange(file.sizeBytes, null),
    rangeChunkSize: CHUNK_BYTES,
    disableAutoFetch: true,
    disableStream: true,
    verbosity: VerbosityLevel.ERRORS,
  });
  try {
    const { info, metadata } = await (await task.promise).getMetadata();
    return toMetadata(new Map(Object.entries(info)), parseXmp(String(metadata?.getRaw() ?? "")));
  } catch (error) {
    if (error instanceof Error && error.name === "PasswordException")
      throw new UnreadableError("It can only be opened with a password.");
    throw error;
  } finally {
    await task.destroy();
  }
}

/** XMP comes first: it is in Unicode, and newer. */
function toMetadata(info: ReadonlyMap<string, unknown>, xmp: Xmp): FileMetadata {
  const findInXmp = (name: string): readonly string[] => xmp.get(name) ?? [];
  const findInInfo = (name: string): string[] => listTexts(info.get(name)).map(readString);
  const first = (...texts: (readonly string[])[]): string | undefined =>
    texts.flat().find((text) => text.trim() !== "");
  const authors = findInXmp("creator");
  const keywords = [...findInInfo("Keywords"), ...findInXmp("keywords")].flatMap(splitWords);
  return {
    title: [...findInXmp("title"), ...findInInfo("Title")].map(toTitle).find((title) => title !== undefined),
    languageCode: findCode([...findInXmp("language"), ...findInInfo("Language")]),
    authors: toLines(
      (authors.length > 0 ? authors : findInInfo("Author")).flatMap(splitNames).filter(isPerson),
    ),
    contributors: [],
    description: toParagraphs(first(findInXmp("description"), findInInfo("Subject"))),
    publisher: toLine(first(findInXmp("publisher"))),
    license: toLine(first(findInXmp("rights"), findInXmp("webstatement")), MAX_TITLE),
    isbn: [...findInXmp("isbn"), ...findInXmp("identifier")].map(findIsbn).find((isbn) => isbn !== undefined),
    tags: toLines(findInXmp("subject").length > 0 ? findInXmp("subject") : keywords, MAX_WORD),
    hasCover: false,
  };
}

const listTexts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((text) => typeof text === "string");

/**
 * A text string that isn't in UTF-16 is in an encoding of its own (ISO 32000-1, annex D), by which PDF.js has read it.
 * Programs write UTF-8 or a Cyrillic encoding in its place.
 */
function readString(text: string): string {
  const bytes = [...text].map(
    (character) => DOCUMENT_ENCODING.get(character) ?? character.codePointAt(0) ?? 0,
  );
  if (!bytes.some((byte) => byte > 0x7f) || bytes.some((byte) => byte > 0xff)) return text;
  const latin = Buffer.from(bytes).toString("latin1");
  const meant = readMisread(latin);
  return meant === latin ? text : meant;
}

/** The bytes of PDFDocEncoding that differ from Latin 1. */
const DOCUMENT_ENCODING: ReadonlyMap<string, number> = new Map([
  ...Array.from("\u02d8\u02c7\u02c6\u02d9\u02dd\u02db\u02da\u02dc", (character, index): [string, number] => [
    character,
    0x18 + index,
  ]),
  ...Array.from("•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž", (character, index): [string, number] => [
    character,
    0x80 + index,
  ]),
  ["€", 0xa0],
]);

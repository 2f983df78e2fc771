/** The metadata of PDF documents, from their information dictionary and XMP, by PDF.js. */
import { getResolvedPDFJS } from "unpdf";
import type { Inspectable } from "../../../adapters/files/file-store.ts";
import {
  type FileMetadata,
  MAX_TITLE,
  MAX_WORD,
  NO_METADATA,
  parseCode,
  toLine,
  toLines,
  toParagraphs,
} from "./metadata.ts";

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
    return toMetadata(new Map(Object.entries(info)), metadata);
  } catch (error) {
    // Readers can open it with the password, and its metadata is encrypted, too.
    if (error instanceof Error && error.name === "PasswordException")
      return { ...NO_METADATA, hasCover: false };
    throw error;
  } finally {
    await task.destroy();
  }
}

interface Xmp {
  get(name: string): unknown;
}

/** XMP comes first: it is in Unicode, and newer. */
function toMetadata(info: ReadonlyMap<string, unknown>, xmp: Xmp | null): FileMetadata {
  const findInXmp = (name: string): string[] => listTexts(xmp?.get(name));
  const findInInfo = (name: string): string[] => listTexts(info.get(name));
  const first = (...texts: string[][]): string | undefined => texts.flat().find((text) => text.trim() !== "");
  const authors = findInXmp("dc:creator");
  const title = toLine(first(findInXmp("dc:title"), findInInfo("Title")), MAX_TITLE);
  const keywords = findInInfo("Keywords").flatMap((words) => words.slice(0, MAX_KEYWORDS).split(/[,;]/));
  return {
    title: title !== undefined && JUNK_TITLE.test(title) ? undefined : title,
    languageCode: parseCode(first(findInXmp("dc:language"), findInInfo("Language"))),
    authors: toLines(authors.length > 0 ? authors : findInInfo("Author").flatMap(separateNames)),
    contributors: [],
    description: toParagraphs(first(findInXmp("dc:description"), findInInfo("Subject"))),
    publisher: toLine(first(findInXmp("dc:publisher"))),
    license: toLine(first(findInXmp("dc:rights"), findInXmp("xmprights:webstatement")), MAX_TITLE),
    tags: toLines(findInXmp("dc:subject").length > 0 ? findInXmp("dc:subject") : keywords, MAX_WORD),
    hasCover: false,
  };
}

const MAX_KEYWORDS = 2000;

/** What programs write as the title of an untitled document. */
const JUNK_TITLE =
  /^(?:untitled|microsoft (?:word|powerpoint) - .*|.*\.(?:docx?|odt|rtf|indd|qxd|pptx?|tex|dvi|pdf|ps))$/i;

/** A comma also separates a family name from a given name, so that only a semicolon is certain. */
const separateNames = (names: string): string[] => names.slice(0, MAX_KEYWORDS).split(";");

const listTexts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((text) => typeof text === "string");

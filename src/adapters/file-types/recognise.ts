/** Tells what a file is by its content alone. */
import { type FileHandle, open } from "node:fs/promises";
import type { FileTypeResult } from "file-type";
import { type FileType, fileTypeOfName } from "../../schemas/file-types.ts";
import {
  type Content,
  foreign,
  isPlainText,
  readWindow,
  type Sample,
  sampleOf,
  withArticle,
} from "./content.ts";
import { recogniseText } from "./text.ts";
import { endsWithZip, recogniseZip } from "./zip.ts";

/**
 * Reads a few windows, never the whole. Malformed content is content of no type; what is thrown is a
 * fault of reading.
 */
async function recogniseContent(file: FileHandle): Promise<Content> {
  const sample = await sampleOf(file);
  if (sample.sizeBytes === 0) return foreign("empty");
  if (begins(sample.head, "PK\x03\x04") || begins(sample.head, "PK\x05\x06")) return recogniseZip(sample);
  const content = await recogniseOther(sample);
  if (!(await endsWithZip(sample))) return content;
  return foreign(`${content.name} and a ZIP archive at once`);
}

async function recogniseOther(sample: Sample): Promise<Content> {
  const content =
    recogniseBySignature(sample.head) ??
    (await recogniseText(sample)) ??
    (await recogniseAudio(sample)) ??
    (await recogniseForeign(sample.head)) ??
    foreign(UNKNOWN);
  return (await isLatePdf(sample, content)) ? PDF : content;
}

const UNKNOWN = "of an unknown type";

const begins = (head: Buffer, signature: string, offset = 0): boolean =>
  head.toString("latin1", offset, offset + signature.length) === signature;

function recogniseBySignature(head: Buffer): Content | undefined {
  if (begins(head, "%PDF-")) return PDF;
  if (begins(head, "{\\rtf")) return { types: ["rtf"], name: "an RTF document" };
  if (begins(head, "AT&TFORM") && (begins(head, "DJVU", 12) || begins(head, "DJVM", 12))) {
    return { types: ["djvu"], name: "a DjVu document" };
  }
  return recogniseByInnerSignature(head);
}

/** Signatures that leave room before them, in which a page for a browser could hide. */
function recogniseByInnerSignature(head: Buffer): Content | undefined {
  // Palm database: type BOOK, creator MOBI.
  const isMobi = begins(head, "BOOKMOBI", 60);
  const isM4b = begins(head, "ftyp", 4) && M4B_BRANDS.has(majorBrand(head));
  if ((isMobi || isM4b) && begins(head, "<")) return foreign("markup that poses as another type");
  if (isMobi) return { types: ["mobi", "azw3"], name: "a Mobipocket book" };
  return isM4b ? { types: ["m4b"], name: "an M4B recording" } : undefined;
}

const PDF: Content = { types: ["pdf"], name: "a PDF document" };

/** The major brands under which audio books are written (ISO/IEC 14496-12, 4.3). */
const M4B_BRANDS = new Set(["M4A", "M4B", "isom", "iso2", "mp41", "mp42"]);
const majorBrand = (head: Buffer): string => head.toString("latin1", 8, 12).replaceAll("\0", " ").trimEnd();

/**
 * Readers look for the header in the first 1024 bytes (ISO 32000-1, annex H.3, note 13). What stands before
 * it may be anything but another format; a text that only speaks of the header lacks the end mark.
 */
async function isLatePdf({ file, head, sizeBytes }: Sample, content: Content): Promise<boolean> {
  if (!head.subarray(0, 1024).includes("%PDF-")) return false;
  if (content.name === UNKNOWN) return true;
  const end = await readWindow(file, Math.max(0, sizeBytes - 1024), 1024);
  return isPlainText(content) && end.includes("%%EOF");
}

/** An MP3 stream, also behind an ID3 tag, which may be longer than a window because it holds the cover. */
async function recogniseAudio({ file, head }: Sample): Promise<Content | undefined> {
  const isTagged = begins(head, "ID3") && head.length >= ID3_HEADER_BYTES;
  const audio = isTagged ? await readWindow(file, id3Length(head), MAX_PADDING_BYTES * 2) : head;
  const magic = await magicOf(audio, isTagged ? MAX_PADDING_BYTES : 0);
  if (magic?.ext === "mp3") return { types: ["mp3"], name: "an MP3 recording" };
  return isTagged ? foreign("an ID3 tag without an MP3 recording") : undefined;
}

const ID3_HEADER_BYTES = 10;
/** How far behind its tag some writers begin the first frame; the most that `file-type` looks for. */
const MAX_PADDING_BYTES = 4092;

/** Four times seven bits and the header itself (ID3v2.4, 3.1). */
const id3Length = (head: Buffer): number =>
  head.subarray(6, ID3_HEADER_BYTES).reduce((bits, byte) => bits * 128 + (byte & 0x7f), 0) + ID3_HEADER_BYTES;

async function recogniseForeign(head: Buffer): Promise<Content | undefined> {
  const magic = await magicOf(head);
  return magic && foreign(nameOf(magic));
}

/** `file-type` sees one window in memory: what it follows inside a file is bounded by that. */
async function magicOf(head: Buffer, mpegOffsetTolerance = 0): Promise<FileTypeResult | undefined> {
  const { fileTypeFromBuffer } = await import("file-type");
  try {
    return await fileTypeFromBuffer(head, { mpegOffsetTolerance });
  } catch {
    // Nothing but memory was read, so that only malformed content can be the reason.
    return undefined;
  }
}

function nameOf({ ext, mime }: FileTypeResult): string {
  if (PROGRAMS.has(ext)) return "a program";
  const [family = ""] = mime.split("/");
  return withArticle(`${ext.toUpperCase()} ${FAMILIES.get(family) ?? "file"}`);
}

const FAMILIES = new Map([
  ["image", "image"],
  ["audio", "recording"],
  ["video", "video"],
  ["font", "font"],
]);

const PROGRAMS = new Set(["class", "crx", "deb", "dmg", "elf", "exe", "lnk", "macho", "rpm", "swf", "wasm"]);

// Checks a file's content against the type that it is said to have.

/**
 * Undefined when the content fits the claimed type; else a sentence for the caller.
 * Throws only what opening and reading throw.
 */
export async function checkFileType(path: string, claimed: FileType): Promise<string | undefined> {
  const content = await withFile(path, recogniseContent);
  return content.types.includes(claimed) ? undefined : `The file is ${content.name}, not ${NAMES[claimed]}.`;
}

/**
 * The type by the content; among types with the same content (EPUB and KEPUB, ZIP and CBZ, MOBI and AZW3)
 * the one that the name's ending says, else the commoner. Undefined when it is none of ours.
 */
export async function detectFileType(path: string, fileName: string): Promise<FileType | undefined> {
  const { types } = await withFile(path, recogniseContent);
  const named = fileTypeOfName(fileName);
  return named !== undefined && types.includes(named) ? named : types[0];
}

async function withFile<T>(path: string, look: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, "r");
  try {
    return await look(file);
  } finally {
    await file.close();
  }
}

const NAMES: Readonly<Record<FileType, string>> = {
  pdf: "a PDF document",
  epub: "an EPUB book",
  mobi: "a MOBI book",
  azw3: "an AZW3 book",
  kepub: "a KEPUB book",
  fb2: "an FB2 book",
  djvu: "a DjVu document",
  docx: "a Word document",
  odt: "an OpenDocument text",
  rtf: "an RTF document",
  txt: "plain text in UTF-8 or UTF-16",
  html: "an HTML document",
  cbz: "a CBZ comic",
  mp3: "an MP3 recording",
  m4b: "an M4B audiobook",
  zip: "a ZIP archive",
};

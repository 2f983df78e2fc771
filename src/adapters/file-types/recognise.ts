/** Recognises the type of a file by its content. */
import type { FileTypeResult } from "file-type";
import { FILE_TYPES, type FileType, findFileType } from "../../schemas/file-types.ts";
import type { ByteHandle, Inspectable } from "../files/file-store.ts";
import { endsAsZip, MAX_END_BYTES, readBytes, readZip } from "./zip.ts";

/** The type of a file, or a sentence for the client about what its content is instead. */
export type Identified = { fileType: FileType; objection?: undefined } | { objection: string };

/**
 * The type that the client claims, or else that of the file name, or else that of the content. Among types with the same
 * content (EPUB and KEPUB, ZIP and CBZ, MOBI and AZW3), the content decides for the more common one.
 */
export function identifyFile(content: Content, name: string, claimed?: FileType): Identified {
  const fileType = claimed ?? findFileType(name) ?? content.types[0];
  if (fileType === undefined) return { objection: `The file is ${content.name}. ${ACCEPTED}` };
  const objection = findObjection(content, fileType);
  return objection === undefined ? { fileType } : { objection };
}

const ACCEPTED = `The accepted types are ${FILE_TYPES.slice(0, -1).join(", ")} and ${FILE_TYPES.at(-1)}.`;

/** Returns undefined if the content matches the type, or else a sentence for the client. */
export const findObjection = (content: Content, fileType: FileType): string | undefined =>
  content.types.includes(fileType) ? undefined : `The file is ${content.name}, not ${NAMES[fileType]}.`;

/** What a file's content reveals about its type. */
export interface Content {
  /** The matching types, most likely first; empty for an unsupported type. */
  types: readonly FileType[];
  /** Its name as the end of a sentence: "The file is ...". */
  name: string;
}

const foreign = (name: string): Content => ({ types: [], name });
const ours = (...types: [FileType, ...FileType[]]): Content => ({ types, name: NAMES[types[0]] });

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

/** The first and last bytes of a file of any size. Both lengths are even, for UTF-16. */
interface Sample {
  file: ByteHandle;
  sizeBytes: number;
  head: Buffer;
  tail: Buffer;
}
const HEAD_BYTES = 64 * 1024;
const TAIL_BYTES = MAX_END_BYTES + (MAX_END_BYTES % 2);

/** Reads a bounded part of the file. Throws only errors of opening and reading. */
export async function recogniseContent({ sizeBytes, open }: Inspectable): Promise<Content> {
  await using file = await open();
  if (sizeBytes === 0) return foreign("empty");
  const head = await readBytes(file, 0, HEAD_BYTES);
  if (hasSignature(head, "PK\x03\x04") || hasSignature(head, "PK\x05\x06"))
    return await recogniseZip(file, sizeBytes);
  const tail = await readBytes(file, Math.max(0, sizeBytes - TAIL_BYTES), TAIL_BYTES);
  const content = await recogniseOther({ file, sizeBytes, head, tail });
  return endsAsZip(tail) ? foreign(`${content.name} and a ZIP archive at once`) : content;
}

const hasSignature = (head: Buffer, signature: string, offset = 0): boolean =>
  head.toString("latin1", offset, offset + signature.length) === signature;

/** EPUB (OCF 3.3, 4.3) and OpenDocument (1.3 part 2, 3.3) declare their type, and readers require the declaration. */
async function recogniseZip(file: ByteHandle, sizeBytes: number): Promise<Content> {
  const zip = await readZip(file, sizeBytes);
  if (zip === undefined) return foreign("a damaged ZIP archive");
  if (zip.names.length === 0) return foreign("an empty ZIP archive");
  if (zip.mediaType === undefined) return recogniseByNames(zip.names);
  if (zip.mediaType === "application/epub+zip") return ours("epub", "kepub");
  if (zip.mediaType === "application/vnd.oasis.opendocument.text") return ours("odt");
  return foreign("a document of another kind");
}

/** The entries of a Word document can be in any order. */
function recogniseByNames(names: readonly string[]): Content {
  const has = (name: string) => names.includes(name);
  const hasFolder = (folder: string) => names.some((name) => name.startsWith(folder));
  if (has("META-INF/container.xml")) {
    return foreign("an EPUB whose first entry is not an uncompressed `mimetype`");
  }
  if (has("[Content_Types].xml")) {
    if (has("word/vbaProject.bin")) return foreign("a Word document with macros");
    if (hasFolder("word/")) return ours("docx");
    if (hasFolder("xl/") || hasFolder("ppt/")) return foreign("a workbook or presentation");
  }
  if (has("META-INF/MANIFEST.MF") || has("AndroidManifest.xml")) return foreign("a program");
  return ours("zip", "cbz");
}

async function recogniseOther(sample: Sample): Promise<Content> {
  const { head } = sample;
  // Some signatures allow preceding bytes, in which an HTML page could hide.
  const magic = hasSignature(head, "<") ? undefined : await detectMagic(sample);
  return (
    (magic && OURS.get(magic.ext)) ??
    recogniseText(sample) ??
    (hasSignature(head, "AT&TFORM") && /^DJV[UM]/.test(head.toString("latin1", 12, 16))
      ? ours("djvu")
      : undefined) ??
    foreign(magic ? `of type ${magic.mime}` : "of an unknown type")
  );
}

/** Our types by the names of `file-type`. Audio books can also have MPEG-4 brands. */
const OURS: ReadonlyMap<string, Content> = new Map([
  ["pdf", ours("pdf")],
  ["rtf", ours("rtf")],
  ["mobi", ours("mobi", "azw3")],
  ["mp3", ours("mp3")],
  ["m4b", ours("m4b")],
  ["m4a", ours("m4b")],
  ["mp4", ours("m4b")],
]);

/**
 * What `file-type` finds in the head, or after an ID3 tag, which can be longer than the head because it contains the
 * cover.
 */
async function detectMagic({ file, head }: Sample): Promise<FileTypeResult | undefined> {
  const { fileTypeFromBuffer } = await import("file-type");
  const isTagged = hasSignature(head, "ID3");
  const piece = isTagged ? await readBytes(file, readId3Length(head), MAX_PADDING_BYTES * 2) : head;
  try {
    const magic = await fileTypeFromBuffer(piece, { mpegOffsetTolerance: isTagged ? MAX_PADDING_BYTES : 0 });
    return isTagged && magic?.ext !== "mp3" ? undefined : magic;
  } catch {
    // Only memory was read, so the error can only be caused by malformed content.
    return undefined;
  }
}

/** Four times seven bits and the header itself (ID3v2.4, 3.1). */
const readId3Length = (head: Buffer): number =>
  head.subarray(6, 10).reduce((bits, byte) => bits * 128 + (byte & 0x7f), 0) + 10;
/** The padding that some writers add after the tag; the maximum that `file-type` searches. */
const MAX_PADDING_BYTES = 4092;

/** Text, and types that are written as text; undefined if the first or the last bytes aren't text. */
function recogniseText({ head, tail, sizeBytes }: Sample): Content | undefined {
  const encoding = detectEncoding(head);
  const isLong = sizeBytes > head.length;
  if (encoding.startsWith("utf-16") && sizeBytes % 2 === 1) return undefined;
  const start = decode(head, encoding, { stream: isLong });
  if (start === undefined) return undefined;
  if (isLong && decode(tail.subarray(cutBytes(tail, encoding)), encoding) === undefined) return undefined;
  return recogniseStart(start.trimStart());
}

/** By the byte order mark; without one UTF-8, unless the markup declares another encoding. */
function detectEncoding(head: Buffer): string {
  if (hasSignature(head, "\xff\xfe")) return "utf-16le";
  if (hasSignature(head, "\xfe\xff")) return "utf-16be";
  const start = head.toString("latin1", 0, DECLARATION_BYTES).trimStart();
  const declared = start.startsWith("<") ? DECLARATION.exec(start)?.[1] : undefined;
  try {
    const { encoding } = new TextDecoder(declared);
    return encoding.startsWith("utf-") ? "utf-8" : encoding;
  } catch {
    return "utf-8";
  }
}

/** HTML declarations must be in the first 1024 bytes (WHATWG HTML, 13.2.3.2); in XML they come first. */
const DECLARATION_BYTES = 1024;
const DECLARATION = /(?:encoding|charset)\s*=\s*["']?([\w.:-]+)/i;

/** The text of some bytes; undefined if they aren't text. `stream`: the last character can be incomplete. */
function decode(bytes: Buffer, encoding: string, options?: { stream: boolean }): string | undefined {
  try {
    // In older encodings every byte is valid, so only control characters can reveal binary data.
    const fatal = encoding.startsWith("utf-");
    const text = new TextDecoder(encoding, { fatal }).decode(bytes, options);
    return BINARY.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Control characters other than white space; those of ISO 8859 (80 to 9F) occur in many texts by mistake. */
const BINARY = /[^\P{Cc}\s\u007f-\u009f]/u;

/** Number of bytes at the start of the tail that belong to a character that began before it. */
function cutBytes(tail: Buffer, encoding: string): number {
  if (encoding === "utf-8")
    return Math.max(
      0,
      tail.subarray(0, 4).findIndex((byte) => (byte & 0xc0) !== 0x80),
    );
  const highByte = tail[encoding === "utf-16le" ? 1 : 0] ?? 0;
  return encoding.startsWith("utf-16") && highByte >= 0xdc && highByte <= 0xdf ? 2 : 0;
}

function recogniseStart(text: string): Content {
  if (/^<[a-z!?/]/i.test(text)) return recogniseMarkup(text);
  const other = TEXT_SIGNATURES.find(([signature]) => text.startsWith(signature));
  return other ? foreign(other[1]) : ours("txt");
}

/** Formats that can consist of text bytes only. */
const TEXT_SIGNATURES = [
  ["#!", "a script"],
  ["%!PS", "a PostScript document"],
  ["GIF8", "a GIF image"],
] as const;

function recogniseMarkup(text: string): Content {
  PROLOG.lastIndex = 0;
  const root = text.slice(PROLOG.exec(text)?.[0].length ?? 0);
  if (HTML_START.test(root)) return ours("html");
  if (/^<(?:[\w.-]+:)?FictionBook[\s>/]/.test(root)) return ours("fb2");
  if (/^<(?:!doctype\s+|[\w.-]+:)?svg[\s>/]/i.test(root)) return foreign("an SVG image");
  return foreign("an XML document or a piece of markup");
}

/** What may precede the first element: white space, XML declaration and instructions, comments, FB2's own doctype. */
const PROLOG = /(?:\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!DOCTYPE\s+FictionBook[^[>]*>)*/y;

/** The elements of WHATWG MIME Sniffing, 7.1, and similar ones. */
const HTML_START =
  /^<(?:!doctype\s+html|html|head|body|meta|link|title|style|script|iframe|h[1-6]|div|section|article|main|header|font|table|center|br|a|b|p)[\s>/]/i;

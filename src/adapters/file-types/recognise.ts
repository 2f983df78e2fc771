/** Recognises the type of a file by its content. */
import type { FileTypeResult } from "file-type";
import { FILE_TYPES, type FileType, findFileType } from "../../schemas/file-types.ts";
import type { ByteHandle, Inspectable } from "../files/file-store.ts";
import { describeCompoundFile } from "./compound-file.ts";
import { adviseOn, type Content, FOREIGN, foreign, ours, TYPE_NAMES } from "./content.ts";
import { isMp3 } from "./mpeg-audio.ts";
import { findPlayed } from "./mpeg4.ts";
import { recogniseText } from "./recognise-text.ts";
import { endsAsZip, MAX_END_BYTES, readBytes, readZip, type ZipContents } from "./zip.ts";

/** The type of a file, or a sentence for the client about what its content is instead. */
type Identified = { fileType: FileType; objection?: undefined } | { objection: string };

/**
 * The type that the client claims, or else that of the file name, or else that of the content. Among types with the same
 * content (EPUB and KEPUB, ZIP and CBZ, MOBI and AZW3), the content decides for the more common one.
 */
export function identifyFile(content: Content, name: string, claimed?: FileType): Identified {
  const fileType = claimed ?? findFileType(name) ?? content.types[0];
  if (fileType === undefined) {
    return { objection: [`The file is ${content.name}.`, adviseOn(content) ?? ACCEPTED].join(" ") };
  }
  const objection = findObjection(content, fileType);
  return objection === undefined ? { fileType } : { objection };
}

const ACCEPTED = `The accepted types are ${FILE_TYPES.slice(0, -1).join(", ")} and ${FILE_TYPES.at(-1)}.`;

/** Returns undefined if the content matches the type, or else sentences for the client. */
export function findObjection(content: Content, fileType: FileType): string | undefined {
  if (content.types.includes(fileType)) return undefined;
  const advice = adviseOn(content);
  // A damaged ZIP archive is still one.
  const other =
    content.name === FOREIGN.damagedZip && fileType === "zip" ? "" : `, not ${TYPE_NAMES[fileType]}`;
  return `The file is ${content.name}${other}.${advice === undefined ? "" : ` ${advice}`}`;
}

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

/**
 * EPUB (OCF 3.3, 4.3) and OpenDocument (1.3 part 2, 3.3) declare their type in the first entry. Programs that pack a book
 * again compress it, put it last or leave it out, and readers open the book: then its other entries decide.
 */
async function recogniseZip(file: ByteHandle, sizeBytes: number): Promise<Content> {
  const zip = await readZip(file, sizeBytes);
  if (zip === undefined) return foreign(FOREIGN.damagedZip);
  if (zip.names.length === 0) return foreign("an empty ZIP archive");
  const { mediaType = "" } = zip;
  if (mediaType === "application/epub+zip") return ours("epub", "kepub");
  const document = /^application\/vnd\.oasis\.opendocument\.(\S+)/.exec(mediaType)?.[1];
  if (document !== undefined)
    return document === "text" ? ours("odt") : foreign("a document of another kind");
  return recogniseByNames(zip);
}

/** The entries of a Word document can be in any order. */
function recogniseByNames({ names: given, mediaType }: ZipContents): Content {
  const names = new Set(
    given.map((name) =>
      name
        .replaceAll("\\", "/")
        .replace(/^[./]+/, "")
        .toLowerCase(),
    ),
  );
  const hasFolder = (folder: string) => names.values().some((name) => name.startsWith(folder));
  if (names.has("meta-inf/container.xml") && names.values().some((name) => name.endsWith(".opf")))
    return ours("epub", "kepub");
  if (mediaType !== undefined) return foreign("a document of another kind");
  if (names.has("[content_types].xml")) {
    if (names.has("word/vbaproject.bin")) return foreign(FOREIGN.macros);
    if (hasFolder("word/")) return ours("docx");
    if (hasFolder("xl/") || hasFolder("ppt/")) return foreign("a workbook or presentation");
  }
  if (names.has("meta-inf/manifest.mf") || names.has("androidmanifest.xml")) return foreign("a program");
  const isPackedFolder = names.values().some((name) => /^[^/]+\/meta-inf\/container\.xml$/.test(name));
  return isPackedFolder ? { ...ours("zip", "cbz"), name: FOREIGN.packedFolder } : ours("zip", "cbz");
}

async function recogniseOther(sample: Sample): Promise<Content> {
  const { file, head } = sample;
  // Some signatures allow preceding bytes, in which an HTML page could hide.
  const magic = hasSignature(head, "<") ? undefined : await detectMagic(sample);
  const known = magic && (await recogniseMagic(magic, sample));
  if (known) return known;
  const text = recogniseText(sample);
  const canBePdf = !magic && (!text || text.types[0] === "txt");
  if (canBePdf && containsPdf(sample, text === undefined)) return ours("pdf");
  if (text) return text;
  if (hasSignature(head, "AT&TFORM") && /^DJV[UM]/.test(head.toString("latin1", 12, 16))) return ours("djvu");
  if (!magic && (await isMp3(file))) return ours("mp3");
  return foreign(magic ? `of type ${magic.mime}` : "of an unknown type");
}

/** Our types by the names of `file-type`. */
const OURS: ReadonlyMap<string, Content> = new Map([
  ["pdf", ours("pdf")],
  ["rtf", ours("rtf")],
  ["mobi", ours("mobi", "azw3")],
  ["mp3", ours("mp3")],
]);
/** Audio books can also have other MPEG-4 brands. */
const MPEG4 = new Set(["m4b", "m4a", "mp4"]);
/** Brands of QuickTime, telephones and Flash, mostly of films; files with sound alone are audio books, too. */
const MOVIES = new Set(["mov", "m4v", "3gp", "3g2", "f4v", "f4a", "f4b"]);

async function recogniseMagic(
  { ext }: FileTypeResult,
  { file, sizeBytes }: Sample,
): Promise<Content | undefined> {
  if (MPEG4.has(ext) || MOVIES.has(ext)) {
    const played = await findPlayed(file, sizeBytes);
    if (played === "film") return foreign(FOREIGN.film);
    return played === "sound" || MPEG4.has(ext) ? ours("m4b") : undefined;
  }
  if (ext === "cfb") return describeCompoundFile(file);
  return OURS.get(ext);
}

/** What `file-type` finds in the head. After an ID3 tag, only sound counts. */
async function detectMagic({ file, head }: Sample): Promise<FileTypeResult | undefined> {
  if (hasSignature(head, "ID3")) return (await isMp3(file)) ? MP3 : undefined;
  const { fileTypeFromBuffer } = await import("file-type");
  try {
    return await fileTypeFromBuffer(head, { mpegOffsetTolerance: 0 });
  } catch {
    // Only memory was read, so the error can only be caused by malformed content.
    return undefined;
  }
}

const MP3: FileTypeResult = { ext: "mp3", mime: "audio/mpeg" };

/** As readers of PDF, in the first bytes of the file (ISO 32000-1, annex H, 3.4.1). Text can mention it, without its end. */
function containsPdf({ head, tail }: Sample, isBinary: boolean): boolean {
  const has = /%PDF-\d/.test(head.toString("latin1", 0, MAX_PDF_OFFSET + 6));
  return has && (isBinary || tail.includes("startxref") || tail.includes("%%EOF"));
}
const MAX_PDF_OFFSET = 1024;

/** The types that are ZIP archives, told by the archive's own directory (APPNOTE.TXT 6.3, 4.3). */
import { type Content, foreign, readWindow, type Sample } from "./content.ts";

/** Only for a file that begins like a ZIP archive. */
export async function recogniseZip(sample: Sample): Promise<Content> {
  const directory = await readZipDirectory(sample);
  const first = directory?.entries.find((entry) => entry.offset === 0);
  if (directory?.entryCount === 0) return foreign("an empty ZIP archive");
  // An archive that doesn't begin at the first byte shows one content to one reader and another to the next.
  if (directory === undefined || !directory.beginsAtZero || first === undefined) return foreign(DAMAGED);
  const data = await firstEntryData(sample, first);
  if (data === undefined) return foreign(DAMAGED);
  return recogniseByDeclaration(data) ?? recogniseByNames(directory.entries.map(({ name }) => name));
}

/** Whether a file of another type also is a ZIP archive: such an archive is found from its end. */
export async function endsWithZip(sample: Sample): Promise<boolean> {
  const directory = await readZipDirectory(sample);
  if (directory === undefined) return false;
  return directory.endsAtEnd && directory.entryCount > 0;
}

const DAMAGED = "a damaged ZIP archive";

/**
 * EPUB (OCF 3.3, 4.3) and OpenDocument (1.3 part 2, 3.3): the first entry is `mimetype`, stored. Readers
 * insist on that; a line end behind the type they forgive.
 */
function recogniseByDeclaration(first: FirstEntry): Content | undefined {
  if (first.name !== "mimetype" || first.method !== STORED) return undefined;
  const mediaType = first.text.trimEnd();
  if (mediaType === "application/epub+zip") return { types: ["epub", "kepub"], name: "an EPUB book" };
  if (mediaType === "application/vnd.oasis.opendocument.text") {
    return { types: ["odt"], name: "an OpenDocument text" };
  }
  return foreign("a document of another kind");
}

function recogniseByNames(names: readonly string[]): Content {
  const has = (name: string) => names.includes(name);
  const hasFolder = (folder: string) => names.some((name) => name.startsWith(folder));
  if (has("META-INF/container.xml")) {
    return foreign("an EPUB whose first entry is not an uncompressed `mimetype`");
  }
  if (has("[Content_Types].xml")) {
    if (has("word/vbaProject.bin")) return foreign("a Word document with macros");
    if (hasFolder("word/")) return { types: ["docx"], name: "a Word document" };
    if (hasFolder("xl/") || hasFolder("ppt/")) return foreign("a workbook or presentation");
  }
  if (has("META-INF/MANIFEST.MF") || has("AndroidManifest.xml")) return foreign("a program");
  return { types: ["zip", "cbz"], name: "a ZIP archive" };
}

interface FirstEntry {
  name: string;
  method: number;
  /** The stored bytes, as far as they can be a media type. */
  text: string;
}

const STORED = 0;
const LOCAL_HEADER = 0x04034b50;
const LOCAL_HEADER_BYTES = 30;
const MAX_MEDIA_TYPE_BYTES = 128;

/** The entry at the first byte, if its own header says the same as the directory. */
async function firstEntryData({ file, head }: Sample, listed: ZipEntry): Promise<FirstEntry | undefined> {
  if (head.length < LOCAL_HEADER_BYTES || head.readUInt32LE(0) !== LOCAL_HEADER) return undefined;
  const method = head.readUInt16LE(8);
  const nameEnd = LOCAL_HEADER_BYTES + head.readUInt16LE(26);
  const name = head.toString("latin1", LOCAL_HEADER_BYTES, nameEnd);
  if (name !== listed.name || method !== listed.method) return undefined;
  const dataStart = nameEnd + head.readUInt16LE(28);
  const data = await readWindow(file, dataStart, Math.min(listed.sizeBytes, MAX_MEDIA_TYPE_BYTES));
  return { name, method, text: data.toString("latin1") };
}

/** Reads the directory of a ZIP archive (APPNOTE.TXT 6.3, 4.3.12 to 4.3.16), with bounds. */
interface ZipEntry {
  /** The name's bytes, one character each. */
  name: string;
  /** 0: stored. */
  method: number;
  /** As stored, in bytes. */
  sizeBytes: number;
  /** Where its own header stands in the file. */
  offset: number;
}

export interface ZipDirectory {
  /** Those of the first MiB of the directory: some ten thousand. */
  entries: readonly ZipEntry[];
  entryCount: number;
  /** False when something stands before the archive. */
  beginsAtZero: boolean;
  /** False when something stands behind the archive. */
  endsAtEnd: boolean;
}

/** The directory; undefined when the file has none, or none that holds together. Throws only what reading throws. */
async function readZipDirectory(sample: Sample): Promise<ZipDirectory | undefined> {
  const end = await findEnd(sample);
  if (end === undefined) return undefined;
  // Some writers add the ZIP64 record also when the plain one could hold the values: then it stands between.
  const extent = (await readZip64Extent(sample, end.position)) ?? end;
  const start = extent.position - extent.sizeBytes;
  if (start < 0) return undefined;
  const listed = await readWindow(sample.file, start, Math.min(extent.sizeBytes, MAX_DIRECTORY_BYTES));
  const entries = parseEntries(listed, listed.length < extent.sizeBytes);
  if (entries === undefined || (entries.length === 0 && extent.entryCount > 0)) return undefined;
  return {
    entries,
    entryCount: extent.entryCount,
    beginsAtZero: start === extent.offset,
    endsAtEnd: end.closesAt === sample.sizeBytes,
  };
}

/** Where the directory is said to be. */
interface Extent {
  /** Of the record that says so: the directory ends where this begins. */
  position: number;
  entryCount: number;
  sizeBytes: number;
  offset: number;
}

interface End extends Extent {
  /** The end of the archive with its comment. */
  closesAt: number;
}

const END = Buffer.from("PK\x05\x06", "latin1");
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 0xffff;
const MAX_DIRECTORY_BYTES = 1024 * 1024;

async function findEnd({ file, sizeBytes }: Sample): Promise<End | undefined> {
  const tailStart = Math.max(0, sizeBytes - END_BYTES - MAX_COMMENT_BYTES);
  const tail = await readWindow(file, tailStart, sizeBytes - tailStart);
  const at = tail.length < END_BYTES ? -1 : tail.lastIndexOf(END, tail.length - END_BYTES);
  if (at < 0) return undefined;
  return {
    position: tailStart + at,
    entryCount: tail.readUInt16LE(at + 10),
    sizeBytes: tail.readUInt32LE(at + 12),
    offset: tail.readUInt32LE(at + 16),
    closesAt: tailStart + at + END_BYTES + tail.readUInt16LE(at + 20),
  };
}

const ZIP64_LOCATOR = 0x07064b50;
const ZIP64_LOCATOR_BYTES = 20;
const ZIP64_END = 0x06064b50;
const ZIP64_END_BYTES = 56;

async function readZip64Extent(
  { file, sizeBytes }: Sample,
  endPosition: number,
): Promise<Extent | undefined> {
  const locatorPosition = endPosition - ZIP64_LOCATOR_BYTES;
  if (locatorPosition < 0) return undefined;
  const locator = await readWindow(file, locatorPosition, ZIP64_LOCATOR_BYTES);
  if (locator.readUInt32LE(0) !== ZIP64_LOCATOR) return undefined;
  const position = Number(locator.readBigUInt64LE(8));
  if (position > sizeBytes - ZIP64_END_BYTES) return undefined;
  const end = await readWindow(file, position, ZIP64_END_BYTES);
  if (end.readUInt32LE(0) !== ZIP64_END) return undefined;
  return {
    position,
    entryCount: Number(end.readBigUInt64LE(32)),
    sizeBytes: Number(end.readBigUInt64LE(40)),
    offset: Number(end.readBigUInt64LE(48)),
  };
}

const LISTED = 0x02014b50;
const LISTED_BYTES = 46;

/** Undefined when something that isn't an entry stands among them. `isCut`: the last one may be incomplete. */
function parseEntries(listed: Buffer, isCut: boolean): ZipEntry[] | undefined {
  const entries: ZipEntry[] = [];
  let at = 0;
  while (at + LISTED_BYTES <= listed.length) {
    if (listed.readUInt32LE(at) !== LISTED) return undefined;
    const nameEnd = at + LISTED_BYTES + listed.readUInt16LE(at + 28);
    entries.push({
      name: listed.toString("latin1", at + LISTED_BYTES, nameEnd),
      method: listed.readUInt16LE(at + 10),
      sizeBytes: listed.readUInt32LE(at + 20),
      offset: listed.readUInt32LE(at + 42),
    });
    at = nameEnd + listed.readUInt16LE(at + 30) + listed.readUInt16LE(at + 32);
  }
  return isCut || at === listed.length ? entries : undefined;
}

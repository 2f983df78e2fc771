/** Reads the directory of a ZIP archive (APPNOTE.TXT 6.3, 4.3.12 to 4.3.16), with bounds. */
import { readWindow, type Sample } from "./file-type-window.ts";

export interface ZipEntry {
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
export async function readZipDirectory(sample: Sample): Promise<ZipDirectory | undefined> {
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

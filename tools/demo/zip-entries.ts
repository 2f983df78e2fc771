// Reads the entries of a small ZIP file through its central directory, with every size and checksum verified.
import { crc32, inflateRawSync } from "node:zlib";

export type ZipEntry = { name: string; method: "stored" | "deflated"; bytes: Buffer };

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_HEADER = 0x04034b50;
const END_LENGTH = 22;

/**
 * All entries, in the directory's order. Offsets are those of the ZIP specification (APPNOTE 6.3.10, section 4.3).
 * @throws Error for anything but a whole ZIP without comment, below 4 GiB
 */
export function zipEntries(archive: Buffer): ZipEntry[] {
  const end = archive.length - END_LENGTH;
  if (end < 0 || archive.readUInt32LE(end) !== END_OF_DIRECTORY)
    throw new Error("no ZIP, or not a whole one");
  const count = archive.readUInt16LE(end + 10);
  let position = archive.readUInt32LE(end + 16);
  const entries: ZipEntry[] = [];
  for (let index = 0; index < count; index += 1) {
    if (archive.readUInt32LE(position) !== DIRECTORY_ENTRY) throw new Error("broken ZIP directory");
    entries.push(entryAt(archive, position));
    position += 46 + nameLength(archive, position) + extraAndComment(archive, position);
  }
  if (position !== end) throw new Error("the ZIP directory doesn't end where it says");
  return entries;
}

function entryAt(archive: Buffer, position: number): ZipEntry {
  const name = archive.toString("utf8", position + 46, position + 46 + nameLength(archive, position));
  const method = archive.readUInt16LE(position + 10) === 0 ? "stored" : "deflated";
  const packed = content(archive, archive.readUInt32LE(position + 42), archive.readUInt32LE(position + 20));
  const bytes = method === "stored" ? packed : inflateRawSync(packed);
  if (bytes.length !== archive.readUInt32LE(position + 24)) throw new Error(`${name}: wrong size`);
  if (crc32(bytes) !== archive.readUInt32LE(position + 16)) throw new Error(`${name}: wrong checksum`);
  return { name, method, bytes };
}

function content(archive: Buffer, localHeader: number, packedSize: number): Buffer {
  if (archive.readUInt32LE(localHeader) !== LOCAL_HEADER) throw new Error("broken ZIP entry");
  const start =
    localHeader + 30 + archive.readUInt16LE(localHeader + 26) + archive.readUInt16LE(localHeader + 28);
  if (start + packedSize > archive.length) throw new Error("a ZIP entry runs past the end");
  return archive.subarray(start, start + packedSize);
}

function nameLength(archive: Buffer, position: number): number {
  return archive.readUInt16LE(position + 28);
}

function extraAndComment(archive: Buffer, position: number): number {
  return archive.readUInt16LE(position + 30) + archive.readUInt16LE(position + 32);
}

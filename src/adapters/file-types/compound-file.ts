/** Names what a compound file (MS-CFB) is: documents of old Office programs, and newer ones with a password. */
import type { ByteHandle } from "../files/file-store.ts";
import { type Content, FOREIGN, foreign } from "./content.ts";
import { readBytes } from "./zip.ts";

const SIGNATURE = "d0cf11e0a1b11ae1";
const HEADER_BYTES = 512;
/** The first sectors of the directory; the root and the streams that matter are there. */
const DIRECTORY_BYTES = 16 * 1024;

const STREAMS: readonly [string, string][] = [
  ["EncryptedPackage", FOREIGN.protectedOffice],
  ["WordDocument", FOREIGN.oldWord],
  ["Workbook", FOREIGN.oldExcel],
  ["Book", FOREIGN.oldExcel],
];

/** Undefined for another document. */
export async function describeCompoundFile(file: ByteHandle): Promise<Content | undefined> {
  const header = await readBytes(file, 0, HEADER_BYTES);
  if (header.length < HEADER_BYTES || header.toString("hex", 0, 8) !== SIGNATURE) return undefined;
  const sectorBytes = 2 ** (header.readUInt16LE(30) & 31);
  const position = (header.readUInt32LE(48) + 1) * sectorBytes;
  const directory = Number.isSafeInteger(position)
    ? await readBytes(file, position, DIRECTORY_BYTES)
    : header;
  // Names are compared without regard to case.
  const names = directory.toString("utf16le").toLowerCase();
  const found = STREAMS.find(([name]) => names.includes(`${name.toLowerCase()}\0`));
  return found && foreign(found[1]);
}

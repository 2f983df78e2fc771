/** Reads whole ZIPs with another library than the one that writes them. */
import { buffer } from "node:stream/consumers";
import { crc32 } from "node:zlib";
import { type Entry, fromBufferPromise } from "yauzl";

interface ReadEntry {
  name: string;
  bytes: Buffer;
  /** 0 stored, 8 deflated. */
  method: number;
  /** Whether the name is flagged as UTF-8 (bit 11). */
  utf8: boolean;
}

const UTF8 = 0x800;

/**
 * All entries in the order of the central directory.
 * @throws Error for a ZIP that isn't whole, and for a wrong size or checksum
 */
export async function readZip(zip: Buffer): Promise<ReadEntry[]> {
  const file = await fromBufferPromise(zip);
  const entries: ReadEntry[] = [];
  for await (const entry of file.eachEntry()) {
    const bytes = await buffer(await file.openReadStreamPromise(entry));
    entries.push(checkEntry(entry, bytes));
  }
  return entries;
}

function checkEntry(entry: Entry, bytes: Buffer): ReadEntry {
  if (crc32(bytes) !== entry.crc32) throw new Error(`${entry.fileName}: wrong checksum`);
  const utf8 = (entry.generalPurposeBitFlag & UTF8) !== 0;
  return { name: entry.fileName, bytes, method: entry.compressionMethod, utf8 };
}

/** A small, strict reader of ZIPs, independent of what writes them (PKWARE APPNOTE 6.3.10, 4.3 and 4.5.3). */

import { crc32, inflateRawSync } from "node:zlib";

export interface ReadEntry {
  name: string;
  bytes: Buffer;
  /** 0 stored, 8 deflated. */
  method: number;
  /** Whether the name is flagged as UTF-8 (bit 11). */
  utf8: boolean;
}

/** What the central directory says about an entry. */
interface Listed {
  name: string;
  flags: number;
  method: number;
  crc: number;
  compressed: number;
  size: number;
  offset: number;
}

interface Directory {
  count: number;
  size: number;
  offset: number;
}

const UTF8 = 0x800;
const DESCRIPTOR = 0x8;
const MAX16 = 0xffff;
const MAX32 = 0xffffffff;

/** All entries in the order of the central directory. Throws on anything that doesn't add up, also on gaps. */
export function readZip(zip: Buffer): ReadEntry[] {
  const directory = findDirectory(zip);
  const listed = readDirectory(zip, directory);
  let expectedOffset = 0;
  return listed.map((entry) => {
    assert(entry.offset === expectedOffset, `${entry.name} begins at ${entry.offset}, not ${expectedOffset}`);
    const { bytes, end } = readEntry(zip, entry);
    expectedOffset = end;
    if (entry === listed.at(-1)) assert(end === directory.offset, "the directory follows the last entry");
    return { name: entry.name, bytes, method: entry.method, utf8: (entry.flags & UTF8) !== 0 };
  });
}

function findDirectory(zip: Buffer): Directory {
  const end = zip.lastIndexOf("PK\x05\x06", "latin1");
  assert(end >= 0, "there is an end record");
  assert(end + 22 + zip.readUInt16LE(end + 20) === zip.length, "the end record is the end");
  const directory = {
    count: zip.readUInt16LE(end + 10),
    size: zip.readUInt32LE(end + 12),
    offset: zip.readUInt32LE(end + 16),
  };
  if (directory.count !== MAX16 && directory.size !== MAX32 && directory.offset !== MAX32) {
    assert(directory.offset + directory.size === end, "the end record follows the directory");
    return directory;
  }
  return findZip64Directory(zip, end - 20);
}

function findZip64Directory(zip: Buffer, locator: number): Directory {
  assert(zip.readUInt32LE(locator) === 0x07064b50, "there is a ZIP64 locator");
  const end = uint64(zip, locator + 8);
  assert(zip.readUInt32LE(end) === 0x06064b50, "there is a ZIP64 end record");
  const directory = {
    count: uint64(zip, end + 32),
    size: uint64(zip, end + 40),
    offset: uint64(zip, end + 48),
  };
  assert(directory.offset + directory.size === end, "the ZIP64 end record follows the directory");
  return directory;
}

function readDirectory(zip: Buffer, { count, size, offset }: Directory): Listed[] {
  let at = offset;
  const listed = Array.from({ length: count }, () => {
    assert(zip.readUInt32LE(at) === 0x02014b50, `a directory entry begins at ${at}`);
    const nameEnd = at + 46 + zip.readUInt16LE(at + 28);
    const extraEnd = nameEnd + zip.readUInt16LE(at + 30);
    const extra = zip.subarray(nameEnd, extraEnd);
    const entry = {
      name: zip.toString("utf8", at + 46, nameEnd),
      flags: zip.readUInt16LE(at + 8),
      method: zip.readUInt16LE(at + 10),
      crc: zip.readUInt32LE(at + 16),
      ...widen(extra, zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 24), zip.readUInt32LE(at + 42)),
    };
    at = extraEnd + zip.readUInt16LE(at + 32);
    return entry;
  });
  assert(at === offset + size, "the directory has the size it says");
  return listed;
}

/** Replaces those of the three numbers that are full by the ones in the ZIP64 field, in its order (4.5.3). */
function widen(extra: Buffer, compressed: number, size: number, offset: number) {
  let at = fieldOf(extra, 0x0001);
  const wide = (number: number): number => {
    if (number !== MAX32) return number;
    assert(at >= 0, "a full number has its ZIP64 field");
    at += 8;
    return uint64(extra, at - 8);
  };
  return { size: wide(size), compressed: wide(compressed), offset: wide(offset) };
}

/** Where the content of an extra field begins, or -1. */
function fieldOf(extra: Buffer, id: number): number {
  for (let at = 0; at < extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) === id) return at + 4;
  }
  return -1;
}

function readEntry(zip: Buffer, entry: Listed): { bytes: Buffer; end: number } {
  const { offset, name, flags, method } = entry;
  assert(zip.readUInt32LE(offset) === 0x04034b50, `${name} has a local header`);
  assert(zip.readUInt16LE(offset + 6) === flags, `${name} has the same flags in both places`);
  assert(zip.readUInt16LE(offset + 8) === method, `${name} has the same method in both places`);
  const nameEnd = offset + 30 + zip.readUInt16LE(offset + 26);
  assert(zip.toString("utf8", offset + 30, nameEnd) === name, `${name} has the same name in both places`);
  const start = nameEnd + zip.readUInt16LE(offset + 28);
  const stop = start + entry.compressed;
  const stored = zip.subarray(start, stop);
  assert(method === 0 || method === 8, `${name} is stored or deflated`);
  const bytes = method === 0 ? stored : inflateRawSync(stored);
  assert(bytes.length === entry.size, `${name} has the size it says`);
  assert(crc32(bytes) === entry.crc, `${name} has the checksum it says`);
  return {
    bytes,
    end: (flags & DESCRIPTOR) === 0 ? checkHeader(zip, entry, stop) : checkDescriptor(zip, entry, stop),
  };
}

function checkHeader(zip: Buffer, { name, offset, crc }: Listed, stop: number): number {
  assert(zip.readUInt32LE(offset + 14) === crc, `${name} has the same checksum in both places`);
  return stop;
}

/** After the bytes, with its usual signature: checksum and sizes, of eight bytes when the entry is large (4.3.9). */
function checkDescriptor(zip: Buffer, { name, crc, compressed, size }: Listed, stop: number): number {
  assert(zip.readUInt32LE(stop) === 0x08074b50, `${name} has a data descriptor`);
  assert(zip.readUInt32LE(stop + 4) === crc, `${name} has the same checksum in its descriptor`);
  const isLarge = compressed > MAX32 || size > MAX32;
  const sizes = isLarge
    ? [uint64(zip, stop + 8), uint64(zip, stop + 16)]
    : [zip.readUInt32LE(stop + 8), zip.readUInt32LE(stop + 12)];
  assert(sizes[0] === compressed && sizes[1] === size, `${name} has the same sizes in its descriptor`);
  return stop + (isLarge ? 24 : 16);
}

const uint64 = (bytes: Buffer, at: number): number => Number(bytes.readBigUInt64LE(at));

function assert(holds: boolean, expectation: string): asserts holds {
  if (!holds) throw new Error(`Not a sound ZIP: expected that ${expectation}`);
}

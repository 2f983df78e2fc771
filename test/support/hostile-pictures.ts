/** Small pictures that become large in a decoder: texts and profiles that inflate, entries that share their bytes, entities. */
import { crc32, deflateSync } from "node:zlib";

const MEBIBYTE = 1024 * 1024;
/** After the signature and IHDR. */
const AFTER_HEADER = 33;
/** After SOI. */
const AFTER_START = 2;

export function createChunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, checksum]);
}

export const withChunks = (png: Buffer, ...chunks: Buffer[]): Buffer =>
  Buffer.concat([png.subarray(0, AFTER_HEADER), ...chunks, png.subarray(AFTER_HEADER)]);

/** 7.6 kB each, which inflate to 7.6 MiB: the most that libpng takes of one. */
const inflating = deflateSync(Buffer.alloc(7.6 * MEBIBYTE), { level: 9 });
export const zTxt = createChunk("zTXt", Buffer.concat([Buffer.from("Comment\0\0"), inflating]));
export const iTxt = createChunk("iTXt", Buffer.concat([Buffer.from("Comment\0\x01\0\0\0"), inflating]));

/** A profile that inflates to so many bytes. */
export const createProfileChunk = (profile: Buffer): Buffer =>
  createChunk("iCCP", Buffer.concat([Buffer.from("icc\0\0"), deflateSync(profile, { level: 9 })]));

/** TIFF with an orientation, and entries that all have the same bytes: so many kilobytes each. */
export function createExif(orientation: number, { entries = 0, kilobytes = 0 } = {}): Buffer {
  const directory = 8;
  const end = directory + 2 + 12 * (entries + 1) + 4;
  const tiff = Buffer.alloc(end + kilobytes * 1024);
  tiff.write("II*\0\x08\0\0\0", "latin1");
  tiff.writeUInt16LE(entries + 1, directory);
  const write = (index: number, [tag, type, count, value]: readonly [number, number, number, number]) => {
    const at = directory + 2 + 12 * index;
    tiff.writeUInt16LE(tag, at);
    tiff.writeUInt16LE(type, at + 2);
    tiff.writeUInt32LE(count, at + 4);
    tiff.writeUInt32LE(value, at + 8);
  };
  write(0, [0x0112, 3, 1, orientation]);
  for (let index = 1; index <= entries; index += 1)
    write(index, [(0x8000 + index) & 0xffff, 1, kilobytes * 1024, end]);
  return tiff;
}

export function createSegment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

export const createExifSegment = (tiff: Buffer): Buffer =>
  createSegment(0xe1, Buffer.concat([Buffer.from("Exif\0\0"), tiff]));

export const withSegments = (jpeg: Buffer, ...segments: Buffer[]): Buffer =>
  Buffer.concat([jpeg.subarray(0, AFTER_START), ...segments, jpeg.subarray(AFTER_START)]);

function createRiffChunk(type: string, data: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(type), size, data, Buffer.alloc(data.length % 2)]);
}

/** @param webp in the simple format: without an extended header */
export function withMetadata(
  webp: Buffer,
  { width, height }: { width: number; height: number },
  chunks: Readonly<Record<string, Buffer>>,
): Buffer {
  const flags = ("ICCP" in chunks ? 0x20 : 0) | ("EXIF" in chunks ? 0x08 : 0) | ("XMP " in chunks ? 0x04 : 0);
  const extended = Buffer.alloc(10);
  extended[0] = flags;
  extended.writeUIntLE(width - 1, 4, 3);
  extended.writeUIntLE(height - 1, 7, 3);
  const { ICCP, ...after } = chunks;
  const body = Buffer.concat([
    Buffer.from("WEBP"),
    createRiffChunk("VP8X", extended),
    ...(ICCP ? [createRiffChunk("ICCP", ICCP)] : []),
    webp.subarray(12),
    ...Object.entries(after).map(([type, data]) => createRiffChunk(type, data)),
  ]);
  return createRiffChunk("RIFF", body);
}

/** A billion characters by nine entities that each have ten of the former. */
export function createEntitiesSvg(): string {
  const entities = Array.from({ length: 9 }, (_, level) => {
    const former = level === 0 ? "x".repeat(10) : `&e${level - 1};`.repeat(10);
    return `<!ENTITY e${level} "${former}">`;
  });
  return `<?xml version="1.0"?><!DOCTYPE svg [${entities.join("")}]>
<svg xmlns="http://www.w3.org/2000/svg" width="20" height="30"><text>&e8;</text></svg>`;
}

/** WebP without EXIF, XMP and chunks that nobody knows. */
import { MAX_PROFILE_BYTES, reduceExif } from "./metadata.ts";

/** `RIFF`, the size, `WEBP`. */
const FILE_HEAD_BYTES = 12;
/** The type and the size. */
const HEAD_BYTES = 8;

const DRAWN = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF"]);

/** Flags of VP8X. */
const HAS_PROFILE = 0x20;
const HAS_EXIF = 0x08;
const HAS_XMP = 0x04;
const FLAGS: ReadonlyMap<string, number> = new Map([
  ["ICCP", HAS_PROFILE],
  ["EXIF", HAS_EXIF],
]);

/** Of what RIFF can say. */
const MAX_SIZE = 0xffff_fffe;

interface Chunk {
  type: string;
  /** Without the byte that fills it up to an even size. */
  sizeBytes: number;
  /** Type, size and data. A truncated chunk stays one, which the decoder finds. */
  whole: Buffer;
}

export function stripWebp(bytes: Buffer): Buffer {
  const kept = readChunks(bytes).flatMap((chunk) => keep(chunk) ?? []);
  const flags = kept.reduce((all, { type }) => all | (FLAGS.get(type) ?? 0), 0);
  const sizeBytes = kept.reduce((sum, chunk) => sum + HEAD_BYTES + padded(chunk.sizeBytes), "WEBP".length);
  const head = Buffer.from(bytes.subarray(0, FILE_HEAD_BYTES));
  head.writeUInt32LE(Math.min(sizeBytes, MAX_SIZE), 4);
  return Buffer.concat([head, ...kept.map((chunk) => withFlags(chunk, flags))]);
}

/** Each type once, except frames of an animation. */
function readChunks(bytes: Buffer): Chunk[] {
  const chunks = new Map<string, Chunk>();
  for (let at = FILE_HEAD_BYTES; at + HEAD_BYTES <= bytes.length; ) {
    const type = bytes.toString("latin1", at, at + 4);
    const sizeBytes = bytes.readUInt32LE(at + 4);
    const end = at + HEAD_BYTES + padded(sizeBytes);
    const key = type === "ANMF" ? `${type}${at}` : type;
    if (isKnown(type) && !chunks.has(key))
      chunks.set(key, { type, sizeBytes, whole: bytes.subarray(at, end) });
    at = end;
  }
  return [...chunks.values()];
}

/** Chunks begin at even places. */
const padded = (sizeBytes: number): number => sizeBytes + (sizeBytes % 2);

const isKnown = (type: string): boolean => DRAWN.has(type) || FLAGS.has(type);

function keep({ type, sizeBytes, whole }: Chunk): Chunk | undefined {
  if (type === "ICCP") return sizeBytes <= MAX_PROFILE_BYTES ? { type, sizeBytes, whole } : undefined;
  if (type !== "EXIF") return { type, sizeBytes, whole };
  const exif = reduceExif(whole.subarray(HEAD_BYTES, HEAD_BYTES + sizeBytes));
  return exif && { type, sizeBytes: exif.length, whole: createChunk("EXIF", exif) };
}

function withFlags({ type, whole }: Chunk, flags: number): Buffer {
  const former = whole[HEAD_BYTES];
  if (type !== "VP8X" || former === undefined) return whole;
  const extended = Buffer.from(whole);
  extended[HEAD_BYTES] = (former & ~(HAS_PROFILE | HAS_EXIF | HAS_XMP)) | flags;
  return extended;
}

/** @param data of even length */
function createChunk(type: string, data: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(type, "latin1"), size, data]);
}

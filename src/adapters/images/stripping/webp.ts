/** WebP without EXIF, XMP and unknown chunks. */
import { KeptBytes } from "./kept-bytes.ts";
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

export function stripWebp(bytes: Buffer): Buffer {
  const kept = new KeptBytes(bytes);
  kept.keep(0, FILE_HEAD_BYTES);
  let flags = 0;
  let flagsAt: number | undefined;
  let sizeBytes = "WEBP".length;
  walkChunks(bytes, (type, start, chunkBytes) => {
    const dataBytes = bytes.readUInt32LE(start + 4);
    const exif =
      type === "EXIF"
        ? reduceExif(bytes.subarray(start + HEAD_BYTES, start + HEAD_BYTES + dataBytes))
        : undefined;
    const isKept = type === "EXIF" ? exif !== undefined : type !== "ICCP" || dataBytes <= MAX_PROFILE_BYTES;
    if (!isKept) return;
    if (type === "VP8X") flagsAt = kept.length + HEAD_BYTES;
    flags |= FLAGS.get(type) ?? 0;
    sizeBytes += exif ? HEAD_BYTES + exif.length : chunkBytes;
    if (exif) kept.insert(createChunk("EXIF", exif));
    else kept.keep(start, start + chunkBytes);
  });
  const stripped = kept.toBuffer();
  stripped.writeUInt32LE(Math.min(sizeBytes, MAX_SIZE), 4);
  const former = flagsAt === undefined ? undefined : stripped[flagsAt];
  if (flagsAt !== undefined && former !== undefined)
    stripped[flagsAt] = (former & ~(HAS_PROFILE | HAS_EXIF | HAS_XMP)) | flags;
  return stripped;
}

/** Known ones, each once, except frames of an animation. A truncated one stays one, which the decoder finds. */
function walkChunks(bytes: Buffer, visit: (type: string, start: number, chunkBytes: number) => void): void {
  const seen = new Set<string>();
  for (let at = FILE_HEAD_BYTES; at + HEAD_BYTES <= bytes.length; ) {
    const type = bytes.toString("latin1", at, at + 4);
    const dataBytes = bytes.readUInt32LE(at + 4);
    // Chunks begin at even places.
    const chunkBytes = HEAD_BYTES + dataBytes + (dataBytes % 2);
    if ((DRAWN.has(type) || FLAGS.has(type)) && !seen.has(type)) {
      visit(type, at, chunkBytes);
      if (type !== "ANMF") seen.add(type);
    }
    at += chunkBytes;
  }
}

/** @param data of even length */
function createChunk(type: string, data: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(type, "latin1"), size, data]);
}

/** Finds the sound in MPEG audio files (ISO 11172-3, 2.4.1): after tags, and after bytes that players skip. */
import type { ByteHandle } from "../files/file-store.ts";
import { readBytes } from "./zip.ts";

const HEADER_BYTES = 10;

/** The length of an ID3v2 tag (3.1) at the begin of these bytes; 0 if there is none. */
export function readId3Length(head: Buffer): number {
  if (head.length < HEADER_BYTES || head.toString("latin1", 0, 3) !== "ID3") return 0;
  const size = head.subarray(6, HEADER_BYTES).reduce((bits, byte) => bits * 128 + (byte & 0x7f), 0);
  const hasFooter = ((head[5] ?? 0) & 0x10) !== 0;
  return HEADER_BYTES + size + (hasFooter ? HEADER_BYTES : 0);
}

/** Some programs write a tag before that of another. */
const MAX_TAGS = 8;

/** The position after all ID3v2 tags. */
async function findTagsEnd(file: ByteHandle): Promise<number> {
  let position = 0;
  for (let tags = 0; tags < MAX_TAGS; tags += 1) {
    const length = readId3Length(await readBytes(file, position, HEADER_BYTES));
    if (length === 0) break;
    position += length;
  }
  return position;
}

/** Padding and remains of damaged frames, in which players look for the next frame. */
const MAX_SKIPPED_BYTES = 64 * 1024;
/** The longest frame of layer III has 1,441 bytes, and of MPEG 2.5 at 8 kHz 2,881. */
const MAX_FRAME_BYTES = 2881;
const FRAMES = 5;

/**
 * Whether the file is sound in MPEG layer III. A tag says that it is, so that a single frame is enough after it; so many of
 * the same kind, each where the one before ends, are no accident.
 */
export async function isMp3(file: ByteHandle): Promise<boolean> {
  const start = await findTagsEnd(file);
  const piece = await readBytes(file, start, MAX_SKIPPED_BYTES + FRAMES * MAX_FRAME_BYTES);
  const needed = start > 0 ? 1 : FRAMES;
  for (let at = piece.indexOf(0xff); at >= 0 && at < MAX_SKIPPED_BYTES; at = piece.indexOf(0xff, at + 1)) {
    if (hasFrames(piece, at, needed)) return true;
  }
  return false;
}

/** Whether so many frames of the same kind follow each other; the last one can be cut off. */
function hasFrames(bytes: Buffer, start: number, count: number): boolean {
  let at = start;
  let kind: number | undefined;
  for (let frames = 0; frames < count; frames += 1) {
    const frame = readFrameHeader(bytes, at);
    if (!frame || (kind !== undefined && frame.kind !== kind)) return false;
    kind = frame.kind;
    at += frame.length;
    if (at >= bytes.length) return frames > 0 || count === 1;
  }
  return true;
}

/** In kbit/s, of layer III in MPEG 1, and in MPEG 2 and 2.5. */
const BIT_RATES = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;
/** By the bits of the version: MPEG 2.5, reserved, MPEG 2, MPEG 1. */
const SAMPLE_RATES = [
  [11_025, 12_000, 8000],
  [],
  [22_050, 24_000, 16_000],
  [44_100, 48_000, 32_000],
] as const;

/** Undefined for other bytes, and for frames whose length isn't said. `kind`: version, layer and sample rate. */
function readFrameHeader(bytes: Buffer, at: number): { length: number; kind: number } | undefined {
  if (at + 4 > bytes.length) return undefined;
  const header = bytes.readUInt32BE(at);
  const isFrame = header >>> 21 === 0x7ff && ((header >>> 17) & 3) === 1;
  const version = (header >>> 19) & 3;
  const isMpeg1 = version === 3;
  const bitRate = BIT_RATES[isMpeg1 ? 0 : 1][(header >>> 12) & 15];
  const sampleRate = SAMPLE_RATES[version]?.[(header >>> 10) & 3];
  if (!isFrame || !bitRate || !sampleRate) return undefined;
  const padding = (header >>> 9) & 1;
  const length = Math.floor(((isMpeg1 ? 144_000 : 72_000) * bitRate) / sampleRate) + padding;
  return { length, kind: header & 0xfffe0c00 };
}

/** PNG without the chunks that aren't drawn: zTXt, iTXt and iCCP inflate a thousand times, and a file can have many. */
import { crc32, inflateSync } from "node:zlib";
import { KeptBytes } from "./kept-bytes.ts";
import { MAX_PROFILE_BYTES, reduceExif } from "./metadata.ts";

const SIGNATURE_BYTES = 8;
/** Its length and its type before the data, and the checksum after it. */
const HEAD_BYTES = 8;
const CHECKSUM_BYTES = 4;

/** Chunks that change what is drawn, and may be there once; the first counts. */
const ONCE = new Set(["IHDR", "PLTE", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "eXIf"]);
/** The longest name of a profile, with its end and the method. */
const MAX_PROFILE_HEAD = 81;

export function stripPng(bytes: Buffer): Buffer {
  const kept = new KeptBytes(bytes);
  kept.keep(0, SIGNATURE_BYTES);
  const seen = new Set<string>();
  for (let at = SIGNATURE_BYTES; at + HEAD_BYTES <= bytes.length; ) {
    const type = bytes.toString("latin1", at + 4, at + HEAD_BYTES);
    const dataEnd = at + HEAD_BYTES + bytes.readUInt32BE(at);
    const end = dataEnd + CHECKSUM_BYTES;
    // A truncated chunk stays one, which the decoder finds. What it must know is its own to refuse.
    if (isKept(type, seen)) {
      const data = bytes.subarray(at + HEAD_BYTES, dataEnd);
      if (type === "eXIf") insertOrientation(kept, data);
      else if (type !== "iCCP" || isUsualProfile(data)) kept.keep(at, end);
    }
    if (type === "IEND") break;
    at = end;
  }
  return kept.toBuffer();
}

function insertOrientation(kept: KeptBytes, data: Buffer): void {
  const exif = reduceExif(data);
  if (exif) kept.insert(createChunk("eXIf", exif));
}

function isKept(type: string, seen: Set<string>): boolean {
  if (!ONCE.has(type)) return isCritical(type);
  const isFirst = !seen.has(type);
  seen.add(type);
  return isFirst;
}

/** By the case of its first letter. */
const isCritical = (type: string): boolean => /^[A-Z]/.test(type);

/** Its data: a name, NUL, the method, and the compressed profile. */
function isUsualProfile(data: Buffer): boolean {
  const nameEnd = data.subarray(0, MAX_PROFILE_HEAD).indexOf(0);
  if (nameEnd < 0) return false;
  try {
    inflateSync(data.subarray(nameEnd + 2), { maxOutputLength: MAX_PROFILE_BYTES });
    return true;
  } catch {
    return false;
  }
}

function createChunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, checksum]);
}

/** JPEG without comments and the APP segments that aren't drawn: EXIF, XMP, previews, captions. */
import { MAX_PROFILE_BYTES, reduceExif, withExifSignature } from "./metadata.ts";

const START = Buffer.from([0xff, 0xd8]);
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
const APP15 = 0xef;
const COMMENT = 0xfe;
const SCAN = 0xda;
const END = 0xd9;
const LENGTH_BYTES = 2;

const EXIF = "Exif\0\0";
const PROFILE = "ICC_PROFILE\0";

interface Segment {
  marker: number;
  /** After the length. */
  data: Buffer;
  /** With marker and length. */
  whole: Buffer;
}

interface Kept {
  /** The kinds of APP segments that may be there once; the first counts. */
  seen: Set<string>;
  profileBytes: number;
}

/** Up to the first scan, after which nothing is parsed but pixels. */
export function stripJpeg(bytes: Buffer): Buffer {
  const kept: Kept = { seen: new Set(), profileBytes: 0 };
  const parts: { bytes: Buffer; isProfile: boolean }[] = [];
  let at = START.length;
  for (let next = findMarker(bytes, at); next !== undefined; next = findMarker(bytes, at)) {
    const marker = bytes[next + 1] ?? END;
    if (marker === SCAN || marker === END) {
      at = next;
      break;
    }
    const segment = readSegment(bytes, next, marker);
    at = next + segment.whole.length;
    const part = keepSegment(segment, kept);
    if (part) parts.push({ bytes: part, isProfile: isProfile(segment) });
  }
  const isUsual = kept.profileBytes <= MAX_PROFILE_BYTES;
  const used = parts.filter((part) => isUsual || !part.isProfile).map((part) => part.bytes);
  return Buffer.concat([START, ...used, bytes.subarray(at)]);
}

/** The next marker, as decoders find it: bytes between two segments are skipped, and a marker may begin with several 0xFF. */
function findMarker(bytes: Buffer, from: number): number | undefined {
  for (
    let at = bytes.indexOf(0xff, from);
    at >= 0 && at + 1 < bytes.length;
    at = bytes.indexOf(0xff, at + 1)
  ) {
    const code = bytes[at + 1];
    if (code !== 0 && code !== 0xff) return at;
  }
  return undefined;
}

/** TEM and the restart markers have neither length nor data. */
const isAlone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);

function readSegment(bytes: Buffer, at: number, marker: number): Segment {
  const start = at + 2;
  if (isAlone(marker)) return { marker, data: Buffer.alloc(0), whole: bytes.subarray(at, start) };
  const given = start + LENGTH_BYTES <= bytes.length ? bytes.readUInt16BE(start) : bytes.length;
  const end = start + Math.max(LENGTH_BYTES, given);
  return { marker, data: bytes.subarray(start + LENGTH_BYTES, end), whole: bytes.subarray(at, end) };
}

function keepSegment(segment: Segment, kept: Kept): Buffer | undefined {
  const { marker, data, whole } = segment;
  if (marker === COMMENT) return undefined;
  if (marker < APP0 || marker > APP15) return whole;
  if (isProfile(segment)) {
    kept.profileBytes += data.length;
    return kept.profileBytes <= MAX_PROFILE_BYTES ? whole : undefined;
  }
  const kind = findDrawn(marker, data);
  if (kind === undefined || kept.seen.has(kind)) return undefined;
  kept.seen.add(kind);
  return kind === EXIF ? createOrientation(data) : whole;
}

/** JFIF and Adobe's segment decide on the colours, EXIF on the orientation. */
function findDrawn(marker: number, data: Buffer): string | undefined {
  if (marker === APP0 && beginsWith(data, "JFIF\0")) return "JFIF";
  if (marker === APP14 && beginsWith(data, "Adobe")) return "Adobe";
  return marker === APP1 && beginsWith(data, EXIF) ? EXIF : undefined;
}

const isProfile = ({ marker, data }: Segment): boolean => marker === APP2 && beginsWith(data, PROFILE);

const beginsWith = (data: Buffer, text: string): boolean => data.toString("latin1", 0, text.length) === text;

function createOrientation(exif: Buffer): Buffer | undefined {
  const reduced = reduceExif(exif);
  if (!reduced) return undefined;
  const data = withExifSignature(reduced);
  return Buffer.concat([Buffer.from([0xff, APP1, 0, data.length + LENGTH_BYTES]), data]);
}

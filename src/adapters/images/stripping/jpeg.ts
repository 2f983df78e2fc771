/** JPEG without comments and the APP segments that aren't drawn: EXIF, XMP, previews, captions. */
import { KeptBytes } from "./kept-bytes.ts";
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
const TEM = 0x01;
const RESTART_0 = 0xd0;
const START_OF_IMAGE = 0xd8;
const LENGTH_BYTES = 2;

const EXIF = "Exif\0\0";
const PROFILE = "ICC_PROFILE\0";
const SIGNATURES: ReadonlyMap<number, string> = new Map([
  [APP0, "JFIF\0"],
  [APP1, EXIF],
  [APP2, PROFILE],
  [APP14, "Adobe"],
]);

interface Segment {
  marker: number;
  start: number;
  /** After marker and length. */
  data: number;
  end: number;
}

/** Up to the first scan, after which nothing is parsed but pixels. */
export function stripJpeg(bytes: Buffer): Buffer {
  const hasUsualProfile = sumProfile(bytes) <= MAX_PROFILE_BYTES;
  const kept = new KeptBytes(bytes);
  kept.insert(START);
  /** The kinds of APP segments that may be there once; the first counts. */
  const seen = new Set<string>();
  const scan = walkSegments(bytes, (segment) => {
    const { marker, start, end } = segment;
    if (marker === COMMENT) return;
    const isApp = marker >= APP0 && marker <= APP15;
    const kind = isApp ? findDrawn(bytes, segment) : undefined;
    if (!isApp || (kind === PROFILE && hasUsualProfile)) kept.keep(start, end);
    if (kind === undefined || kind === PROFILE || seen.has(kind)) return;
    seen.add(kind);
    if (kind === EXIF) insertOrientation(kept, bytes.subarray(segment.data, end));
    else kept.keep(start, end);
  });
  kept.keep(scan);
  return kept.toBuffer();
}

function sumProfile(bytes: Buffer): number {
  let sum = 0;
  walkSegments(bytes, (segment) => {
    if (findDrawn(bytes, segment) === PROFILE) sum += segment.end - segment.data;
  });
  return sum;
}

/** @returns where the first scan begins, or the end of the last segment */
function walkSegments(bytes: Buffer, visit: (segment: Segment) => void): number {
  let at = START.length;
  for (let start = findMarker(bytes, at); start !== undefined; start = findMarker(bytes, at)) {
    const marker = bytes[start + 1] ?? END;
    if (marker === SCAN || marker === END) return start;
    const length = readLength(bytes, start + 2, marker);
    at = start + 2 + length;
    visit({ marker, start, data: start + 2 + Math.min(length, LENGTH_BYTES), end: at });
  }
  return at;
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

/** Of a segment with its length. TEM and the restart markers have neither length nor data. */
function readLength(bytes: Buffer, at: number, marker: number): number {
  if (marker === TEM || (marker >= RESTART_0 && marker <= START_OF_IMAGE)) return 0;
  return at + LENGTH_BYTES <= bytes.length ? Math.max(LENGTH_BYTES, bytes.readUInt16BE(at)) : bytes.length;
}

/** JFIF and Adobe's segment decide on the colours, as profiles do, EXIF on the orientation. */
function findDrawn(bytes: Buffer, { marker, data, end }: Segment): string | undefined {
  const signature = SIGNATURES.get(marker);
  if (signature === undefined || data + signature.length > end) return undefined;
  return bytes.toString("latin1", data, data + signature.length) === signature ? signature : undefined;
}

function insertOrientation(kept: KeptBytes, exif: Buffer): void {
  const reduced = reduceExif(exif);
  if (!reduced) return;
  const data = withExifSignature(reduced);
  kept.insert(Buffer.from([0xff, APP1, 0, data.length + LENGTH_BYTES]));
  kept.insert(data);
}

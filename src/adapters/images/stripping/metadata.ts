/** What is kept of the metadata of a picture: its orientation, and a colour profile of a usual size. */

/** Profiles of printers have half a megabyte. */
export const MAX_PROFILE_BYTES = 1024 * 1024;

const ORIENTATION = 0x0112;
const SHORT = 3;
const ENTRY_BYTES = 12;
const MAX_ORIENTATION = 8;
const UPRIGHT = 1;
const EXIF = "Exif\0\0";
/** Cameras write fewer than fifty. */
const MAX_ENTRIES = 1000;

/**
 * EXIF that has the orientation alone, as TIFF; undefined if the picture is upright. Entries of EXIF can share their bytes,
 * so that a small file becomes many megabytes in a parser that copies each.
 */
export function reduceExif(exif: Buffer): Buffer | undefined {
  const orientation = readOrientation(exif);
  if (orientation === undefined || orientation === UPRIGHT) return undefined;
  const reduced = Buffer.from("MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0", "latin1");
  reduced.writeUInt16BE(orientation, 18);
  return reduced;
}

export const withExifSignature = (tiff: Buffer): Buffer => Buffer.concat([Buffer.from(EXIF, "latin1"), tiff]);

/** From 1 to 8; undefined if there is none. @param exif TIFF, with or without the signature of EXIF */
function readOrientation(exif: Buffer): number | undefined {
  const tiff = exif.toString("latin1", 0, EXIF.length) === EXIF ? exif.subarray(EXIF.length) : exif;
  const order = tiff.toString("latin1", 0, 4);
  if (order !== "II*\0" && order !== "MM\0*") return undefined;
  const isLittle = order === "II*\0";
  const read16 = (at: number) => {
    if (at + 2 > tiff.length) return 0;
    return isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at);
  };
  if (tiff.length < 8) return undefined;
  const start = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  const entries = Math.min(read16(start), MAX_ENTRIES);
  for (let index = 0; index < entries; index += 1) {
    const entry = start + 2 + index * ENTRY_BYTES;
    if (read16(entry) !== ORIENTATION || read16(entry + 2) !== SHORT) continue;
    const orientation = read16(entry + 8);
    return orientation >= UPRIGHT && orientation <= MAX_ORIENTATION ? orientation : undefined;
  }
  return undefined;
}

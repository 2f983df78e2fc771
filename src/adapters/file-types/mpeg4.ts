/** What an MPEG-4 file (ISO 14496-12) plays: moving pictures, or sound alone. Reads the headers of its boxes. */
import type { ByteHandle } from "../files/file-store.ts";
import { readBytes } from "./zip.ts";

interface Box {
  type: string;
  start: number;
  end: number;
}

/** Far more than an audio book has on the ways that are read. */
const MAX_BOXES = 2000;
const HEADER_BYTES = 16;

/** Pictures of covers and chapters are a track, too, of these formats. */
const STILL = new Set(["jpeg", "mjpa", "mjpb", "png ", "gif ", "tiff"]);

/** A film, sound without moving pictures, or neither as far as its tracks say. */
export async function findPlayed(file: ByteHandle, sizeBytes: number): Promise<"film" | "sound" | undefined> {
  const boxes = new Boxes(file);
  const [movie] = await boxes.find({ type: "", start: 0, end: sizeBytes }, "moov");
  const tracks = movie ? await boxes.find(movie, "trak") : [];
  let hasSound = false;
  for (const track of tracks) {
    const [media] = await boxes.find(track, "mdia");
    const kind = media && (await readKind(media, boxes, file));
    if (media && kind === "vide" && (await isMoving(media, boxes, file))) return "film";
    hasSound ||= kind === "soun";
  }
  return hasSound ? "sound" : undefined;
}

/** Version and flags, and a type that is always `mhlr` or 0, come before. */
async function readKind(media: Box, boxes: Boxes, file: ByteHandle): Promise<string | undefined> {
  const [handler] = await boxes.find(media, "hdlr");
  return handler && (await readBytes(file, handler.start + 8, 4)).toString("latin1");
}

async function isMoving(media: Box, boxes: Boxes, file: ByteHandle): Promise<boolean> {
  const [information] = await boxes.find(media, "minf");
  const [table] = information ? await boxes.find(information, "stbl") : [];
  const [description] = table ? await boxes.find(table, "stsd") : [];
  // Version, flags and count, and the length of the first entry, come before its format.
  const format = description && (await readBytes(file, description.start + 12, 4)).toString("latin1");
  return format === undefined || !STILL.has(format.toLowerCase());
}

class Boxes {
  readonly #file: ByteHandle;
  #count = 0;

  constructor(file: ByteHandle) {
    this.#file = file;
  }

  /** Those of a type in another one. */
  async find(parent: Box, type: string): Promise<Box[]> {
    const found: Box[] = [];
    for (let at = parent.start; at + 8 <= parent.end && this.#count < MAX_BOXES; this.#count += 1) {
      const box = parseBox(await readBytes(this.#file, at, HEADER_BYTES), at, parent.end);
      if (!box) break;
      if (box.type === type) found.push(box);
      at = box.end;
    }
    return found;
  }
}

/** Undefined if it isn't one. */
function parseBox(header: Buffer, at: number, limit: number): Box | undefined {
  if (header.length < 8) return undefined;
  const short = header.readUInt32BE(0);
  const isLong = short === 1 && header.length >= HEADER_BYTES;
  const size = isLong ? Number(header.readBigUInt64BE(8)) : short === 0 ? limit - at : short;
  const headerBytes = isLong ? HEADER_BYTES : 8;
  if (size < headerBytes) return undefined;
  return {
    type: header.toString("latin1", 4, 8),
    start: at + headerBytes,
    end: Math.min(limit, at + size),
  };
}

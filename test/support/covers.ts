/** Covers of one colour, and what can be seen of an image. */
import sharp, { type Metadata } from "sharp";
import { bodyOf, type Client } from "./client.ts";

const COLORS = {
  red: { r: 255, g: 0, b: 0 },
  green: { r: 0, g: 160, b: 0 },
  blue: { r: 0, g: 0, b: 255 },
  yellow: { r: 255, g: 220, b: 0 },
  purple: { r: 140, g: 0, b: 180 },
};
const NAMES = ["red", "green", "blue", "yellow", "purple"] as const;
type Color = (typeof NAMES)[number];

export interface PictureOptions {
  width?: number;
  height?: number;
  type?: "jpeg" | "png" | "webp" | "gif";
}

/** An image of one colour. */
export function createPicture(
  color: Color,
  { width = 400, height = 600, type = "jpeg" }: PictureOptions = {},
): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: COLORS[color] } })
    .toFormat(type)
    .toBuffer();
}

/** The colour of an image; undefined when it is none of ours. */
export async function readColor(bytes: Buffer): Promise<Color | undefined> {
  const [red = 0, green = 0, blue = 0] = await sharp(bytes).resize(1, 1).removeAlpha().raw().toBuffer();
  return NAMES.find((name) => {
    const { r, g, b } = COLORS[name];
    return Math.max(Math.abs(r - red), Math.abs(g - green), Math.abs(b - blue)) < 12;
  });
}

export const readMetadata = (bytes: Buffer): Promise<Metadata> => sharp(bytes).metadata();

export const coverPathOf = (bookId: string, code: string): string =>
  `/api/admin/books/${bookId}/covers/${code}`;

/** Bytes that say nothing of their type. */
export const BYTES = { "Content-Type": "application/octet-stream" };

/** Uploads a cover as raw bytes. @returns its metadata */
export async function putCover(client: Client, bookId: string, code: string, body: Buffer) {
  return (await bodyOf(client.call("put", coverPathOf(bookId, code), { body, headers: BYTES }))).cover;
}

/** A cover as lists have it: only responses to its creation or replacement have remarks. */
export function asListed<T extends { remarks: unknown }>({ remarks: _, ...cover }: T): Omit<T, "remarks"> {
  return cover;
}

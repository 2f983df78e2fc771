/** An image of any size, or an icon, as a favicon. Loaded with sharp, when the first one is made. */
import { readFile } from "node:fs/promises";
import decodeIco from "decode-ico";
import { decoded, encoded, fitted, fromRgba, type Picture, type Sharp } from "./pictures.ts";

const SIDE = 256;

export async function faviconFrom(path: string): Promise<Picture<"image/png">> {
  const bytes = await readFile(path);
  return encoded(fitted(isIcon(bytes) ? imageInIcon(bytes) : decoded(bytes), SIDE), "image/png", "sending");
}

// Icons (.ico): several images in one file, each a PNG or a bitmap. libvips doesn't know them.

const isIcon = (bytes: Buffer): boolean => bytes.subarray(0, 4).equals(Buffer.from([0, 0, 1, 0]));

/** The largest image; among those of one size the one with the most colours. Throws when a part can't be read. */
function imageInIcon(bytes: Buffer): Sharp {
  const [largest] = decodeIco(bytes).sort((a, b) => b.width - a.width || b.bpp - a.bpp);
  if (!largest) throw new Error("The icon holds no image");
  const { type, data, width, height } = largest;
  return type === "png" ? decoded(Buffer.from(data)) : fromRgba(Buffer.from(data), { width, height });
}

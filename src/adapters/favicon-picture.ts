/** An image of any size, or an icon, as a favicon. Loaded with sharp, when the first one is made. */
import { readFile } from "node:fs/promises";
import { imageInIcon, isIcon } from "./favicon-ico.ts";
import { decoded, encoded, fitted, type Picture } from "./pixels.ts";

const SIDE = 256;

export async function faviconFrom(path: string): Promise<Picture<"image/png">> {
  const bytes = await readFile(path);
  return encoded(fitted(isIcon(bytes) ? imageInIcon(bytes) : decoded(bytes), SIDE), "image/png", "sending");
}

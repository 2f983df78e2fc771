/** What becomes of uploaded covers: checked, re-encoded, resized. Loaded with sharp, when the first image is made. */
import { readFile, stat } from "node:fs/promises";
import { payloadTooLarge } from "../errors.ts";
import {
  type CoverContentType,
  type CoverUploadType,
  type CoverWidth,
  MAX_COVER_BYTES,
} from "../schemas/cover-types.ts";
import { checkedCoverType, invalidImage } from "./cover-check.ts";
import { onDisk } from "./file-store-faults.ts";
import { decoded, encoded, type Picture } from "./pixels.ts";

export interface ResizeOptions {
  /** Without one the cover keeps its own width. */
  width?: CoverWidth | undefined;
  contentType: CoverContentType;
}

export async function normalised(path: string): Promise<Picture<CoverUploadType>> {
  const bytes = await onDisk(() => readCover(path));
  const type = await checkedCoverType(bytes);
  try {
    return await encoded(decoded(bytes).autoOrient(), type, "keeping");
  } catch (error) {
    throw invalidImage("The image is damaged or incomplete.", error);
  }
}

export function resized(bytes: Buffer, { width, contentType }: ResizeOptions): Promise<Picture> {
  const image = decoded(bytes);
  const sized = width ? image.resize({ width, withoutEnlargement: true }) : image;
  return encoded(sized, contentType, "sending");
}

async function readCover(path: string): Promise<Buffer> {
  const { size } = await stat(path);
  if (size > MAX_COVER_BYTES) throw payloadTooLarge("image_too_large", "A cover may have at most 10 MB.");
  return readFile(path);
}

/** What is sent to the process of pictures, and what it sends back. */
import { z } from "zod";
import { COVER_CONTENT_TYPES } from "../../schemas/covers.schemas.ts";
import type { ResizeOptions } from "./pictures.ts";
import type { PlaceholderOptions } from "./placeholder.ts";

export type PictureQuestion =
  | { task: "describe" }
  | { task: "normalise" | "logo" | "makeStorable" | "favicon"; bytes: Uint8Array }
  | { task: "resize"; bytes: Uint8Array; options: ResizeOptions }
  /** One byte for each square, in rows: 0 or 1. */
  | { task: "squares"; bytes: Uint8Array; side: number; size: number }
  | { task: "placeholder"; options: PlaceholderOptions };

/** Re-encoded pictures of the permitted bytes and pixels are smaller. */
const MAX_RESULT_BYTES = 128 * 1024 * 1024;

const bytes = z.custom<Uint8Array>(
  (given) => given instanceof Uint8Array && given.length <= MAX_RESULT_BYTES,
);

export const pictureOutcome = z.union([
  z.strictObject({
    picture: z.strictObject({
      bytes,
      contentType: z.enum(COVER_CONTENT_TYPES),
      width: z.int(),
      height: z.int(),
    }),
  }),
  z.strictObject({ bytes }),
  /** The versions of all libraries that decode, scale and encode. */
  z.strictObject({ libraries: z.string() }),
  /** What is wrong with a foreign picture: code and sentence of an AppError. */
  z.strictObject({
    rejection: z.strictObject({
      code: z.enum(["image_invalid", "image_too_large", "image_type_unsupported"]),
      detail: z.string(),
      reason: z.string().optional(),
    }),
  }),
  /** What a library says. */
  z.strictObject({ failure: z.string() }),
  /** Why the libraries can't be loaded. */
  z.strictObject({ unavailable: z.string() }),
]);
export type PictureOutcome = z.input<typeof pictureOutcome>;

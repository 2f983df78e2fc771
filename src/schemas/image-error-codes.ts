/** Error codes of images that are uploaded or drawn, for error-codes.ts. */
import { on } from "./command-error-codes.ts";

export const IMAGE_ERROR_CODES = {
  image_invalid: on(400, "The image can't be decoded.", "Upload an intact JPEG, PNG, WebP or GIF image."),
  image_too_large: on(413, "The image exceeds the limit of bytes or pixels.", "Upload a smaller image."),
  image_type_unsupported: on(
    415,
    "The image is an animated WebP, or not a JPEG, PNG, WebP or GIF.",
    "Convert the image.",
  ),
  images_unavailable: on(
    503,
    "This installation can't process images.",
    "Ask the operator to run `bookdist doctor`.",
  ),
} as const;

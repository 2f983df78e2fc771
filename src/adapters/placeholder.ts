/** Covers drawn from a title. Loaded with HarfBuzz and sharp, when the first one is drawn. */
import type { CoverContentType, CoverWidth } from "../schemas/cover-types.ts";
import { decoded, encoded, type Picture } from "./pixels.ts";
import { drawPlaceholder } from "./placeholder-drawing.ts";
import { PlaceholderFonts } from "./placeholder-fonts.ts";
import { PlaceholderText } from "./placeholder-text.ts";

export interface PlaceholderOptions {
  title: string;
  /** BCP 47: chooses between the forms that Chinese, Japanese and Korean have of one character. */
  languageCode: string;
  direction: "ltr" | "rtl";
  width: CoverWidth;
  contentType: CoverContentType;
}

const fonts = new PlaceholderFonts();

export async function placeholderOf({
  title,
  width,
  contentType,
  ...language
}: PlaceholderOptions): Promise<Picture> {
  const text = await PlaceholderText.prepare({ text: title, ...language }, fonts);
  return encoded(decoded(drawPlaceholder(text, width)).removeAlpha(), contentType, "sending");
}

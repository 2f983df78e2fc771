/** Covers drawn from a title. Loaded with HarfBuzz and sharp, when the first one is drawn. */
import { createHash } from "node:crypto";
import type { CoverContentType, CoverWidth } from "../../schemas/covers.schemas.ts";
import { decoded, encoded, type Picture } from "./pictures.ts";
import { EM, PlaceholderFonts, type Run } from "./placeholder-fonts.ts";
import { type Line, layOut } from "./placeholder-layout.ts";
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

// The picture of a placeholder: a plain cover in a colour of the title's own, with the title on it.

/** The drawing in its own units: 2:3, as most covers are. */
const WIDTH = 400;
const HEIGHT = 600;
const SPINE = 20;
const MARGIN = 40;
const TITLE = { top: 64, width: WIDTH - SPINE - 2 * MARGIN, height: 420 };
const RULE = { width: 56, gap: 34 };

/** An SVG that needs nothing from outside: letters are outlines. @param width in pixels */
export function drawPlaceholder(text: PlaceholderText, width: number): Buffer {
  const { direction, text: title } = text.wording;
  const { lines, fontSize, height } = layOut(text, TITLE);
  const isRtl = direction === "rtl";
  const hue = createHash("sha256").update(title).digest().readUInt16BE() % 360;
  // The spine is where readers of the script begin.
  const left = isRtl ? MARGIN : SPINE + MARGIN;
  const fromLeft = (each: number): number => left + (isRtl ? TITLE.width - each : 0);
  const letters = lines.map((line) => drawLine(line, fontSize, fromLeft(line.width), TITLE.top + line.y));
  const rule = `x="${fromLeft(RULE.width)}" y="${round(TITLE.top + height + RULE.gap)}" width="${RULE.width}"`;
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${(width * HEIGHT) / WIDTH}" viewBox="0 0 ${WIDTH} ${HEIGHT}">
<rect width="${WIDTH}" height="${HEIGHT}" fill="hsl(${hue},30%,31%)"/>
<rect x="${isRtl ? WIDTH - SPINE : 0}" width="${SPINE}" height="${HEIGHT}" fill="hsl(${hue},34%,24%)"/>
<g fill="#faf6ee">${letters.join("")}</g>
<rect ${rule} height="3" fill="hsl(${hue},42%,68%)"/>
</svg>`);
}

function drawLine({ runs }: Line, fontSize: number, x: number, y: number): string {
  const scale = fontSize / EM;
  let glyphs = "";
  let start = 0;
  for (const run of runs) {
    glyphs += drawRun(run, start);
    start += run.width;
  }
  // Outlines have y upwards, the drawing downwards.
  return `<g transform="translate(${round(x)} ${round(y)}) scale(${scale} ${-scale})">${glyphs}</g>`;
}

const drawRun = ({ typeface, glyphs }: Run, start: number): string =>
  glyphs
    .map(({ id, x, y }) => `<path transform="translate(${start + x} ${y})" d="${typeface.outline(id)}"/>`)
    .join("");

const round = (length: number): number => Math.round(length * 100) / 100;

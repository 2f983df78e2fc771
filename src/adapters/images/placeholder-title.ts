/** Lays out a title in lines, as large as fits its box. It is shortened only if it doesn't fit at the smallest size. */
import type { Canvas, SKRSContext2D } from "@napi-rs/canvas";
import { createYielder } from "../../lib/event-loop.ts";
import { createCanvas, PlaceholderFonts } from "./placeholder-fonts.ts";

export interface Title {
  title: string;
  /** BCP 47: selects between Chinese, Japanese and Korean forms of a character. */
  languageCode: string;
  direction: "ltr" | "rtl";
}

/** The area of the cover that is available for the title, in the units of the drawing, like the sizes below. */
export const TITLE_BOX = { width: 300, height: 420 };

interface Line {
  text: string;
  /** Of the baseline, measured down from the top of the box. */
  y: number;
}

export interface Layout {
  fontSize: number;
  /** Distance between baselines. */
  leading: number;
  lines: Line[];
  height: number;
}

/** The font size for measuring text: large enough that rounding doesn't matter. */
export const EM = 1000;
const WEIGHT = 600;

const LARGEST = 58;
const SMALLEST = 24;
const STEPS = 16;
const SIZES = Array.from(
  { length: STEPS },
  (_, step) => LARGEST * (SMALLEST / LARGEST) ** (step / (STEPS - 1)),
);

/** Text pieces are measured separately; together they can be slightly wider. */
const USABLE = 0.98;

/** Minimum distance between baselines, as a multiple of the font size; the script can require more. */
const LEADING = 1.24;
/** Minimum gap between the ink of two lines. */
const GAP = 0.12;

const ELLIPSIS = "…";
/** No cover has room for more. */
const MAX_GRAPHEMES = 300;

interface Type {
  families: string;
  languageCode: string;
  direction: "ltr" | "rtl";
}

function setType(context: SKRSContext2D, { families, languageCode, direction }: Type): void {
  context.font = `${EM}px ${families}`;
  // For variable fonts, canvas ignores the weight in `font` and emboldens the regular outlines.
  context.fontVariationSettings = `"wght" ${WEIGHT}`;
  context.lang = languageCode;
  context.direction = direction;
  context.textAlign = "left";
}

const fonts = new PlaceholderFonts();

/** Canvas draws when pixels are read. Reading after each line keeps a long title from blocking the event loop. */
export const drawNow = (context: SKRSContext2D): void => void context.getImageData(0, 0, 1, 1);

/** Leaves the context with the title's font at size `EM`. */
export async function layOutTitle(
  context: SKRSContext2D,
  { title, languageCode, direction }: Title,
): Promise<Layout> {
  const whole = splitGraphemes(title, languageCode);
  const isCut = whole.length > MAX_GRAPHEMES;
  const start = isCut ? whole.slice(0, MAX_GRAPHEMES).join("").trimEnd() : title;
  const { text, families } = await fonts.findLettering(`${start}${ELLIPSIS}`, languageCode);
  const type = { families, languageCode, direction };
  setType(context, type);
  const setting = { context, ink: createInkCanvas(type), languageCode, pause: createYielder() };
  return layOut(isCut ? text : text.slice(0, -ELLIPSIS.length), setting);
}

interface Setting {
  context: SKRSContext2D;
  ink: Canvas;
  languageCode: string;
  /** Call and await it between two texts: with many fonts, the first measurement of a text takes milliseconds. */
  pause: ReturnType<typeof createYielder>;
}

/** The largest layout that contains the whole title, or else the smallest one with an ellipsis. */
async function layOut(text: string, setting: Setting): Promise<Layout> {
  const pieces: Measured[] = [];
  for (const piece of splitIntoPieces(text, setting.languageCode)) {
    await setting.pause();
    pieces.push(measurePiece(piece, setting));
  }
  for (const fontSize of SIZES) {
    const lines = breakIntoLines(pieces, computeUsableWidth(fontSize));
    // The ink of the first and last lines adds to this height.
    if (!lines || (lines.length - 1) * LEADING * fontSize > TITLE_BOX.height) continue;
    const layout = await placeLines(lines, fontSize, setting);
    if (layout.height <= TITLE_BOX.height) return layout;
  }
  return shortenTitle(pieces, setting);
}

/** At size `EM`. */
const computeUsableWidth = (fontSize: number): number => (USABLE * TITLE_BOX.width * EM) / fontSize;

interface Measured extends Piece {
  width: number;
  spaceWidth: number;
}

function measurePiece(piece: Piece, { context }: Setting): Measured {
  const spaceWidth = piece.space === "" ? 0 : context.measureText(piece.space).width;
  return { ...piece, width: context.measureText(piece.text).width, spaceWidth };
}

/** Fills lines greedily; undefined if a single piece is wider than a line. */
function breakIntoLines(pieces: readonly Measured[], lineWidth: number): string[] | undefined {
  const lines: string[] = [];
  let line = "";
  let room = lineWidth;
  for (const { text, space, width, spaceWidth } of pieces) {
    if (width > lineWidth) return undefined;
    if (width > room) {
      lines.push(line.trimEnd());
      line = "";
      room = lineWidth;
    }
    line += text + space;
    room -= width + spaceWidth;
  }
  return line === "" ? lines : [...lines, line.trimEnd()];
}

async function placeLines(texts: readonly string[], fontSize: number, setting: Setting): Promise<Layout> {
  const reach = await measureInk(texts, setting);
  const above = reach.above * fontSize;
  const below = reach.below * fontSize;
  const leading = Math.max(LEADING * fontSize, above + below + GAP * fontSize);
  const lines = texts.map((text, index) => ({ text, y: above + index * leading }));
  return { fontSize, leading, lines, height: above + below + leading * Math.max(0, lines.length - 1) };
}

/** In pixels: the font size, and the maximum extent of ink above and below the baseline. */
const INK = { size: 64, reach: 128 };

/** As wide as the longest line at the smallest size. */
function createInkCanvas(type: Type): Canvas {
  const canvas = createCanvas(Math.ceil((TITLE_BOX.width / SMALLEST) * INK.size), 2 * INK.reach);
  const context = canvas.getContext("2d");
  setType(context, type);
  context.translate(0, INK.reach);
  context.scale(INK.size / EM, INK.size / EM);
  return canvas;
}

/**
 * The maximum extent of ink above and below the baseline over all lines, as multiples of the font size. The lines are
 * drawn over one another and their pixels are examined, because `measureText` ignores repositioned marks and fallback
 * fonts.
 */
async function measureInk(
  lines: readonly string[],
  { ink: canvas, pause }: Setting,
): Promise<{ above: number; below: number }> {
  const context = canvas.getContext("2d");
  context.clearRect(0, -(EM * INK.reach) / INK.size, canvas.width * EM, 2 * EM * INK.reach);
  for (const text of lines) {
    await pause();
    context.fillText(text, 0, 0);
    drawNow(context);
  }
  const pixels = canvas.data();
  const rowBytes = canvas.width * 4;
  const empty = Buffer.alloc(rowBytes);
  const hasInk = (row: number): boolean =>
    pixels.compare(empty, 0, rowBytes, row * rowBytes, (row + 1) * rowBytes) !== 0;
  const rows = Array.from({ length: canvas.height }, (_, row) => row).filter(hasInk);
  const [first = INK.reach] = rows;
  const last = rows.at(-1) ?? INK.reach - 1;
  return {
    above: Math.max(0, INK.reach - first) / INK.size,
    below: Math.max(0, last + 1 - INK.reach) / INK.size,
  };
}

/** Words wider than a line are broken between graphemes; lines that don't fit are replaced by an ellipsis. */
async function shortenTitle(pieces: readonly Measured[], setting: Setting): Promise<Layout> {
  const lineWidth = computeUsableWidth(SMALLEST);
  const fitting: Measured[] = [];
  for (const piece of pieces) {
    if (piece.width > lineWidth) fitting.push(...(await tearPiece(piece, lineWidth, setting)));
    else fitting.push(piece);
  }
  const lines = breakIntoLines(fitting, lineWidth) ?? [];
  const whole = await placeLines(lines, SMALLEST, setting);
  const excess = Math.ceil((whole.height - TITLE_BOX.height) / whole.leading);
  if (excess <= 0) return whole;
  return placeLines(await cutLines(lines.slice(0, -excess), lineWidth, setting), SMALLEST, setting);
}

async function tearPiece({ text, space }: Piece, lineWidth: number, setting: Setting): Promise<Measured[]> {
  const parts: string[] = [];
  let part = "";
  for (const grapheme of splitGraphemes(text, setting.languageCode)) {
    await setting.pause();
    if (part !== "" && setting.context.measureText(part + grapheme).width > lineWidth) {
      parts.push(part);
      part = "";
    }
    part += grapheme;
  }
  return [
    ...parts.map((each) => measurePiece({ text: each, space: "" }, setting)),
    measurePiece({ text: part, space }, setting),
  ];
}

/** Removes as many graphemes from the last line as the ellipsis needs. */
async function cutLines(lines: readonly string[], lineWidth: number, setting: Setting): Promise<string[]> {
  const rest = splitGraphemes(lines.at(-1) ?? "", setting.languageCode);
  while (rest.length > 0) {
    await setting.pause();
    const shorter = `${rest.join("").trimEnd()}${ELLIPSIS}`;
    if (setting.context.measureText(shorter).width <= lineWidth) return [...lines.slice(0, -1), shorter];
    rest.pop();
  }
  return [...lines];
}

const splitGraphemes = (text: string, languageCode: string): string[] =>
  Array.from(
    new Intl.Segmenter(languageCode, { granularity: "grapheme" }).segment(text),
    ({ segment }) => segment,
  );

// Finds line break opportunities in a title: between words, also in scripts without spaces.

/** Text that stays on one line, and the spaces after it, which are dropped at the end of a line. */
interface Piece {
  text: string;
  space: string;
}

/** ICU finds the words; it has dictionaries for Chinese, Japanese, Thai, Lao, Khmer and Burmese. */
export function splitIntoPieces(text: string, languageCode: string): Piece[] {
  const pieces: Piece[] = [];
  let before: Intl.SegmentData | undefined;
  for (const each of new Intl.Segmenter(languageCode, { granularity: "word" }).segment(text)) {
    const last = pieces.at(-1);
    if (last && SPACE.test(each.segment)) last.space += each.segment;
    else if (last && !(before && mayPart(before, each))) last.text += each.segment;
    else pieces.push({ text: each.segment, space: "" });
    before = each;
  }
  return pieces;
}

function mayPart(before: Intl.SegmentData, after: Intl.SegmentData): boolean {
  if (SPACE.test(before.segment)) return true;
  const opens = OPENING.test(after.segment);
  if (before.isWordLike) return after.isWordLike || opens;
  return DIVIDING.test(before.segment) && (after.isWordLike || opens);
}

/** Without non-breaking spaces. */
const SPACE = /^[^\S\u{A0}\u{202F}]+$/u;

/** East Asian opening brackets and quotation marks, before which a line may end. */
const OPENING = /^[〈《「『【〔〖〘〚〝（［｛]/u;

/**
 * A line may end after these: dashes, slashes, the dividers of Tibetan, Ethiopic, Burmese and Khmer, East Asian
 * stops.
 */
const DIVIDING = /[\p{Pd}/་།༔፡-፨၊။។៕、。，．！？：；・…〉》」』】〕〗〙〛〟）］｝]$/u;

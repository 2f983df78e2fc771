/** A title in lines: as large as its box allows, and shortened only when it is too long at the smallest size. */
import type { Canvas, SKRSContext2D } from "@napi-rs/canvas";
import { turns } from "../../lib/turns.ts";
import { createCanvas, PlaceholderFonts } from "./placeholder-fonts.ts";

export interface Title {
  title: string;
  /** BCP 47: chooses between the forms that Chinese, Japanese and Korean have of one character. */
  languageCode: string;
  direction: "ltr" | "rtl";
}

/** In the units of the drawing, as are the sizes below. */
interface Box {
  width: number;
  height: number;
}

/** What a cover leaves for its title. */
export const TITLE_BOX: Box = { width: 300, height: 420 };

interface Line {
  text: string;
  /** Of the baseline, downwards from the top of the box. */
  y: number;
}

export interface Layout {
  fontSize: number;
  /** From one baseline to the next. */
  leading: number;
  lines: Line[];
  height: number;
}

/** The size at which text is measured: large enough that rounding does not matter. */
export const EM = 1000;
const WEIGHT = 600;

const LARGEST = 58;
const SMALLEST = 24;
const STEPS = 16;
const SIZES = Array.from(
  { length: STEPS },
  (_, step) => LARGEST * (SMALLEST / LARGEST) ** (step / (STEPS - 1)),
);

/** Pieces are measured one by one; side by side they may be a little wider. */
const USABLE = 0.98;

/** From one baseline to the next, unless the script needs more; both as parts of the font's size. */
const LEADING = 1.24;
/** Between the ink of one line and that of the next, at least. */
const GAP = 0.12;

const ELLIPSIS = "…";
/** No cover has room for more. */
const MOST_GRAPHEMES = 300;

interface Type {
  families: string;
  languageCode: string;
  direction: "ltr" | "rtl";
}

function setType(context: SKRSContext2D, { families, languageCode, direction }: Type): void {
  context.font = `${EM}px ${families}`;
  // For variable fonts canvas ignores the weight in `font`, and emboldens the outlines of the regular one.
  context.fontVariationSettings = `"wght" ${WEIGHT}`;
  context.lang = languageCode;
  context.direction = direction;
  context.textAlign = "left";
}

const fonts = new PlaceholderFonts();

/** Canvas draws when pixels are asked for: line by line, so that a long title does not hold the event loop. */
export const drawNow = (context: SKRSContext2D): void => void context.getImageData(0, 0, 1, 1);

/** Leaves the context with the type of the title, at size `EM`. */
export async function layOutTitle(
  context: SKRSContext2D,
  { title, languageCode, direction }: Title,
): Promise<Layout> {
  const whole = graphemes(title, languageCode);
  const isCut = whole.length > MOST_GRAPHEMES;
  const start = isCut ? whole.slice(0, MOST_GRAPHEMES).join("").trimEnd() : title;
  const { text, families } = await fonts.letteringOf(`${start}${ELLIPSIS}`, languageCode);
  const type = { families, languageCode, direction };
  setType(context, type);
  const setting = { context, ink: inkCanvas(type), languageCode, box: TITLE_BOX, pause: turns() };
  return layOut(isCut ? text : text.slice(0, -ELLIPSIS.length), setting);
}

interface Setting {
  context: SKRSContext2D;
  ink: Canvas;
  languageCode: string;
  box: Box;
  /** To be called and waited for between two texts: the first measuring of each takes milliseconds with many fonts. */
  pause: ReturnType<typeof turns>;
}

/** The largest layout that holds the whole title, or else the smallest one with as much as fits and an ellipsis. */
async function layOut(text: string, setting: Setting): Promise<Layout> {
  const { box } = setting;
  const pieces: Measured[] = [];
  for (const piece of piecesOf(text, setting.languageCode)) {
    await setting.pause();
    pieces.push(measured(piece, setting));
  }
  for (const fontSize of SIZES) {
    const lines = broken(pieces, usableWidth(box, fontSize));
    // Without the ink of the first and last lines it is higher still.
    if (!lines || (lines.length - 1) * LEADING * fontSize > box.height) continue;
    const layout = await placed(lines, fontSize, setting);
    if (layout.height <= box.height) return layout;
  }
  return shortened(pieces, setting);
}

/** At size `EM`. */
const usableWidth = ({ width }: Box, fontSize: number): number => (USABLE * width * EM) / fontSize;

interface Measured extends Piece {
  width: number;
  spaceWidth: number;
}

function measured(piece: Piece, { context }: Setting): Measured {
  const spaceWidth = piece.space === "" ? 0 : context.measureText(piece.space).width;
  return { ...piece, width: context.measureText(piece.text).width, spaceWidth };
}

/** Each line takes what it can; undefined when a piece alone is wider than a line. */
function broken(pieces: readonly Measured[], lineWidth: number): string[] | undefined {
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

async function placed(texts: readonly string[], fontSize: number, setting: Setting): Promise<Layout> {
  const reach = await inkOf(texts, setting);
  const above = reach.above * fontSize;
  const below = reach.below * fontSize;
  const leading = Math.max(LEADING * fontSize, above + below + GAP * fontSize);
  const lines = texts.map((text, index) => ({ text, y: above + index * leading }));
  return { fontSize, leading, lines, height: above + below + leading * Math.max(0, lines.length - 1) };
}

/** In pixels: the font's size, and how far ink may reach above and below the baseline. */
const INK = { size: 64, reach: 128 };

/** As wide as the longest line at the smallest size. */
function inkCanvas(type: Type): Canvas {
  const canvas = createCanvas(Math.ceil((TITLE_BOX.width / SMALLEST) * INK.size), 2 * INK.reach);
  const context = canvas.getContext("2d");
  setType(context, type);
  context.translate(0, INK.reach);
  context.scale(INK.size / EM, INK.size / EM);
  return canvas;
}

/**
 * How far the ink of any line reaches above and below its baseline, as parts of the font's size. The lines are drawn over
 * one another and looked at: the bounds that `measureText` gives leave out marks that a font moves, and second fonts.
 */
async function inkOf(
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

/** Words that are wider than a line are torn between graphemes; lines that don't fit become an ellipsis. */
async function shortened(pieces: readonly Measured[], setting: Setting): Promise<Layout> {
  const { box } = setting;
  const lineWidth = usableWidth(box, SMALLEST);
  const fitting: Measured[] = [];
  for (const piece of pieces) {
    if (piece.width > lineWidth) fitting.push(...(await torn(piece, lineWidth, setting)));
    else fitting.push(piece);
  }
  const lines = broken(fitting, lineWidth) ?? [];
  const whole = await placed(lines, SMALLEST, setting);
  const excess = Math.ceil((whole.height - box.height) / whole.leading);
  if (excess <= 0) return whole;
  return placed(await cut(lines.slice(0, -excess), lineWidth, setting), SMALLEST, setting);
}

async function torn({ text, space }: Piece, lineWidth: number, setting: Setting): Promise<Measured[]> {
  const parts: string[] = [];
  let part = "";
  for (const grapheme of graphemes(text, setting.languageCode)) {
    await setting.pause();
    if (part !== "" && setting.context.measureText(part + grapheme).width > lineWidth) {
      parts.push(part);
      part = "";
    }
    part += grapheme;
  }
  return [
    ...parts.map((each) => measured({ text: each, space: "" }, setting)),
    measured({ text: part, space }, setting),
  ];
}

/** The last line gives up as many graphemes as the ellipsis needs. */
async function cut(lines: readonly string[], lineWidth: number, setting: Setting): Promise<string[]> {
  const rest = graphemes(lines.at(-1) ?? "", setting.languageCode);
  while (rest.length > 0) {
    await setting.pause();
    const shorter = `${rest.join("").trimEnd()}${ELLIPSIS}`;
    if (setting.context.measureText(shorter).width <= lineWidth) return [...lines.slice(0, -1), shorter];
    rest.pop();
  }
  return [...lines];
}

const graphemes = (text: string, languageCode: string): string[] =>
  Array.from(
    new Intl.Segmenter(languageCode, { granularity: "grapheme" }).segment(text),
    ({ segment }) => segment,
  );

// Where a title may be broken into lines: between words, also in scripts that write no spaces.

/** What stays on one line, and the spaces after it, which a line's end swallows. */
interface Piece {
  text: string;
  space: string;
}

/** ICU finds the words; it has dictionaries for Chinese, Japanese, Thai, Lao, Khmer and Burmese. */
export function piecesOf(text: string, languageCode: string): Piece[] {
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

/** Not those that hold words together. */
const SPACE = /^[^\S\u{A0}\u{202F}]+$/u;

/** Brackets and quotation marks of East Asia, before which a line may end. */
const OPENING = /^[〈《「『【〔〖〘〚〝（［｛]/u;

/**
 * A line may end after these: dashes, slashes, the dividers of Tibetan, Ethiopic, Burmese and Khmer, East Asian
 * stops.
 */
const DIVIDING = /[\p{Pd}/་།༔፡-፨၊။។៕、。，．！？：；・…〉》」』】〕〗〙〛〟）］｝]$/u;

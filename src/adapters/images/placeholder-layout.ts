/** A title in lines: as large as its box allows, and shortened only when it is too long at the smallest size. */
import { EM, type Run } from "./placeholder-fonts.ts";
import { graphemes, type PlaceholderText } from "./placeholder-text.ts";

/** In the units of the drawing, as are the sizes below. */
export interface Box {
  width: number;
  height: number;
}

export interface Line {
  runs: Run[];
  width: number;
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

/** The largest layout that holds the whole title, or else the smallest one with as much as fits and an ellipsis. */
export function layOut(text: PlaceholderText, box: Box): Layout {
  const pieces = measuredPieces(text, piecesOf(text.wording.text, text.wording.languageCode));
  for (const fontSize of SIZES) {
    const ranges = broken(pieces, usableWidth(box, fontSize));
    // Without the ink of the first and last lines it is higher still.
    if (!ranges || (ranges.length - 1) * LEADING * fontSize > box.height) continue;
    const layout = placed(text, ranges, fontSize);
    if (layout.height <= box.height) return layout;
  }
  return shortened(text, pieces, box);
}

/** In the units of typefaces. */
const usableWidth = ({ width }: Box, fontSize: number): number => (USABLE * width * EM) / fontSize;

interface Range {
  start: number;
  end: number;
}

interface Measured extends Piece {
  width: number;
  spaceWidth: number;
}

const measuredPieces = (text: PlaceholderText, pieces: readonly Piece[]): Measured[] =>
  pieces.map((piece) => ({
    ...piece,
    width: text.width(piece.start, piece.end),
    spaceWidth: text.width(piece.end, piece.spaceEnd),
  }));

/** Each line takes what it can; undefined when a piece alone is wider than a line. */
function broken(pieces: readonly Measured[], lineWidth: number): Range[] | undefined {
  const lines: Range[] = [];
  let room = -1;
  for (const { start, end, width, spaceWidth } of pieces) {
    if (width > lineWidth) return undefined;
    const line = lines.at(-1);
    if (line && width <= room) line.end = end;
    else {
      lines.push({ start, end });
      room = lineWidth;
    }
    room -= width + spaceWidth;
  }
  return lines;
}

function placed(text: PlaceholderText, ranges: readonly Range[], fontSize: number): Layout {
  const scale = fontSize / EM;
  const lines = ranges.map(({ start, end }) => text.runs(start, end));
  const ink = lines.flat().flatMap(inkOf);
  const above = Math.max(0, ...ink.map((each) => each.above)) * scale;
  const below = Math.max(0, ...ink.map((each) => each.below)) * scale;
  const leading = Math.max(LEADING * fontSize, above + below + GAP * fontSize);
  return {
    fontSize,
    leading,
    height: above + below + leading * Math.max(0, lines.length - 1),
    lines: lines.map((runs, index) => ({
      runs,
      width: runs.reduce((sum, run) => sum + run.width, 0) * scale,
      y: above + index * leading,
    })),
  };
}

const inkOf = ({ typeface, glyphs }: Run): { above: number; below: number }[] =>
  glyphs.map(({ id, y }) => {
    const { above, below } = typeface.extents(id);
    return { above: above + y, below: below - y };
  });

/** Words that are wider than a line are torn between graphemes; lines that don't fit become an ellipsis. */
function shortened(text: PlaceholderText, pieces: readonly Measured[], box: Box): Layout {
  const lineWidth = usableWidth(box, SMALLEST);
  const fitting = pieces.flatMap((piece) =>
    piece.width > lineWidth ? torn(text, piece, lineWidth) : [piece],
  );
  const ranges = broken(fitting, lineWidth) ?? [];
  const whole = placed(text, ranges, SMALLEST);
  const excess = Math.ceil((whole.height - box.height) / whole.leading);
  return excess > 0 ? cut(text, ranges.slice(0, -excess), lineWidth) : whole;
}

function torn(text: PlaceholderText, piece: Measured, lineWidth: number): Measured[] {
  const parts: Measured[] = [];
  for (const end of graphemeEnds(text, piece)) {
    const last = parts.at(-1);
    const width = last ? text.width(last.start, end) : lineWidth;
    if (last && width <= lineWidth) Object.assign(last, { end, spaceEnd: end, width });
    else {
      const start = last?.end ?? piece.start;
      parts.push({ start, end, spaceEnd: end, width: text.width(start, end), spaceWidth: 0 });
    }
  }
  return parts;
}

/** The last line gives up as many graphemes as the ellipsis needs. */
function cut(text: PlaceholderText, ranges: readonly Range[], lineWidth: number): Layout {
  const last = ranges.at(-1);
  if (!last) return placed(text, [], SMALLEST);
  for (const end of graphemeEnds(text, last).reverse()) {
    if (/\s/.test(text.wording.text.charAt(end - 1))) continue;
    const shorter = text.cutAt(end);
    const range = { start: last.start, end: shorter.wording.text.length };
    if (shorter.width(range.start, range.end) > lineWidth) continue;
    return placed(shorter, [...ranges.slice(0, -1), range], SMALLEST);
  }
  return placed(text, ranges, SMALLEST);
}

const graphemeEnds = ({ wording }: PlaceholderText, { start, end }: Range): number[] =>
  [...graphemes(wording.text.slice(start, end), wording.languageCode)].map(
    ({ index, segment }) => start + index + segment.length,
  );

// Where a title may be broken into lines: between words, also in scripts that write no spaces.

/** What stays on one line, and the spaces after it, which a line's end swallows. */
interface Piece {
  start: number;
  end: number;
  spaceEnd: number;
}

/** Words are told by ICU, which has dictionaries for Chinese, Japanese, Thai, Lao, Khmer and Burmese. */
export function piecesOf(text: string, languageCode: string): Piece[] {
  const pieces: Piece[] = [];
  let before: Intl.SegmentData | undefined;
  for (const segment of new Intl.Segmenter(languageCode, { granularity: "word" }).segment(text)) {
    const end = segment.index + segment.segment.length;
    const last = pieces.at(-1);
    if (last && SPACE.test(segment.segment)) last.spaceEnd = end;
    else if (last && !(before && mayPart(before, segment))) Object.assign(last, { end, spaceEnd: end });
    else pieces.push({ start: segment.index, end, spaceEnd: end });
    before = segment;
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

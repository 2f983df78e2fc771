/** Where a title may be broken into lines: between words, also in scripts that write no spaces. */

/** What stays on one line, and the spaces after it, which a line's end swallows. */
export interface Piece {
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

/** A line may end after these: dashes, slashes, the dividers of Tibetan, Ethiopic, Burmese and Khmer, East Asian stops. */
const DIVIDING = /[\p{Pd}/་།༔፡-፨၊။។៕、。，．！？：；・…〉》」』】〕〗〙〛〟）］｝]$/u;

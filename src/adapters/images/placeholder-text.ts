/** A title made ready for layout: each piece of it with a typeface and a direction, in any mixture of scripts. */
import bidiFactory, { type Bidi } from "bidi-js";
import { z } from "zod";
import type { PlaceholderFonts, Run, Typeface } from "./placeholder-fonts.ts";

export interface Wording {
  text: string;
  /** BCP 47 */
  languageCode: string;
  direction: "ltr" | "rtl";
}

/** Characters that belong together: of one direction and one typeface. */
interface RowRange {
  start: number;
  end: number;
  /** The embedding level (UAX #9): odd is right to left. */
  level: number;
  /** Undefined where no font has the characters: they are left out. */
  typeface: Typeface | undefined;
}

const ELLIPSIS = "…";
const MOST_GRAPHEMES = 300;
// Its types speak of a module with a default export; what Node gets is the function itself.
const bidi = z.custom<() => Bidi>((value) => typeof value === "function").parse(bidiFactory)();

export class PlaceholderText {
  readonly wording: Wording;
  readonly #ranges: readonly RowRange[];
  /** What stands for the rest of a text that was cut. */
  readonly #ellipsis: Typeface | undefined;

  private constructor(wording: Wording, ranges: readonly RowRange[], ellipsis: Typeface | undefined) {
    this.wording = wording;
    this.#ranges = ranges;
    this.#ellipsis = ellipsis;
  }

  /** Of a very long text only the beginning is taken, with an ellipsis: no cover has room for more. */
  static async prepare(whole: Wording, fonts: PlaceholderFonts): Promise<PlaceholderText> {
    const wording = { ...whole, text: beginningOf(whole) };
    const { levels } = bidi.getEmbeddingLevels(wording.text, wording.direction);
    const ranges: RowRange[] = [];
    for await (const { start, end, typeface } of setInType(wording, fonts)) {
      const level = levels[start] ?? 0;
      const last = ranges.at(-1);
      if (last && last.typeface === typeface && last.level === level) last.end = end;
      else ranges.push({ start, end, level, typeface });
    }
    const ellipsis = await fonts.typefaceFor([ELLIPSIS.charCodeAt(0)], wording.languageCode);
    return new PlaceholderText(wording, ranges, ellipsis);
  }

  /** The text up to `end`, and an ellipsis. */
  cutAt(end: number): PlaceholderText {
    const text = `${this.wording.text.slice(0, end)}${ELLIPSIS}`;
    const level = this.wording.direction === "rtl" ? 1 : 0;
    const rest = { start: end, end: text.length, level, typeface: this.#ellipsis };
    const kept = partsOf(this.#ranges, 0, end);
    return new PlaceholderText({ ...this.wording, text }, [...kept, rest], this.#ellipsis);
  }

  /** A part of the text as one line: its runs from left to right. */
  runs(start: number, end: number): Run[] {
    const { text, languageCode } = this.wording;
    return inVisualOrder(partsOf(this.#ranges, start, end)).flatMap(({ typeface, level, ...span }) =>
      typeface ? [typeface.shape(text, { ...span, isRtl: level % 2 === 1 }, languageCode)] : [],
    );
  }

  width(start: number, end: number): number {
    return this.runs(start, end).reduce((sum, run) => sum + run.width, 0);
  }
}

function beginningOf({ text, languageCode }: Wording): string {
  const [beyond] = [...graphemes(text, languageCode)].slice(MOST_GRAPHEMES);
  return beyond ? `${text.slice(0, beyond.index).trimEnd()}${ELLIPSIS}` : text;
}

const partsOf = (ranges: readonly RowRange[], start: number, end: number): RowRange[] =>
  ranges
    .filter((each) => each.start < end && start < each.end)
    .map((each) => ({ ...each, start: Math.max(start, each.start), end: Math.min(end, each.end) }));

/** Rule L2 of UAX #9: from the highest level down to the lowest odd one, what is at it or above is reversed. */
function inVisualOrder(ranges: readonly RowRange[]): RowRange[] {
  const ordered = [...ranges];
  for (let level = Math.max(0, ...ordered.map((each) => each.level)); level > 0; level--) {
    for (let first = 0; first < ordered.length; first++) {
      let end = first;
      while ((ordered[end]?.level ?? -1) >= level) end++;
      ordered.splice(first, end - first, ...ordered.slice(first, end).reverse());
      first = end;
    }
  }
  return ordered;
}

interface SetInType {
  start: number;
  end: number;
  typeface: Typeface | undefined;
}

/** Whole graphemes where one typeface has all of a grapheme's characters; else character by character. */
async function* setInType(
  { text, languageCode }: Wording,
  fonts: PlaceholderFonts,
): AsyncGenerator<SetInType> {
  let previous: Typeface | undefined;
  for (const { segment, index } of graphemes(text, languageCode)) {
    const typeface = await typefaceOf(segment, previous);
    if (typeface || segment.length === 1) yield { start: index, end: index + segment.length, typeface };
    else yield* characterByCharacter(segment, index);
    previous = typeface;
  }

  async function typefaceOf(segment: string, neighbour?: Typeface): Promise<Typeface | undefined> {
    const needed = [...segment.replaceAll(INVISIBLE, "")].map((character) => character.codePointAt(0) ?? 0);
    // Spaces and punctuation look like the letters before them.
    const isNeutral = /^[\p{sc=Common}\p{sc=Inherited}]*$/u.test(segment);
    if (isNeutral && neighbour && needed.every((codePoint) => neighbour.has(codePoint))) return neighbour;
    return fonts.typefaceFor(needed, languageCode);
  }

  async function* characterByCharacter(segment: string, index: number): AsyncGenerator<SetInType> {
    let start = index;
    for (const character of segment) {
      const end = start + character.length;
      yield { start, end, typeface: await typefaceOf(character) };
      start = end;
    }
  }
}

/** Joiners, variation selectors, direction marks: they act on other characters and need no glyph. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

export const graphemes = (text: string, languageCode: string): Iterable<Intl.SegmentData> =>
  new Intl.Segmenter(languageCode, { granularity: "grapheme" }).segment(text);

/** One file of a font: which characters it has, and how they look in a row. HarfBuzz shapes, in any script. */
import { readFile } from "node:fs/promises";
import * as harfbuzz from "harfbuzzjs";
import decompress from "woff2-encoder/decompress";

/** Lengths are in thousandths of the font's size. */
export const EM = 1000;
const WEIGHT = 600;

/** A glyph by its number in the typeface, and where on the baseline it starts; y upwards. */
export interface Glyph {
  id: number;
  x: number;
  y: number;
}

/** Glyphs in the order in which they are seen, from left to right. */
export interface Run {
  typeface: Typeface;
  glyphs: Glyph[];
  width: number;
}

export interface Span {
  start: number;
  end: number;
  isRtl: boolean;
}

export class Typeface {
  /** What it holds in memory. */
  readonly sizeBytes: number;
  readonly #font: harfbuzz.Font;

  private constructor(content: Uint8Array) {
    this.sizeBytes = content.length;
    this.#font = new harfbuzz.Font(new harfbuzz.Face(new harfbuzz.Blob(content)));
    this.#font.setScale(EM, EM);
    this.#font.setVariations([new harfbuzz.Variation("wght", WEIGHT)]);
  }

  /** @param path a WOFF2 file; its weight is chosen where it has several */
  static async open(path: string): Promise<Typeface> {
    return new Typeface(await decompress(await readFile(path)));
  }

  has(codePoint: number): boolean {
    return this.#font.nominalGlyph(codePoint) !== undefined;
  }

  /** Shapes a span of a text; what stands around it decides the forms at its ends. */
  shape(text: string, { start, end, isRtl }: Span, languageCode: string): Run {
    const buffer = new harfbuzz.Buffer();
    buffer.addText(text, start, end - start);
    buffer.setDirection(isRtl ? harfbuzz.Direction.RTL : harfbuzz.Direction.LTR);
    buffer.setLanguage(languageCode);
    buffer.guessSegmentProperties();
    harfbuzz.shape(this.#font, buffer);
    const run: Run = { typeface: this, glyphs: [], width: 0 };
    const positions = buffer.getGlyphPositions();
    for (const [index, { codepoint: id }] of buffer.getGlyphInfos().entries()) {
      const { xOffset = 0, yOffset = 0, xAdvance = 0 } = positions[index] ?? {};
      run.glyphs.push({ id, x: run.width + xOffset, y: yOffset });
      run.width += xAdvance;
    }
    return run;
  }

  /** A glyph as the `d` of an SVG path, y upwards; empty for a space. */
  outline(glyphId: number): string {
    return this.#font.glyphToPath(glyphId);
  }

  /** How far a glyph's ink reaches above and below its own baseline. */
  extents(glyphId: number): { above: number; below: number } {
    const { yBearing, height } = this.#font.glyphExtents(glyphId) ?? { yBearing: 0, height: 0 };
    return { above: yBearing, below: -(yBearing + height) };
  }
}

/** The fonts that placeholders are lettered with: files of npm packages, none of the system. */

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import * as harfbuzz from "harfbuzzjs";
import { LRUCache } from "lru-cache";
import decompress from "woff2-encoder/decompress";
import { z } from "zod";

const UNICODE_JSON = z.record(z.string(), z.string());

const noto = (name: string): string => `@fontsource-variable/noto-${name}`;

/** Which of the East Asian fonts has the forms of characters that readers of a script expect. */
const BY_SCRIPT: Readonly<Record<string, string>> = {
  Hans: noto("sans-sc"),
  Hant: noto("sans-tc"),
  Jpan: noto("sans-jp"),
  Kore: noto("sans-kr"),
};

/** In the order in which they are asked for a character. The first has Latin, Greek, Cyrillic and Devanagari. */
export const FONT_PACKAGES: readonly string[] = [
  noto("sans"),
  ...["arabic", "hebrew", "thaana"].map((script) => noto(`sans-${script}`)),
  ...["armenian", "georgian", "ethiopic"].map((script) => noto(`sans-${script}`)),
  ...["bengali", "gujarati", "gurmukhi", "kannada", "malayalam"].map((script) => noto(`sans-${script}`)),
  ...["oriya", "sinhala", "tamil", "telugu"].map((script) => noto(`sans-${script}`)),
  ...["khmer", "lao", "myanmar", "thai"].map((script) => noto(`sans-${script}`)),
  noto("serif-tibetan"),
  ...Object.values(BY_SCRIPT),
];

/** A font comes in files of some characters each, so that only what a title needs is read. */
interface FontFile {
  packageName: string;
  path: string;
}

/** Which files are for a character, by its code point, in the order of the packages. */
type Index = ReadonlyMap<number, readonly FontFile[]>;

/** A title needs a few of the files; the largest takes 2 MB. */
const MOST_BYTES = 16 * 1024 * 1024;

export class PlaceholderFonts {
  #index: Promise<Index> | undefined;
  readonly #typefaces = new LRUCache<string, Typeface>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ sizeBytes }) => sizeBytes,
  });

  /** The first typeface that has all the characters; undefined when none has. */
  async typefaceFor(codePoints: readonly number[], languageCode: string): Promise<Typeface | undefined> {
    this.#index ??= readIndex();
    const index = await this.#index;
    const preferred = preferredBy(languageCode);
    const [first = [], ...others] = codePoints.map((codePoint) => index.get(codePoint) ?? []);
    const shared = first.filter((file) => others.every((files) => files.includes(file)));
    const [wanted = [], rest = []] = [true, false].map((is) =>
      shared.filter(({ packageName }) => (packageName === preferred) === is),
    );
    for (const { path } of [...wanted, ...rest]) {
      const typeface = await this.#open(path);
      if (codePoints.every((codePoint) => typeface.has(codePoint))) return typeface;
    }
    return undefined;
  }

  async #open(path: string): Promise<Typeface> {
    const typeface = this.#typefaces.get(path) ?? (await Typeface.open(path));
    this.#typefaces.set(path, typeface);
    return typeface;
  }
}

const preferredBy = (languageCode: string): string | undefined =>
  BY_SCRIPT[new Intl.Locale(languageCode).maximize().script ?? ""];

async function readIndex(): Promise<Index> {
  const index = new Map<number, FontFile[]>();
  for (const packageName of FONT_PACKAGES) {
    for (const { ranges, ...file } of await filesOf(packageName)) {
      for (const codePoint of codePointsIn(ranges)) {
        const files = index.get(codePoint);
        if (files) files.push(file);
        else index.set(codePoint, [file]);
      }
    }
  }
  return index;
}

/** A package says in `unicode.json` what each of its files is for: `{"latin": "U+0000-00FF,U+0131"}`. */
async function filesOf(packageName: string): Promise<(FontFile & { ranges: string })[]> {
  const list = createRequire(import.meta.url).resolve(`${packageName}/unicode.json`);
  const subsets = UNICODE_JSON.parse(JSON.parse(await readFile(list, "utf8")));
  const font = packageName.slice(packageName.indexOf("/") + 1);
  return Object.entries(subsets).map(([subset, ranges]) => {
    const name = `${font}-${subset.replaceAll(/[[\]]/g, "")}-wght-normal.woff2`;
    return { packageName, path: join(dirname(list), "files", name), ranges };
  });
}

function* codePointsIn(ranges: string): Generator<number> {
  for (const range of ranges.split(",")) {
    const [first = "", last = first] = range.replace("U+", "").split("-");
    const end = Number.parseInt(last, 16);
    for (let codePoint = Number.parseInt(first, 16); codePoint <= end; codePoint++) yield codePoint;
  }
}

// One file of a font: which characters it has, and how they look in a row. HarfBuzz shapes, in any script.

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

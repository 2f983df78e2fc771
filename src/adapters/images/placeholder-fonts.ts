/** The fonts of placeholders: files from npm packages; system fonts aren't used. */

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { z } from "zod";
import { loadOnce } from "../../lib/lazily.ts";

// Canvas loads the system's fonts during its import unless this is set. A static import would run before this line.
process.env.DISABLE_SYSTEM_FONTS_LOAD = "1";
export const { createCanvas, GlobalFonts } = await import("@napi-rs/canvas");

const UNICODE_JSON = z.record(z.string(), z.string());

const noto = (name: string): string => `@fontsource-variable/noto-${name}`;

/** The East Asian font with the character forms that readers of a script expect. */
const BY_SCRIPT: Readonly<Record<string, string>> = {
  Hans: noto("sans-sc"),
  Hant: noto("sans-tc"),
  Jpan: noto("sans-jp"),
  Kore: noto("sans-kr"),
};

/** In order of preference. The first contains Latin, Greek, Cyrillic and Devanagari. */
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

/** A font is split into files by character range, so that only the files that a title needs are read. */
interface FontFile {
  packageName: string;
  path: string;
  /** Its position among the files of all packages. */
  order: number;
}

/** The files that contain a character, by code point. */
type Index = ReadonlyMap<number, readonly FontFile[]>;

interface Lettering {
  /** The text without characters that no font contains. */
  text: string;
  /** The font families of the text, in CSS syntax. */
  families: string;
}

/**
 * Fonts registered with canvas belong to the whole process, and removing one doesn't free its memory. All fonts
 * together use 130 MB, which requires a catalogue in every script with thousands of Chinese, Japanese and Korean
 * titles.
 */
export class PlaceholderFonts {
  readonly #readIndex = loadOnce(readIndex);
  /** The width that canvas measures for a character that a registered file lacks. */
  readonly #missing = new Map<FontFile, string>();
  readonly #context = createCanvas(1, 1).getContext("2d");

  /** Registers the fonts that a text needs. */
  async findLettering(text: string, languageCode: string): Promise<Lettering> {
    const index = await this.#readIndex();
    const byPreference = createPreference(languageCode);
    const files = new Map<string, FontFile | undefined>();
    for (const character of new Set(text.replaceAll(INVISIBLE, ""))) {
      const candidates = index.get(character.codePointAt(0) ?? 0) ?? [];
      files.set(character, await this.#findFile(character, candidates.toSorted(byPreference)));
    }
    const used = new Set([...files.values()].filter((file) => file !== undefined));
    return {
      text: [...text].filter((character) => !files.has(character) || files.get(character)).join(""),
      families: [...used].sort(byPreference).map(familyOf).join(),
    };
  }

  /** The index lists some characters that the files lack. */
  async #findFile(character: string, candidates: readonly FontFile[]): Promise<FontFile | undefined> {
    for (const file of candidates) {
      const missing = this.#missing.get(file) ?? (await this.#register(file));
      if (this.#measure(file, character) !== missing) return file;
    }
    return undefined;
  }

  async #register(file: FontFile): Promise<string> {
    const key = GlobalFonts.register(await readFile(file.path), familyOf(file));
    if (!key) throw new Error(`The font ${file.path} can't be read`);
    const missing = this.#measure(file, NONCHARACTER);
    this.#missing.set(file, missing);
    return missing;
  }

  #measure(file: FontFile, character: string): string {
    this.#context.font = `1000px ${familyOf(file)}`;
    const { width, ...ink } = this.#context.measureText(character);
    return [
      width,
      ink.actualBoundingBoxLeft,
      ink.actualBoundingBoxRight,
      ink.actualBoundingBoxAscent,
      ink.actualBoundingBoxDescent,
    ].join();
  }
}

const familyOf = ({ order }: FontFile): string => `placeholder-${order}`;

/** Joiners, variation selectors and direction marks: they affect other characters and have no glyph. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** No font contains it. */
const NONCHARACTER = "\u{10FFFF}";

function createPreference(languageCode: string): (a: FontFile, b: FontFile) => number {
  const expected = BY_SCRIPT[new Intl.Locale(languageCode).maximize().script ?? ""];
  const rankOf = ({ packageName }: FontFile): number => (packageName === expected ? 0 : 1);
  return (a, b) => rankOf(a) - rankOf(b) || a.order - b.order;
}

async function readIndex(): Promise<Index> {
  const index = new Map<number, FontFile[]>();
  let order = 0;
  for (const packageName of FONT_PACKAGES) {
    for (const { path, ranges } of await listFontFiles(packageName)) {
      const file = { packageName, path, order: order++ };
      for (const codePoint of iterateCodePoints(ranges)) {
        const files = index.get(codePoint);
        if (files) files.push(file);
        else index.set(codePoint, [file]);
      }
    }
  }
  return index;
}

/** The `unicode.json` of a package lists the range of each of its files: `{"latin": "U+0000-00FF,U+0131"}`. */
async function listFontFiles(packageName: string): Promise<{ path: string; ranges: string }[]> {
  const list = createRequire(import.meta.url).resolve(`${packageName}/unicode.json`);
  const subsets = UNICODE_JSON.parse(JSON.parse(await readFile(list, "utf8")));
  const font = packageName.slice(packageName.indexOf("/") + 1);
  return Object.entries(subsets).map(([subset, ranges]) => {
    const name = `${font}-${subset.replaceAll(/[[\]]/g, "")}-wght-normal.woff2`;
    return { path: join(dirname(list), "files", name), ranges };
  });
}

function* iterateCodePoints(ranges: string): Generator<number> {
  for (const range of ranges.split(",")) {
    const [first = "", last = first] = range.replace("U+", "").split("-");
    const end = Number.parseInt(last, 16);
    for (let codePoint = Number.parseInt(first, 16); codePoint <= end; codePoint++) yield codePoint;
  }
}

/** The library's texts in one language, with its plurals, numbers and sizes. */
import { findDirection } from "../lib/bcp47.ts";
import type { LibraryTexts } from "../schemas/library-texts.schemas.ts";
import type { PageLanguage } from "./page-languages.ts";

type TextName = {
  [Name in keyof LibraryTexts]: LibraryTexts[Name] extends string ? Name : never;
}[keyof LibraryTexts];

/** Isolates a value in another direction, which would reorder the sentence around it. */
const isolate = (value: string): string => `\u2068${value}\u2069`;

const MEGABYTE = 1e6;
/** From this size on, decimals say nothing. */
const LARGE = 1e7;

export class Words {
  /** For the `lang` attribute. */
  readonly code: string;
  readonly direction: "ltr" | "rtl";
  readonly #texts: LibraryTexts;
  readonly #plurals: Intl.PluralRules;
  readonly #numbers: Intl.NumberFormat;
  readonly #minutes: Intl.NumberFormat;

  constructor(code: string, texts: LibraryTexts) {
    this.code = code;
    this.direction = findDirection(code);
    this.#texts = texts;
    this.#plurals = new Intl.PluralRules(code);
    this.#numbers = new Intl.NumberFormat(code);
    this.#minutes = new Intl.NumberFormat(code, { style: "unit", unit: "minute", unitDisplay: "long" });
  }

  /** @param values by the names of their places; a single one has the place `{}` */
  say(name: TextName, values: string | Readonly<Record<string, string | number>> = {}): string {
    const named = typeof values === "string" ? { "": values } : values;
    return this.#texts[name].replace(/\{(\w*)\}/g, (place, key: string) => {
      const value = named[key];
      if (value === undefined) return place;
      return isolate(typeof value === "number" ? this.#numbers.format(value) : value);
    });
  }

  /** The text with its language. */
  inOwn(name: TextName): { text: string; code: string; direction: "ltr" | "rtl" } {
    return { text: this.say(name), code: this.code, direction: this.direction };
  }

  countBooks(number: number): string {
    const forms = this.#texts.count;
    const form = forms[this.#plurals.select(number)] ?? forms.other;
    return form.replace("{}", isolate(this.#numbers.format(number)));
  }

  number(value: number): string {
    return this.#numbers.format(value);
  }

  /** Empty for 0, because the size of a linked file can be unknown. */
  size(bytes: number): string {
    if (bytes === 0) return "";
    const [unit, divisor] = bytes < MEGABYTE ? ["kilobyte", 1e3] : ["megabyte", MEGABYTE];
    const maximumFractionDigits = bytes >= MEGABYTE && bytes < LARGE ? 1 : 0;
    const value = Math.max(1, bytes / divisor);
    return isolate(
      new Intl.NumberFormat(this.code, { style: "unit", unit, maximumFractionDigits }).format(value),
    );
  }

  minutes(number: number): string {
    return this.#minutes.format(number);
  }
}

const known = new WeakMap<PageLanguage, Words>();

/** Undefined for a language without texts of the library. */
export function findWords(language: PageLanguage): Words | undefined {
  const { code, texts } = language;
  if (!texts.library) return undefined;
  const words = known.get(language) ?? new Words(code, texts.library);
  known.set(language, words);
  return words;
}

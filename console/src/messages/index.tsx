/** The language of the console, its texts, and what it writes numbers, times and names with. */
import { DirectionProvider, useDirection } from "@mantine/core";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { keepLanguage } from "./find-language.ts";
import { createLanguageNames } from "./language-names.ts";
import { LANGUAGES, type Language } from "./languages.ts";
import {
  createTranslate,
  type FileName,
  loadLanguage,
  setCurrentLanguage,
  type Translate,
  useLoadedTexts,
} from "./texts.ts";
import { keepZone, readKeptZone } from "./zones.ts";

interface Texts<File extends FileName = "start"> {
  language: Language;
  /** Rejects if its texts can't be loaded: then the language stays. */
  setLanguage(language: Language): Promise<void>;
  t: Translate<File>;
  /** A text whose key has a name of the API, which can be that of a later version: then undefined. */
  findText(key: string, values?: Readonly<Record<string, string | number>>): string | undefined;
  /** Undefined: the browser's. */
  timeZone: string | undefined;
  setTimeZone(name: string | undefined): void;
  /** In the user's language, and in the user's time zone where none is given. */
  formatTime(iso: string, timeZone?: string): string;
  /** @param day `YYYY-MM-DD` */
  formatDay(day: string): string;
  formatNumber(value: number): string;
  /** For example "a, b and c". */
  formatList(parts: readonly string[]): string;
  /** @param part 0.125 is 12.5% */
  formatPercent(part: number): string;
  /** For example 1.2 MB. */
  formatBytes(bytes: number): string;
  /** The name of a country in the console's language; where there is none, the one that is given. */
  nameCountry(code: string, name: string): string;
  /** The name of a language in that of the console, unless the catalogue has a corrected one. */
  nameLanguage(language: { code: string; name?: string }): string;
}

const TextsContext = createContext<Texts<FileName> | undefined>(undefined);

/** @param first the language whose texts are loaded */
export function MessagesProvider({ first, children }: { first: Language; children: ReactNode }) {
  const [language, setLanguage] = useState(first);
  const [timeZone, setTimeZone] = useState(readKeptZone);
  const texts = useMemo(
    () => ({
      ...createFormats(language, timeZone),
      ...createTranslate(language),
      timeZone,
      setTimeZone(name: string | undefined) {
        keepZone(name);
        setTimeZone(name);
      },
      language,
      async setLanguage(chosen: Language) {
        await loadLanguage(chosen);
        keepLanguage(chosen);
        setCurrentLanguage(chosen);
        setLanguage(chosen);
      },
    }),
    [language, timeZone],
  );
  return (
    <DirectionProvider initialDirection={LANGUAGES[language].direction} detectDirection={false}>
      <DocumentLanguage language={language} />
      <TextsContext.Provider value={texts}>{children}</TextsContext.Provider>
    </DirectionProvider>
  );
}

/** Screen readers choose their voice by the language of the document. */
function DocumentLanguage({ language }: { language: Language }) {
  const { setDirection } = useDirection();
  useEffect(() => {
    document.documentElement.lang = language;
    setDirection(LANGUAGES[language].direction);
  }, [language, setDirection]);
  return null;
}

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

function createFormats(language: Language, chosenZone: string | undefined) {
  const timesByZone = new Map<string | undefined, Intl.DateTimeFormat>();
  const timesIn = (timeZone: string | undefined) =>
    new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short", timeZone });
  const days = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });
  // A queue of uploads shows thousands of sizes, and making a format takes longer than using it.
  const sizes = UNITS.map(
    (unit) =>
      new Intl.NumberFormat(language, {
        style: "unit",
        unit,
        // The short form of a byte has no plural.
        unitDisplay: unit === "byte" ? "long" : "short",
        maximumFractionDigits: 1,
      }),
  );
  const numbers = new Intl.NumberFormat(language);
  const lists = new Intl.ListFormat(language);
  const percents = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 });
  const countries = new Intl.DisplayNames(language, { type: "region", fallback: "none" });
  return {
    formatTime(iso: string, timeZone = chosenZone) {
      const times = timesByZone.get(timeZone) ?? timesIn(timeZone);
      timesByZone.set(timeZone, times);
      return times.format(new Date(iso));
    },
    formatDay: (day: string) => days.format(new Date(day)),
    formatNumber: (value: number) => numbers.format(value),
    formatList: (parts: readonly string[]) => lists.format(parts),
    formatPercent: (part: number) => percents.format(part),
    formatBytes(bytes: number) {
      const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
      return sizes[step]?.format(bytes / 1000 ** step) ?? "";
    },
    nameCountry: (code: string, name: string) =>
      (/^[A-Z]{2}$/.test(code) ? countries.of(code) : undefined) ?? name,
    nameLanguage: createLanguageNames(language),
  };
}

/**
 * The texts and formats of the chosen language.
 * @param files whose texts are written, beside those of every page
 */
export function useTexts<File extends FileName = "start">(...files: readonly File[]): Texts<File> {
  const texts = useContext(TextsContext);
  if (!texts) throw new Error("useTexts is used outside of MessagesProvider");
  useLoadedTexts(texts.language, files);
  return texts;
}

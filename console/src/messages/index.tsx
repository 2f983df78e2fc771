/**
 * The language of the console: the user's choice, otherwise the browser's where there are texts, otherwise English.
 * What every page needs is in this folder; a page's own texts are in `messages.ts` of its folder and come with the page.
 */
import { DirectionProvider, useDirection } from "@mantine/core";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { keepZone, readKeptZone } from "../dates/zones.ts";
import { readStored, writeStored } from "../shell/browser-storage.ts";
import { ar } from "./ar.ts";
import { chooseLanguage } from "./choose-language.ts";
import { type CommonMessages, en } from "./en.ts";
import { createLanguageNames } from "./language-names.ts";

export const LANGUAGES = {
  en: { name: "English", messages: en, direction: "ltr" },
  ar: { name: "العربية", messages: ar, direction: "rtl" },
} as const;

export type Language = keyof typeof LANGUAGES;

const STORED = "console.language";

/** The texts of a page in every language. */
export type PageMessages<M> = Readonly<Record<Language, M>>;

/** @param others what every other language must have for the English texts */
export const defineMessages = <M extends object>(
  english: M,
  others: Record<Exclude<Language, "en">, NoInfer<M>>,
): PageMessages<M> => ({ en: english, ...others });

export const isLanguage = (code: string | null | undefined): code is Language =>
  code !== null && code !== undefined && Object.hasOwn(LANGUAGES, code);

function findLanguage(): Language {
  const stored = readStored(STORED);
  if (isLanguage(stored)) return stored;
  const chosen = chooseLanguage(navigator.languages, Object.keys(LANGUAGES));
  return isLanguage(chosen) ? chosen : "en";
}

interface Texts {
  language: Language;
  setLanguage(language: Language): void;
  t: CommonMessages;
  /** Undefined: the browser's. */
  timeZone: string | undefined;
  setTimeZone(name: string | undefined): void;
  /** In the user's language, and in the user's time zone where none is given. */
  formatTime(iso: string, timeZone?: string): string;
  /** @param day `YYYY-MM-DD` */
  formatDay(day: string): string;
  formatNumber(value: number): string;
  /** @param part 0.125 is 12.5% */
  formatPercent(part: number): string;
  /** For example 1.2 MB. */
  formatBytes(bytes: number): string;
  /** The name of a country in the console's language; where there is none, the one that is given. */
  nameCountry(code: string, name: string): string;
  /** The name of a language in that of the console, unless the catalogue has a corrected one. */
  nameLanguage(language: { code: string; name?: string }): string;
}

const TextsContext = createContext<Texts | undefined>(undefined);

export function MessagesProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(findLanguage);
  const [timeZone, setTimeZone] = useState(readKeptZone);
  const texts = useMemo(
    () => ({
      ...createFormats(language, timeZone),
      timeZone,
      setTimeZone(name: string | undefined) {
        keepZone(name);
        setTimeZone(name);
      },
      language,
      t: LANGUAGES[language].messages,
      setLanguage(chosen: Language) {
        writeStored(STORED, chosen);
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
 * @param page its own texts, in `t` beside those of every page
 */
export function useTexts(): Texts;
export function useTexts<M extends object>(page: PageMessages<M>): Texts & { t: M };
export function useTexts(page?: PageMessages<object>): Texts {
  const texts = useContext(TextsContext);
  if (!texts) throw new Error("useTexts is used outside of MessagesProvider");
  return useMemo(
    () => (page ? { ...texts, t: { ...texts.t, ...page[texts.language] } } : texts),
    [texts, page],
  );
}

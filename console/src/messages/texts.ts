import { IntlMessageFormat } from "intl-messageformat";
import { use } from "react";
import type { Files, Texts } from "./arguments.d.ts";
import { texts as english } from "./en/index.ts";
import type { LanguageFiles, Text } from "./language-files.ts";
import type { Language } from "./languages.ts";

export type FileName = keyof Files;

/** The keys of some files, and of the start. */
type KeyOf<File extends FileName> =
  | keyof Files["start"]
  | (File extends FileName ? keyof Files[File] : never);

type Rest<Arguments> = Arguments extends null ? [] : [values: Arguments];

/** Writes a text with its arguments. */
export type Translate<File extends FileName> = <Key extends KeyOf<File>>(
  key: Key,
  ...values: Rest<Texts[Key]>
) => string;

type Values = Readonly<Record<string, string | number>>;

const LANGUAGES = import.meta.glob<LanguageFiles>(["./*/index.ts", "!./en/index.ts"], { import: "texts" });

/** By language. English comes with the code: another language whose texts can't be loaded has these. */
const files = new Map<Language, LanguageFiles>();
/** What is loaded, by key. */
const tables = new Map<Language, Map<string, Text>>();
const loads = new Map<string, Promise<void>>();
const loaded = new Set<string>();
const requested = new Set<FileName>();
let current: Language = "en";

addLanguage("en", english);

function addLanguage(language: Language, added: LanguageFiles): void {
  files.set(language, added);
  tables.set(language, new Map(Object.values(added.first).flatMap((texts) => Object.entries(texts))));
}

/** Loads the texts that the console begins with. */
export async function loadStart(language: Language): Promise<void> {
  if (files.has(language)) return;
  const texts = await LANGUAGES[`./${language}/index.ts`]?.();
  if (texts) addLanguage(language, texts);
}

const nameLoad = (language: Language, file: FileName): string => `${language}/${file}`;

/** @returns the same promise as long as it doesn't fail */
function loadFile(language: Language, file: FileName): Promise<void> {
  const name = nameLoad(language, file);
  const before = loads.get(name);
  if (before) return before;
  const load = async () => {
    const texts = await files.get(language)?.others[`./${file}.json`]?.();
    for (const [key, text] of Object.entries(texts ?? {})) tables.get(language)?.set(key, text);
    loaded.add(name);
  };
  const loading = load();
  loads.set(name, loading);
  loading.catch(() => loads.delete(name));
  return loading;
}

async function loadAll(language: Language, names: Iterable<FileName>): Promise<void> {
  await Promise.all(Array.from(names, (name) => loadFile(language, name)));
}

/** Loads the texts of a page beside its code. */
export function loadTexts(names: readonly FileName[]): Promise<void> {
  for (const name of names) requested.add(name);
  return loadAll(current, names);
}

/** Loads in another language what is loaded in this one, for a change without a wait. */
export async function loadLanguage(language: Language): Promise<void> {
  await loadStart(language);
  await loadAll(language, requested);
}

export function setCurrentLanguage(language: Language): void {
  current = language;
}

/** Suspends until the texts are there, which they are if the page was loaded with them. */
export function useLoadedTexts(language: Language, names: readonly FileName[]): void {
  const missing = names.filter((name) => !loaded.has(nameLoad(language, name)));
  for (const name of missing) requested.add(name);
  for (const loading of missing.map((name) => loadFile(language, name))) use(loading);
}

const find = (language: Language, key: string): Text | undefined =>
  tables.get(language)?.get(key) ?? tables.get("en")?.get(key);

export function createTranslate(language: Language) {
  const formats = new Map<Text, IntlMessageFormat>();
  const write = (text: Text, values: Values | undefined): string => {
    if (typeof text === "string") return text;
    const format = formats.get(text) ?? new IntlMessageFormat(text, language);
    formats.set(text, format);
    return String(format.format(values));
  };
  const t: Translate<FileName> = (key: string, ...[values]: readonly Values[]) =>
    write(find(language, key) ?? key, values);
  return {
    t,
    /** A text whose key has a name of the API, which can be that of a later version: then undefined. */
    findText(key: string, values?: Values): string | undefined {
      const text = find(language, key);
      return text === undefined ? undefined : write(text, values);
    },
  };
}

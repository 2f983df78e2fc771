/** What the path of a file says: its language, and to which book it belongs. */
import { canonicalizeLanguageCode } from "../../lib/bcp47.ts";
import { findNamedLanguage } from "../../lib/language-names.ts";
import type { Grouping } from "../../schemas/import-rules.schemas.ts";

export interface Place {
  /** The folders without those that name a language. */
  folders: readonly string[];
  /** The file name without extension and language; empty if it is only a language. */
  stem: string;
  languageCode: string | undefined;
  /** The language as it is written, if it isn't written as a code. */
  languageName?: string | undefined;
  /** The same path if the last word of the file name is none of its language: `learn-french.epub` in English. */
  withoutLastWord?: Place;
}

interface WrittenLanguage {
  code: string;
  name?: string;
}

/** `Title.pt-BR`, `Title [zh]`, `Title (french)`; brackets of East Asia, too. */
const SUFFIX =
  /^(?<stem>.+?)(?:\.(?<dotted>[\p{L}\p{M}\p{N}_-]{2,60})|[[［【](?<square>[^[\]［］【】]{2,60})[\]］】]|[(（](?<round>[^()（）]{2,60})[)）])$/u;

/** `title_french`, `Title - French`: only a name, because every other short word is the code of a language. */
const LAST_WORD = /^(?<stem>.+?)(?:[_-]| [-–] )(?<word>[\p{L}\p{M}]{2,60})$/u;

/**
 * The language is that of the file name, or else of the innermost folder that is a language, or else of the last word.
 * @param place with slashes
 * @param isLanguage whether a code counts as a language: many short words are codes of languages
 */
export function parsePlace(place: string, isLanguage: (code: string) => boolean): Place {
  const segments = place.split("/");
  const given = removeExtension(segments.pop() ?? "");
  const languages = segments.map((segment) => readLanguage(segment, isLanguage));
  const folders = segments.filter((_, index) => languages[index] === undefined);
  const inFolders = languages.findLast((language) => language !== undefined);
  const whole = readLanguage(given, isLanguage);
  // `en.epub` names no book unless its folder does.
  if (whole && folders.length > 0) return { folders, stem: "", ...asFields(whole) };
  const { stem, dotted, square, round } = SUFFIX.exec(given)?.groups ?? {};
  const language = readLanguage(dotted ?? square ?? round ?? "", isLanguage);
  if (stem !== undefined && language) {
    return { folders, stem: dotted === undefined ? stem.trimEnd() : stem, ...asFields(language) };
  }
  const unchanged = { folders, stem: given, ...asFields(inFolders) };
  return inFolders ? unchanged : (placeByLastWord(unchanged) ?? unchanged);
}

function placeByLastWord(withoutLastWord: Place): Place | undefined {
  const { stem, word = "" } = LAST_WORD.exec(withoutLastWord.stem)?.groups ?? {};
  const language = findNamedLanguage(word);
  if (stem === undefined || !language) return undefined;
  const { folders } = withoutLastWord;
  return { folders, stem: stem.trimEnd(), languageCode: language.code, languageName: word, withoutLastWord };
}

const asFields = (language: WrittenLanguage | undefined) => ({
  languageCode: language?.code,
  languageName: language?.name,
});

/** All texts in a path that could be a language code. */
export function listCodes(place: string): string[] {
  const codes: string[] = [];
  parsePlace(place, (code) => codes.push(code) < 0);
  return codes;
}

/** A code, or the name of a language in English or in that language itself. */
function readLanguage(text: string, isLanguage: (code: string) => boolean): WrittenLanguage | undefined {
  const code = findWrittenCode(text, isLanguage);
  if (code !== undefined) return { code };
  const language = findNamedLanguage(text);
  return language && { code: language.code, name: text };
}

/**
 * The code as BCP 47 writes it, with two letters where there are two: `sun` (Sundanese is `su`) and `cat` (Catalan is
 * `ca`) are words. An underscore counts as a hyphen.
 */
function findWrittenCode(text: string, isLanguage: (code: string) => boolean): string | undefined {
  const written = text.replaceAll("_", "-");
  const code = canonicalizeLanguageCode(written);
  const isWritten = code !== undefined && code.toLowerCase() === written.toLowerCase();
  return isWritten && isLanguage(code) ? code : undefined;
}

export const removeExtension = (name: string): string => name.replace(/(?:\.kepub\.epub|\.[^.]*)$/i, "");

/** `the-deep_well` becomes `The deep well`. */
export function createTitle(name: string): string {
  const words = name.replace(/[-_\s]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** How files form books: one folder a book, equal file names, or the latter except in folders with a cover. */

export interface Grouped {
  place: Place;
  languageCode: string;
  fileType: string;
}

export interface Books {
  /** The name of the book of a file: a path whose last part is the book's own name. */
  keyOf(place: Place): string;
  /** The folders that could be one book, but whose files have different names. */
  mixed: { folder: string; names: number; isOneBook: boolean }[];
}

/** @param withCover the folders that have a cover */
export function groupIntoBooks(
  files: readonly Grouped[],
  grouping: Grouping,
  withCover: ReadonlySet<string>,
): Books {
  const byFolder = Map.groupBy(files, ({ place }) => place.folders.join("/"));
  byFolder.delete("");
  const possible = [...byFolder].filter(([, same]) => canBeOneBook(same));
  const books = new Set(possible.map(([folder]) => folder).filter((folder) => withCover.has(folder)));
  const mixed = possible.flatMap(([folder, same]) => {
    const names = new Set(same.map(({ place }) => nameBelowFolder(place))).size;
    return names > 1 ? [{ folder, names, isOneBook: books.has(folder) }] : [];
  });
  return {
    keyOf(place) {
      const folder = place.folders.join("/");
      const name = nameBelowFolder(place);
      const isByFolder = grouping === "folder" ? folder !== "" : grouping === "auto" && books.has(folder);
      return isByFolder || name === "" ? folder : [...place.folders, name].join("/");
    },
    mixed: grouping === "auto" ? mixed : [],
  };
}

/** Empty for a file that has the name of its folder: `the-well/es.epub`, `the-well/book.epub`. */
const nameBelowFolder = ({ folders, stem }: Place): string =>
  folders.length > 0 && /^book$/i.test(stem) ? "" : stem;

/** No two files of a language have different names, or the same type. */
function canBeOneBook(files: readonly Grouped[]): boolean {
  const names = new Map<string, string>();
  const types = new Set<string>();
  return files.every(({ place, languageCode, fileType }) => {
    const name = nameBelowFolder(place);
    const known = names.get(languageCode) ?? name;
    names.set(languageCode, known);
    const type = `${languageCode} ${fileType}`;
    return known === name && types.size < types.add(type).size;
  });
}

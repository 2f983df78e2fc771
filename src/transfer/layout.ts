/** What the path of a file says: its language, and to which book it belongs. */
import { canonicalLanguageCode } from "../lib/bcp47.ts";

export interface Place {
  /** The folders without those that name a language. */
  folders: readonly string[];
  /** The file name without extension and language; empty if it is only a language. */
  stem: string;
  languageCode: string | undefined;
}

/** `Title.pt-BR`, `Title [zh]`, `Title (zh)`. */
const SUFFIX =
  /^(?<stem>.+?)(?:\.(?<dotted>[\w-]{2,35})|\[(?<square>[\w-]{2,35})\]|\((?<round>[\w-]{2,35})\))$/;

/**
 * The language is that of the file name, or else of the innermost folder that is a language code.
 * @param place with slashes
 * @param isLanguage whether a code counts as a language: many short words are codes of languages
 */
export function placeOf(place: string, isLanguage: (code: string) => boolean): Place {
  const segments = place.split("/");
  const given = withoutExtension(segments.pop() ?? "");
  const codes = segments.map((segment) => writtenCode(segment, isLanguage));
  const folders = segments.filter((_, index) => codes[index] === undefined);
  const inFolders = codes.findLast((code) => code !== undefined);
  const whole = writtenCode(given, isLanguage);
  // `en.epub` names no book unless its folder does.
  if (whole !== undefined && folders.length > 0) return { folders, stem: "", languageCode: whole };
  const { stem, dotted, square, round } = SUFFIX.exec(given)?.groups ?? {};
  const code = writtenCode(dotted ?? square ?? round ?? "", isLanguage);
  if (stem !== undefined && code !== undefined)
    return { folders, stem: dotted === undefined ? stem.trimEnd() : stem, languageCode: code };
  return { folders, stem: given, languageCode: inFolders };
}

/** All texts in a path that could be a language code. */
export function codesIn(place: string): string[] {
  const codes: string[] = [];
  placeOf(place, (code) => codes.push(code) < 0);
  return codes;
}

/**
 * The code as BCP 47 writes it, with two letters where there are two: `sun` (Sundanese is `su`) and `cat` (Catalan is
 * `ca`) are words. An underscore counts as a hyphen.
 */
function writtenCode(text: string, isLanguage: (code: string) => boolean): string | undefined {
  const written = text.replaceAll("_", "-");
  const code = canonicalLanguageCode(written);
  const isWritten = code !== undefined && code.toLowerCase() === written.toLowerCase();
  return isWritten && isLanguage(code) ? code : undefined;
}

export const withoutExtension = (name: string): string => name.replace(/(?:\.kepub\.epub|\.[^.]*)$/i, "");

/** `the-deep_well` becomes `The deep well`. */
export function titleFromName(name: string): string {
  const words = name.replace(/[-_\s]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** How files form books: one folder a book, or equal file names. */
export const GROUPINGS = ["auto", "folder", "name"] as const;
export type Grouping = (typeof GROUPINGS)[number];

export interface Grouped {
  place: Place;
  languageCode: string;
  fileType: string;
}

/** The name of the book of each file: a path whose last part is the book's own name. */
export function bookKeys(files: readonly Grouped[], grouping: Grouping): (place: Place) => string {
  const byFolder = Map.groupBy(files, ({ place }) => place.folders.join("/"));
  byFolder.delete("");
  const isByFolder =
    grouping === "folder" || (grouping === "auto" && [...byFolder.values()].every(isOneBook));
  return ({ folders, stem }) =>
    (isByFolder && folders.length > 0) || stem === "" ? folders.join("/") : [...folders, stem].join("/");
}

/** Whether a folder can be one book: no two files of a language with different names, or of the same type. */
function isOneBook(files: readonly Grouped[]): boolean {
  const stems = new Map<string, string>();
  const types = new Set<string>();
  return files.every(({ place: { stem }, languageCode, fileType }) => {
    const known = stems.get(languageCode) ?? stem;
    stems.set(languageCode, known);
    const type = `${languageCode} ${fileType}`;
    return known === stem && types.size < types.add(type).size;
  });
}

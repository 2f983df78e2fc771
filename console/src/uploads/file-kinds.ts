/** What the name of a file says about it, by the rules of the import. Nothing here knows the page. */

export type FileKind =
  /** One of a type that the service distributes. */
  | "book"
  /** One that can be a cover. */
  | "image"
  /** A text about the collection. */
  | "about"
  | "other";

/** The types of further endings. */
const OTHER_ENDINGS = new Map([
  ["djv", "djvu"],
  ["htm", "html"],
  ["text", "txt"],
  ["xhtml", "html"],
]);
const IMAGE = /\.(?:jpe?g|png|webp)$/i;
const ABOUT = /(?:^|\/)(?:readme|licen[cs]e|copying|credits|changelog|notice)\.(?:txt|html?)$/i;

/** @param fileTypes those that the service takes */
export function findFileKind(path: string, fileTypes: readonly string[]): FileKind {
  if (ABOUT.test(path)) return "about";
  if (IMAGE.test(path)) return "image";
  const ending = readEnding(path);
  return fileTypes.includes(ending) || OTHER_ENDINGS.has(ending) ? "book" : "other";
}

const readEnding = (path: string): string => /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";

/** Of the name of a book file. */
export function findFileType(path: string): string {
  const ending = readEnding(path);
  return OTHER_ENDINGS.get(ending) ?? ending;
}

const USUAL_NAMES = ["catalogue.json", "catalogue.csv", "catalogue.xlsx"];

/** The depth of a path: a folder that was dropped is the first segment of its files. */
const isAtTop = (path: string): boolean => path.split("/").length <= 2;

/** Whether a file describes books: under its usual name in the folder that was dropped, or a spreadsheet by itself. */
export function isCatalogue(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return (
    (USUAL_NAMES.includes(name) && isAtTop(path)) || (!path.includes("/") && /\.(?:csv|xlsx)$/.test(name))
  );
}

/** Those with a usual name come first, in the order in which the import looks for them. */
export function sortCatalogues<T extends { name: string }>(catalogues: readonly T[]): T[] {
  const rank = ({ name }: T) => {
    const index = USUAL_NAMES.indexOf(name.slice(name.lastIndexOf("/") + 1).toLowerCase());
    return index < 0 ? USUAL_NAMES.length : index;
  };
  return catalogues.toSorted((one, other) => rank(one) - rank(other));
}

/** Whether the folder that was dropped says something itself, as `es` or `the-deep-well` with its `cover.jpg` do. Nothing here knows the page. */

const names = new Intl.DisplayNames("en", { type: "language", fallback: "none" });

/** To ask for anything else throws an error, which takes long for thousands of names. */
const CODE = /^[a-z]{2,8}(?:[-_][a-z\d]{2,8})*$/i;

const findName = (code: string): string | undefined => {
  if (!CODE.test(code)) return undefined;
  try {
    return names.of(code.replaceAll("_", "-"));
  } catch {
    return undefined;
  }
};

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];

let englishNames: ReadonlySet<string> | undefined;

/** A code, or the English name of a language that has a code of two letters. */
function isLanguage(text: string): boolean {
  englishNames ??= new Set(
    LETTERS.flatMap((one) => LETTERS.flatMap((other) => findName(one + other)?.toLowerCase() ?? [])),
  );
  return findName(text) !== undefined || englishNames.has(text.toLowerCase());
}

const isOfFolder = (name: string): boolean => {
  const stem = name.replace(/\.[^.]*$/, "");
  return /^(?:cover|folder|book)$/i.test(stem) || isLanguage(stem);
};

/**
 * The folder that all paths have in common, with its slash: the command plans what is in it, and doesn't see its name.
 * Empty if there is none, or if its name says which language or book its files are.
 */
export function findRoot(paths: readonly string[]): string {
  const [root, ...others] = new Set(paths.map((path) => path.slice(0, path.indexOf("/") + 1)));
  if (root === undefined || root === "" || others.length > 0 || isLanguage(root.slice(0, -1))) return "";
  const rest = paths.map((path) => path.slice(root.length));
  return rest.some((path) => !path.includes("/") && isOfFolder(path)) ? "" : root;
}

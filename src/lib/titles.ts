/** Compares the title that a file says with those that it could have: small differences are usual. */
import { foldForSearch } from "./text.ts";

/** Titles that programs and people leave, folded and without signs. */
const NO_TITLES = new Set(
  [
    ..."unknown,untitled,no title,none,null,n a,title,book,ebook,document,cover,new document,layout,print,scan,test,temp".split(
      ",",
    ),
    ..."sin titulo,desconocido,documento,libro,sem titulo,desconhecido,livro,sans titre,inconnu,document,livre".split(
      ",",
    ),
    ..."ohne titel,unbenannt,unbekannt,dokument,buch,senza titolo,sconosciuto,libro,zonder titel,bez tytulu".split(
      ",",
    ),
    ..."без названия,неизвестно,документ,книга,без назви,غير معروف,بدون عنوان,كتاب,مستند,未命名,无标题,無題,未知".split(
      ",",
    ),
  ].map((text) => toWords(text).join(" ")),
);

/** Names of files, and what word processors write before them. */
const FILE_NAME =
  /\.(?:docx?|odt|rtf|txt|html?|xhtml|indd|qxp|qxd|pub|pptx?|xlsx?|cdr|ai|pdf|epub|mobi|azw3?|fb2|tex)$/i;
const OF_A_PROGRAM =
  /^(?:microsoft (?:word|powerpoint|excel|publisher)|powerpoint presentation|slide \d+|page \d+|layout \d+)\b/i;

/** Letters, marks and digits; `Vol. 1` is `vol 1`. */
function toWords(text: string): string[] {
  return foldForSearch(text)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** Whether a text says nothing of a book. @param fileName of the file that says it */
export function isNoTitle(title: string, fileName = ""): boolean {
  const words = toWords(title);
  const text = words.join(" ");
  if (words.every((word) => /^\p{N}+$/u.test(word)) || NO_TITLES.has(text.replace(/ ?\p{N}+$/u, "")))
    return true;
  if (FILE_NAME.test(title.trim()) || OF_A_PROGRAM.test(title.trim())) return true;
  return text === toWords(fileName.replace(/\.[^.]*$/, "")).join(" ");
}

/** Letters in common, of the pairs of both: a typing error or another spelling leaves more. */
const SIMILAR = 0.75;

/**
 * Whether a title can be another one: equal or similar, or one contains the other, as with a subtitle, a series or a
 * number of a volume.
 */
export function isLikeTitle(said: string, expected: string): boolean {
  const [one, other] = [toWords(dropRemarks(said)), toWords(dropRemarks(expected))];
  const [compactOne, compactOther] = [one.join(""), other.join("")];
  if (compactOne === "" || compactOther === "") return true;
  if (containsAll(one, other) || containsAll(other, one)) return true;
  const [short, long] =
    compactOne.length < compactOther.length ? [compactOne, compactOther] : [compactOther, compactOne];
  if (UNSPACED.test(short) && long.includes(short)) return true;
  if (numbersOf(one) !== numbersOf(other)) return false;
  return countShared(compactOne, compactOther) >= SIMILAR || hasOneLetterMore(long, short);
}

/** Without what is in brackets, such as a language, unless it has numbers, as of volumes. */
const dropRemarks = (title: string): string =>
  title.replace(/\s*[[(][^\][()\p{N}]{1,100}[\])]/gu, "") || title;

/** `colour` and `color`. Of short words, too many differ by a letter. */
function hasOneLetterMore(long: string, short: string): boolean {
  if (short.length < MIN_SPELLED || long.length !== short.length + 1) return false;
  const same = [...short].findIndex((letter, index) => letter !== long[index]);
  return same < 0 || long.slice(same + 1) === short.slice(same);
}
const MIN_SPELLED = 5;

/** Of the letters of a title; undefined if it has none. A name of a script, as in Unicode. */
export const findScript = (title: string): string | undefined =>
  SCRIPTS.find(({ letters }) => letters.test(title))?.name;

/** Latin comes last: titles in other scripts have Latin words and names in them. */
const SCRIPTS = [
  "Han Hiragana Katakana",
  "Hangul",
  "Cyrillic",
  "Greek",
  "Arabic",
  "Hebrew",
  "Devanagari",
  "Bengali",
  "Gurmukhi",
  "Gujarati",
  "Oriya",
  "Tamil",
  "Telugu",
  "Kannada",
  "Malayalam",
  "Sinhala",
  "Thai",
  "Lao",
  "Tibetan",
  "Myanmar",
  "Khmer",
  "Georgian",
  "Armenian",
  "Ethiopic",
  "Mongolian",
  "Latin",
].map((names) => ({
  name: names,
  letters: new RegExp(`[${names.replace(/\w+/g, "\\p{Script=$&}").replaceAll(" ", "")}]`, "u"),
}));

const containsAll = (all: readonly string[], some: readonly string[]): boolean =>
  some.every((word) => all.includes(word));

/** Scripts without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;

const numbersOf = (words: readonly string[]): string => words.filter((word) => /\p{N}/u.test(word)).join(" ");

/** The Dice coefficient of the pairs of neighbouring letters. */
function countShared(one: string, other: string): number {
  const [first, second] = [listPairs(one), listPairs(other)];
  const left = new Map<string, number>();
  for (const pair of first) left.set(pair, (left.get(pair) ?? 0) + 1);
  let shared = 0;
  for (const pair of second) {
    const count = left.get(pair) ?? 0;
    if (count > 0) shared += 1;
    left.set(pair, count - 1);
  }
  return (2 * shared) / Math.max(1, first.length + second.length);
}

function listPairs(text: string): string[] {
  const letters = [...text];
  return letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
}

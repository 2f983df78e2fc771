/** Recognises passwords that are long enough but among the first to be guessed: a lookup in a list, after folding. */
import { createRequire } from "node:module";

/** A text with fewer distinct characters is too weak, however often they are repeated. */
const MIN_VARIETY = 5;
/** At most this many characters besides a common password add no strength. */
const MAX_BESIDE = 3;
const MIN_RUN = 4;

/** Common guesses that the list lacks: rows of keys, the alphabet, digits, the name of this service. */
const ROWS = [
  "qwertzuiop",
  "йцукенгшщзхъ",
  "abcdefghijklmnopqrstuvwxyz",
  "a1b2c3d4e5f6g7h8i9",
  "01234567890123456789",
  "bookdistribution",
];
const RUNS = [...ROWS, ...ROWS.map((row) => Array.from(row).reverse().join(""))];

/**
 * Whether a password is common: one or two passwords of the list or parts of a row, in any case, repeated, with digits
 * in place of letters, or with digits and signs around them.
 * @param password of a bounded length: the time grows with its square
 */
export function isCommonPassword(password: string): boolean {
  const unit = findRepeatedUnit(password.toLowerCase());
  if (new Set(unit).size < MIN_VARIETY) return true;
  const cores = [
    unit,
    unit.replace(/[^\p{L}\p{N}]+$/u, ""),
    unit.replace(/^\P{L}+|\P{L}+$/gu, ""),
    unit.replace(/^\P{L}*(\p{L}+)\P{L}+(\p{L}+)\P{L}*$/u, "$1$2"),
  ];
  return cores.some((core) => isOneOrTwo(core) || isOneOrTwo(replaceLeet(core)));
}

/** `passwordpassword` is `password`. */
const findRepeatedUnit = (text: string): string => text.slice(0, (text + text).indexOf(text, 1));

const replaceLeet = (text: string): string =>
  text.replace(/[0134578@$!+]/g, (sign) => "oieastbasit"["0134578@$!+".indexOf(sign)] ?? sign);

function isOneOrTwo(text: string): boolean {
  for (let at = 0; at <= text.length; at++) {
    const [head, tail] = [text.slice(0, at), text.slice(at)];
    if (isListed(head) ? isLittle(tail) || isListed(tail) : isLittle(head) && isListed(tail)) return true;
  }
  return false;
}

const isLittle = (text: string): boolean => text.length <= MAX_BESIDE;

const isListed = (text: string): boolean =>
  readList().has(text) || (text.length >= MIN_RUN && RUNS.some((run) => run.includes(text)));

let list: ReadonlySet<string> | undefined;

/** 49,233 passwords that were used most, read at the first call. The package's own entry would unpack two more lists. */
function readList(): ReadonlySet<string> {
  if (list === undefined) {
    const passwords: string[] = createRequire(import.meta.url)(
      "@zxcvbn-ts/language-common/src/passwords.json",
    );
    list = new Set(passwords);
  }
  return list;
}

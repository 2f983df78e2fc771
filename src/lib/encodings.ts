/** Character encodings of files that others made. */

/** Names that programs write and the WHATWG Encoding Standard doesn't have. */
const OTHER_LABELS: ReadonlyMap<string, string> = new Map([
  ["932", "shift_jis"],
  ["936", "gbk"],
  ["949", "euc-kr"],
  ["950", "big5"],
  ["10000", "macintosh"],
  ["28591", "iso-8859-1"],
  ["65001", "utf-8"],
]);

/** The names of Java, Python and iconv: without signs, and those that are other words. */
const PLAIN_LABELS: ReadonlyMap<string, string> = new Map([
  ...[
    "euc-jp",
    "euc-kr",
    "iso-2022-jp",
    "koi8-r",
    "koi8-u",
    "shift_jis",
    "utf-16le",
    "utf-16be",
    "x-mac-cyrillic",
  ].map((name): [string, string] => [toPlainLabel(name), name]),
  ["big5hkscs", "big5"],
  ["euccn", "gbk"],
  ["maccyrillic", "x-mac-cyrillic"],
  ["macroman", "macintosh"],
  ["xmacroman", "macintosh"],
  ["tis620", "windows-874"],
  ["uhc", "euc-kr"],
]);

function toPlainLabel(label: string): string {
  return label.toLowerCase().replace(/[^a-z\d]/g, "");
}

/** The name of an encoding as `TextDecoder` knows it; undefined for an unknown one. */
export function findEncoding(label: string): string | undefined {
  const number = /^(?:x[-_]?)?(?:cp|ms|win|windows|ibm|codepage)?[-_ ]?(\d{3,5})$/i.exec(label)?.[1] ?? "";
  const written = label.replace(/^iso[-_ ]?8859[-_ ]/i, "iso-8859-");
  const plain = toPlainLabel(label);
  const byNumber = [OTHER_LABELS.get(number), `windows-${number}`, `ibm${number}`];
  const candidates = [label, written, ...byNumber, PLAIN_LABELS.get(plain), plain];
  for (const candidate of candidates) {
    if (candidate === undefined) continue;
    try {
      return new TextDecoder(candidate).encoding;
    } catch {
      // RangeError: the next one
    }
  }
  return undefined;
}

const UTF8 = "utf-8";

/**
 * The encoding of a text: what the file says, unless its bytes contradict. Programs convert texts to UTF-8 and leave the
 * former name in them, or write UTF-8 for what their system has.
 * @param label what the file says
 * @param bytes the text or its begin, which can end within a character
 */
export function chooseEncoding(bytes: Uint8Array, label?: string): string {
  const said = label === undefined ? undefined : findEncoding(label);
  if (said !== undefined && KEPT.test(said)) return said;
  const valid = readUtf8(bytes);
  const isOlder = said !== undefined && said !== UTF8;
  if (valid !== undefined && !(isOlder && isByAccident(valid, said))) return UTF8;
  if (isOlder) return said;
  if (/[\u0080-\ufffc]/.test(new TextDecoder().decode(bytes, { stream: true }))) return UTF8;
  return findCyrillic(Buffer.from(bytes).toString("latin1"), MIN_CYRILLIC) ?? "windows-1252";
}

/** Encodings whose texts are never also UTF-8 with characters beyond ASCII. */
const KEPT = /^(?:utf-16|iso-2022-jp)/;

/** Undefined if they are none. The last character can be incomplete. */
function readUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(UTF8, { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

/**
 * Whether a text in an older encoding could have become UTF-8. Bytes beyond ASCII hardly ever do; of two bytes that are a
 * character of East Asia, some do, but not those of three.
 */
const isByAccident = (text: string, said: string): boolean =>
  !(EAST_ASIAN.test(said) ? /[\u0800-\uffff]/ : /[\u0080-\uffff]/).test(text);

const EAST_ASIAN = /^(?:gb|big5|euc-|shift_jis)/;

/** Words of three and more letters, each with an accent: hardly one of a Latin alphabet, and most of those in Cyrillic. */
const CYRILLIC_WORDS = /(?<![a-z\u00a8\u00b8\u00c0-\u00ff])[\u00a8\u00b8\u00c0-\u00ff]{3,}(?![a-z])/gi;
/** Of a file: `üçü` is Turkish. */
const MIN_CYRILLIC = 6;

/**
 * The encoding in which a text is Cyrillic that was taken for Latin letters; undefined if it isn't.
 * @param text one character a byte
 * @param min of the letters in such words
 */
function findCyrillic(text: string, min: number): string | undefined {
  const letters = text.match(/[\u00a8\u00b8\u00c0-\u00ff]/g)?.length ?? 0;
  const inWords = text.match(CYRILLIC_WORDS)?.join("") ?? "";
  if (inWords.length < min || 2 * inWords.length <= letters) return undefined;
  // Small letters are the second half of one code, and the first half of the other.
  const early = inWords.match(/[\u00c0-\u00df]/g)?.length ?? 0;
  const encoding = 2 * early > inWords.length ? "koi8-r" : "windows-1251";
  return isWritten(decodeLatin(text, encoding)) ? encoding : undefined;
}

/** Whether a text can be Cyrillic: without the lines of tables, and mostly without capital letters within words. */
function isWritten(text: string): boolean {
  const words = text.match(/\p{L}+/gu)?.length ?? 0;
  const capitals = text.match(/\p{Ll}\p{Lu}/gu)?.length ?? 0;
  return !/[\u2500-\u25a0]/.test(text) && 2 * capitals <= words;
}

/** @param text one character a byte */
const decodeLatin = (text: string, encoding: string): string =>
  new TextDecoder(encoding).decode(Buffer.from(text, "latin1"));

/**
 * In which all letters beyond ASCII are of one script. Letters of a text that is neither are hardly ever all of it, but
 * Japanese in GBK can be rare Chinese letters: they begin with bytes that GB 2312 doesn't have.
 */
const OF_ONE_SCRIPT: readonly OneScript[] = [
  { encoding: "windows-1256", letters: /^[\p{Script=Arabic}\p{M}\p{P}\p{ASCII}\p{Cf}\u00a0]*$/u },
  {
    encoding: "gbk",
    bytes: /^[^\u0080-\u00a0]*$/,
    letters: /^[\p{Script=Han}\u3000-\u303f\uff01-\uff5e\p{P}\p{ASCII}]*$/u,
  },
  {
    encoding: "shift_jis",
    letters: /^[\p{Script=Han}\u3000-\u30ff\uff01-\uff5e\p{P}\p{ASCII}]*$/u,
    some: /[\u3041-\u30ff]/,
  },
];

interface OneScript {
  encoding: string;
  /** Of the text as it was read, one character a byte. */
  bytes?: RegExp;
  letters: RegExp;
  /** Of which there is one at least. */
  some?: RegExp;
}

/**
 * A text that a program has read as Latin letters, because its format has no name for the encoding: `cafÃ©` is `café`, and
 * `Âîéíà` is `Война`.
 */
export function readMisread(text: string): string {
  if (!/[\u0080-\uffff]/.test(text) || /[\u0100-\uffff]/.test(text)) return text;
  const valid = readUtf8(Buffer.from(text, "latin1"));
  if (valid !== undefined && /[\u0080-\uffff]/.test(valid)) return valid;
  const plain = text.match(/[a-z]/gi)?.length ?? 0;
  const encoding = findCyrillic(text, plain + 1) ?? findOther(text, plain + 1);
  return encoding === undefined ? text : decodeLatin(text, encoding);
}

/** The same of what is written in Latin 1, and in truth often with the quotation marks and dashes of Windows. */
export function readLatin1(text: string): string {
  const meant = readMisread(text);
  const isOfWindows = meant === text && /[\u0080-\u009f]/.test(text) && !/[\u0100-\uffff]/.test(text);
  return isOfWindows ? decodeLatin(text, "windows-1252") : meant;
}

/** @param min of characters beyond ASCII: a few can be letters of Latin alphabets, too */
function findOther(text: string, min: number): string | undefined {
  const beyond = text.match(/[\u0080-\u00ff]/g)?.length ?? 0;
  if (beyond < Math.max(min, MIN_CYRILLIC)) return undefined;
  return OF_ONE_SCRIPT.find(({ encoding, bytes, letters, some }) => {
    const decoded = decodeLatin(text, encoding);
    return bytes?.test(text) !== false && letters.test(decoded) && some?.test(decoded) !== false;
  })?.encoding;
}

/** @param label what the file says; see `chooseEncoding` */
export const decodeText = (bytes: Uint8Array, label?: string): string =>
  new TextDecoder(chooseEncoding(bytes, label)).decode(bytes);

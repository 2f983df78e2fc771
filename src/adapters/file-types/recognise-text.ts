/** Recognises text, and types that are written as text, by the first and last bytes of a file. */
import { findEncoding } from "../../lib/encodings.ts";
import { type Content, FOREIGN, foreign, ours } from "./content.ts";

interface Ends {
  sizeBytes: number;
  /** Both have an even length unless the file is shorter. */
  head: Buffer;
  tail: Buffer;
}

/** Undefined if the first or the last bytes aren't text. */
export function recogniseText(ends: Ends): Content | undefined {
  const encoding = detectEncoding(ends.head);
  const isUtf16 = encoding.startsWith("utf-16");
  if (isUtf16 && ends.sizeBytes % 2 === 1) return foreign(FOREIGN.cutUtf16);
  const texts = decodeEnds(ends, encoding);
  if (texts) return recogniseStart(...texts);
  if (isUtf16) return undefined;
  // In older encodings every byte beyond ASCII is valid. Half a letter at the very end shows that it is none of them.
  if (encoding === "utf-8" && decodeEnds(ends, encoding, true)) return foreign(FOREIGN.cutUtf8);
  return recogniseOlder(ends);
}

/** @param isOpen whether the last character can be incomplete */
function decodeEnds(
  { head, tail, sizeBytes }: Ends,
  encoding: string,
  isOpen = false,
): [string, string] | undefined {
  const isLong = sizeBytes > head.length;
  const start = decode(isLong ? head : withoutDosEnd(head), encoding, isLong || isOpen);
  if (start === undefined) return undefined;
  const last = withoutDosEnd(tail.subarray(cutBytes(tail, encoding)));
  const end = isLong ? decode(last, encoding, isOpen) : start;
  return end === undefined ? undefined : [start, end];
}

function recogniseOlder({ head, tail }: Ends): Content | undefined {
  const [start, end] = [withoutDosEnd(head).toString("latin1"), withoutDosEnd(tail).toString("latin1")];
  if (!isOlderText(start) || !isOlderText(end)) return undefined;
  const content = recogniseStart(start, end);
  return content.types[0] === "txt" ? { ...content, name: "plain text in an older encoding" } : content;
}

/** By the byte order mark, NULs in letters of ASCII, or a declaration in markup; otherwise UTF-8. */
function detectEncoding(head: Buffer): string {
  const start = head.toString("latin1");
  if (start.startsWith("\xff\xfe")) return "utf-16le";
  if (start.startsWith("\xfe\xff")) return "utf-16be";
  if (start.includes("\0")) return detectUtf16(head) ?? "utf-8";
  const declared = /^\s*</.test(start) ? DECLARATION.exec(start)?.[1] : undefined;
  const encoding = declared === undefined ? undefined : findEncoding(declared);
  return encoding === undefined || encoding.startsWith("utf-") ? "utf-8" : encoding;
}

/** In XML at the begin, in HTML anywhere in the head. */
const DECLARATION =
  /<(?:\?xml|meta)\s[^>]{0,300}?(?:encoding|charset)\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:-]{1,40})/i;

/** Without a byte order mark: in the right order of bytes, text has spaces or line ends, and no letters that don't exist. */
function detectUtf16(head: Buffer): string | undefined {
  const even = head.subarray(0, head.length - (head.length % 2));
  const found = ["utf-16le", "utf-16be"].map((encoding) => {
    const text = decode(even, encoding, true) ?? "";
    return { encoding, spaces: /[\p{Cn}\p{Co}]/u.test(text) ? 0 : (text.match(/[ \r\n]/g)?.length ?? 0) };
  });
  const [first, second] = found;
  if (!first || !second || first.spaces === second.spaces) return undefined;
  return first.spaces > second.spaces ? first.encoding : second.encoding;
}

/** The text of some bytes; undefined if they aren't text. `isOpen`: the last character can be incomplete. */
function decode(bytes: Buffer, encoding: string, isOpen: boolean): string | undefined {
  try {
    // In older encodings every byte is valid, so only control characters can reveal binary data.
    const fatal = encoding.startsWith("utf-");
    const text = new TextDecoder(encoding, { fatal }).decode(bytes, { stream: isOpen });
    return BINARY.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Control characters other than white space; those of ISO 8859 (80 to 9F) occur in many texts by mistake. */
const BINARY = /[^\P{Cc}\s\u007f-\u009f]/u;

/** DOS and CP/M end a text by Ctrl-Z, and fill the block with it or with NUL. */
function withoutDosEnd(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && isFilling(bytes[end - 1])) end -= 1;
  return bytes[end] === CTRL_Z || bytes.subarray(end).includes(CTRL_Z) ? bytes.subarray(0, end) : bytes;
}

const CTRL_Z = 0x1a;
const isFilling = (byte: number | undefined): boolean =>
  byte === CTRL_Z || byte === 0 || byte === 0x0a || byte === 0x0d || byte === 0x20;

/** Bytes without control characters, but for those by which ISO 2022 changes its character sets. */
function isOlderText(bytes: string): boolean {
  const isShifting = bytes.includes(`${ESC}$`) || bytes.includes(`${ESC}(`);
  return !BINARY.test(isShifting ? SHIFTS.reduce((text, shift) => text.replaceAll(shift, ""), bytes) : bytes);
}

const ESC = "\x1b";
const SHIFTS = [ESC, "\x0e", "\x0f"];

/** Number of bytes at the start of the tail that belong to a character that began before it. */
function cutBytes(tail: Buffer, encoding: string): number {
  if (encoding === "utf-8")
    return Math.max(
      0,
      tail.subarray(0, 4).findIndex((byte) => (byte & 0xc0) !== 0x80),
    );
  const highByte = tail[encoding === "utf-16le" ? 1 : 0] ?? 0;
  return encoding.startsWith("utf-16") && highByte >= 0xdc && highByte <= 0xdf ? 2 : 0;
}

/** @param end the last bytes */
function recogniseStart(start: string, end: string): Content {
  const text = start.trimStart();
  if (/^<[a-z!?/]/i.test(text)) return recogniseMarkup(text, end);
  const other = TEXT_SIGNATURES.find(([signature]) => text.startsWith(signature));
  return other ? foreign(other[1]) : asText(text);
}

/** Formats that can consist of text bytes only. */
const TEXT_SIGNATURES = [
  ["#!", "a script"],
  ["%!PS", "a PostScript document"],
  ["GIF8", "a GIF image"],
] as const;

/** Text with elements in it is HTML if it is called so. */
const asText = (text: string): Content => (HTML_TAG.test(text) ? ours("txt", "html") : ours("txt"));

function recogniseMarkup(text: string, end: string): Content {
  PROLOG.lastIndex = 0;
  const prolog = PROLOG.exec(text)?.[0] ?? "";
  const root = text.slice(prolog.length);
  if (HTML_STRUCTURE.test(root)) return ours("html");
  if (/^<(?:[\w.-]+:)?FictionBook[\s>/]/.test(root)) return ours("fb2");
  if (/^<(?:!doctype\s+|[\w.-]+:)?svg[\s>/]/i.test(root)) return foreign("an SVG image");
  const isDeclared = /^\s*<\?xml/i.test(prolog) || /^<[!?]/.test(root);
  if (!isDeclared && HTML_START.test(root)) return ours("html", "txt");
  if (!isDeclared && !isElement(root, end)) return asText(root);
  return foreign("an XML document or a piece of markup");
}

/** Whether the first tag is that of an element which ends. `<The Harbour>` begins a text. */
function isElement(root: string, end: string): boolean {
  const name = /^<([a-z][\w.:-]*)/i.exec(root)?.[1];
  return (
    name !== undefined &&
    (/^<[^<>]*\/>/.test(root) || root.includes(`</${name}`) || end.includes(`</${name}`))
  );
}

/** What may precede the first element: white space, XML declaration and instructions, comments, FB2's own doctype. */
const PROLOG = /(?:\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!DOCTYPE\s+FictionBook[^[>]*>)*/y;

/** Elements that only a page has, and those in which programs are (WHATWG MIME Sniffing, 7.1). */
const HTML_STRUCTURE =
  /^<(?:!doctype\s+html|(?:[\w.-]+:)?html|head|body|frameset|base|meta|link|title|style|script|iframe)[\s>/]/i;

const ELEMENTS =
  "a|abbr|acronym|address|area|article|aside|audio|b|bdi|bdo|big|blockquote|br|caption|center|cite|code|col|dd|del|details|dfn|dir|div|dl|dt|em|fieldset|figcaption|figure|font|footer|form|h[1-6]|header|hgroup|hr|i|img|ins|kbd|label|li|main|map|mark|menu|nav|noscript|ol|p|picture|pre|q|rp|rt|ruby|s|samp|section|small|span|strike|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|time|tr|tt|u|ul|var|video|wbr";
/** An element of HTML, or the end of one. */
const HTML_START = new RegExp(`^</?(?:${ELEMENTS})[\\s>/]`, "i");
const HTML_TAG = new RegExp(`</?(?:${ELEMENTS}|html|body|head)(?:\\s[^<>]{0,200})?/?>`, "i");

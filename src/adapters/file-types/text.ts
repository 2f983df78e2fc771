/** Text, and the types that are written as text: plain text, HTML and FB2. */
import { type Content, foreign, readWindow, type Sample, WINDOW_BYTES } from "./content.ts";

/** Undefined when the first or the last window is not text. */
export async function recogniseText(sample: Sample): Promise<Content | undefined> {
  const { head, sizeBytes } = sample;
  const encoding = encodingOf(head);
  const hasTail = sizeBytes > WINDOW_BYTES;
  const start = decode(head, encoding, { isCut: hasTail });
  if (start === undefined || (encoding.isUtf16 && sizeBytes % 2 === 1)) return undefined;
  if (hasTail && (await decodeTail(sample, encoding)) === undefined) return undefined;
  return recogniseStart(start);
}

interface Encoding {
  label: string;
  isUtf16: boolean;
  /** Single bytes of these may mean anything, so nothing but control characters can be wrong. */
  isLegacy: boolean;
}

const UTF_8: Encoding = { label: "utf-8", isUtf16: false, isLegacy: false };

/** By the byte order mark; without one UTF-8, unless markup declares another encoding. */
function encodingOf(head: Buffer): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return { label: "utf-16le", isUtf16: true, isLegacy: false };
  if (head[0] === 0xfe && head[1] === 0xff) return { label: "utf-16be", isUtf16: true, isLegacy: false };
  const start = head.toString("latin1", 0, DECLARATION_BYTES).trimStart();
  const declared = start.startsWith("<") ? canonical(DECLARATION.exec(start)?.[1]) : undefined;
  if (declared === undefined || declared.startsWith("utf-")) return UTF_8;
  return { label: declared, isUtf16: false, isLegacy: true };
}

/** HTML looks for a declaration in the first 1024 bytes (WHATWG HTML, 13.2.3.2); XML has it first of all. */
const DECLARATION_BYTES = 1024;
const DECLARATION = /(?:encoding|charset)\s*=\s*["']?([\w.:-]+)/i;

/** The encoding behind one of its names; undefined for a name that nobody knows. */
function canonical(label: string | undefined): string | undefined {
  try {
    return label && new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** The text of some bytes; undefined when they are not text. `isCut`: the last character may be incomplete. */
function decode(bytes: Buffer, { label, isLegacy }: Encoding, { isCut = false } = {}): string | undefined {
  try {
    const text = new TextDecoder(label, { fatal: !isLegacy }).decode(bytes, { stream: isCut });
    return hasBinaryControls(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

async function decodeTail({ file, sizeBytes }: Sample, encoding: Encoding): Promise<string | undefined> {
  const position = Math.max(WINDOW_BYTES, sizeBytes - WINDOW_BYTES);
  const tail = await readWindow(file, position, sizeBytes - position);
  return decode(tail.subarray(cutBytes(tail, encoding)), encoding);
}

/** How many bytes at the start of a window belong to a character that began before it. */
function cutBytes(window: Buffer, { label, isUtf16, isLegacy }: Encoding): number {
  if (isLegacy) return 0;
  if (isUtf16) {
    const highByte = window[label === "utf-16le" ? 1 : 0] ?? 0;
    return highByte >= 0xdc && highByte <= 0xdf ? 2 : 0;
  }
  let cut = 0;
  while (cut < 3 && ((window[cut] ?? 0) & 0xc0) === 0x80) cut++;
  return cut;
}

/** The "binary data bytes" of WHATWG MIME Sniffing, 3: no text has them, not even in ISO 2022 (ESC). */
function hasBinaryControls(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 && !TEXT_CONTROLS.has(code)) return true;
  }
  return false;
}

const TEXT_CONTROLS = new Set([..."\t\n\f\r\u001b"].map((control) => control.charCodeAt(0)));

function recogniseStart(start: string): Content {
  const text = start.trimStart();
  if (/^<[a-z!?/]/i.test(text)) return recogniseMarkup(text);
  const other = TEXT_SIGNATURES.find(([signature]) => text.startsWith(signature));
  return other ? foreign(other[1]) : { types: ["txt"], name: "plain text" };
}

/** Formats that can be written without a single binary byte, so that they pass for text. */
const TEXT_SIGNATURES = [
  ["#!", "a script"],
  ["%!PS", "a PostScript document"],
  ["GIF8", "a GIF image"],
  ["{\\rtf", "an RTF document"],
] as const;

function recogniseMarkup(text: string): Content {
  const root = text.slice(prologLength(text));
  if (HTML_START.test(root)) return { types: ["html"], name: "an HTML document" };
  if (/^<(?:[\w.-]+:)?FictionBook[\s>/]/.test(root)) return { types: ["fb2"], name: "an FB2 book" };
  if (/^<(?:!doctype\s+|[\w.-]+:)?svg[\s>/]/i.test(root)) return foreign("an SVG image");
  return foreign("an XML document or a piece of markup");
}

/** What may stand before the first element: space, XML declaration and instructions, comments, FB2's own doctype. */
function prologLength(text: string): number {
  PROLOG.lastIndex = 0;
  return PROLOG.exec(text)?.[0].length ?? 0;
}

const PROLOG = /(?:\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!DOCTYPE\s+FictionBook[^[>]*>)*/y;

/** The elements of WHATWG MIME Sniffing, 7.1, and their like. */
const HTML_START =
  /^<(?:!doctype\s+html|html|head|body|meta|link|title|style|script|iframe|h[1-6]|div|section|article|main|header|font|table|center|br|a|b|p)[\s>/]/i;

/** Recognises pictures by their first bytes. */

const PICTURE_TYPES = ["jpeg", "png", "webp", "gif", "svg"] as const;
export type PictureType = (typeof PICTURE_TYPES)[number];

/** Enough of a file for its type: an SVG can have a prolog. */
export const MAX_SIGNATURE_BYTES = 4096;

const SIGNATURES: readonly [PictureType, (text: string) => boolean][] = [
  ["jpeg", (text) => text.startsWith("\xff\xd8\xff")],
  ["png", (text) => text.startsWith("\x89PNG\r\n\x1a\n")],
  ["webp", (text) => text.startsWith("RIFF") && text.startsWith("WEBP", 8)],
  ["gif", (text) => /^GIF8[79]a/.test(text)],
];

/** Undefined for anything else. */
export function findPictureType(head: Uint8Array): PictureType | undefined {
  const start = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, MAX_SIGNATURE_BYTES));
  const text = start.toString("latin1");
  const found = SIGNATURES.find(([, signature]) => signature(text))?.[0];
  return found ?? (findRoot(text) === "svg" ? "svg" : undefined);
}

/** The name of the first element of markup, without prefix and in lower case. */
export const findRoot = (text: string): string | undefined =>
  /^<(?:[\w.-]{1,40}:)?(\w{1,40})[\s>/]/
    .exec(text.slice(PROLOG.exec(text)?.[0].length ?? 0))?.[1]
    ?.toLowerCase();

/** A byte order mark, white space, the XML declaration, instructions, comments and a document type. */
const PROLOG =
  /^(?:\xef\xbb\xbf)?(?:\s|<\?[^>]{0,1000}>|<!--[\s\S]{0,2000}?-->|<!DOCTYPE[^[>]{0,1000}(?:\[[^\]]{0,2000}\]\s{0,20})?>)*/i;

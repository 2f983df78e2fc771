/** E-mail addresses: their normal form and their syntax. */
import { toAsciiHostName } from "./host-name.ts";
import { dropInvisible } from "./one-line.ts";

/** RFC 5321, 4.5.3.1, and its erratum 1690: octets. */
const MAX_ADDRESS_BYTES = 254;
const MAX_LOCAL_PART_BYTES = 64;

/** RFC 5322, 3.2.3, with the letters of every script (RFC 6531, 3.3). */
const DOT_ATOM = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;

/**
 * The form in which addresses are stored and compared. Full-width characters and full stops, which keyboards of East Asia
 * write, are plain ones; invisible characters, typographic hyphens and apostrophes come with addresses that are pasted.
 * Phones end an address with a full stop, and begin it with the capital letter of their language: `İ` in Turkish.
 */
export function normalizeEmail(email: string): string {
  const plain = dropInvisible(email)
    .normalize("NFKC")
    .replaceAll("\u3002", ".")
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replaceAll("\u2019", "'")
    .trim()
    .toLowerCase()
    .replaceAll("i\u0307", "i")
    .normalize("NFC");
  return /[^.@]\.$/.test(plain) ? plain.slice(0, -1) : plain;
}

/** Whether a text is a usual address: no comments, quoted local parts or IP addresses. */
export function isEmail(text: string): boolean {
  if (Buffer.byteLength(text) > MAX_ADDRESS_BYTES) return false;
  const { localPart, domain } = splitAddress(text);
  return (
    Buffer.byteLength(localPart) <= MAX_LOCAL_PART_BYTES &&
    DOT_ATOM.test(localPart) &&
    toAsciiHostName(domain) !== undefined
  );
}

export function splitAddress(address: string): { localPart: string; domain: string } {
  const at = address.lastIndexOf("@");
  return { localPart: address.slice(0, Math.max(at, 0)), domain: address.slice(at + 1) };
}

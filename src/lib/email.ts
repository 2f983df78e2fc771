/** E-mail addresses: their normal form, their syntax, and the address that was probably meant. */
import { asciiHostName } from "./host-name.ts";

/** RFC 5321, 4.5.3.1, and its erratum 1690: octets. */
const MAX_ADDRESS_BYTES = 254;
const MAX_LOCAL_PART_BYTES = 64;

/** RFC 5322, 3.2.3, with the letters of every script (RFC 6531, 3.3). */
const DOT_ATOM = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;

/** The form in which addresses are stored and compared. */
export function normalizeEmail(email: string): string {
  return email.trim().normalize("NFC").toLowerCase();
}

/** Whether a text is an address such as people have: no comments, quoted local parts or IP addresses. */
export function isEmail(text: string): boolean {
  if (Buffer.byteLength(text) > MAX_ADDRESS_BYTES) return false;
  const { localPart, domain } = splitAddress(text);
  return (
    Buffer.byteLength(localPart) <= MAX_LOCAL_PART_BYTES &&
    DOT_ATOM.test(localPart) &&
    asciiHostName(domain) !== undefined
  );
}

/**
 * The address with the domain of a common provider in place of a likely slip of it (`gmial.com`, `gmail.con`),
 * or undefined. A hint only: nobody is kept from using an odd domain.
 */
export function suggestEmail(email: string): string | undefined {
  const address = normalizeEmail(email);
  if (!isEmail(address)) return undefined;
  const { localPart, domain } = splitAddress(address);
  const dot = domain.indexOf(".");
  const meant = providerLike(domain.slice(0, dot), domain.slice(dot + 1));
  return meant === undefined ? undefined : `${localPart}@${meant}`;
}

function splitAddress(address: string): { localPart: string; domain: string } {
  const at = address.lastIndexOf("@");
  return { localPart: address.slice(0, Math.max(at, 0)), domain: address.slice(at + 1) };
}

/** The commonest providers and the endings under which they give out addresses. */
const PROVIDERS = {
  gmail: "com",
  yahoo: "com co.uk fr de it es ca in co.in co.id co.jp com.br com.ar com.mx com.au",
  hotmail: "com co.uk fr de it es nl be se ca com.br com.ar",
  outlook: "com fr de it es be in com.br com.ar",
  icloud: "com",
  live: "com co.uk fr de it nl be se ca in com.mx",
  aol: "com co.uk fr de",
  msn: "com",
  gmx: "com net de at ch fr es us co.uk",
  protonmail: "com ch",
  googlemail: "com",
  yandex: "com ru ua kz by",
  comcast: "net",
};
const PROVIDER_DOMAINS = Object.entries(PROVIDERS).flatMap(([name, endings]) =>
  endings.split(" ").map((ending) => ({ name, ending })),
);

/** Other real providers whose names are one slip away from those. */
const LOOK_ALIKES = new Set(["mail", "email", "ymail", "cloud"]);

/** In shorter names every slip is somebody's real domain: of `aol.com`, only the ending is mended. */
const SHORTEST_MENDED_NAME = 5;

function providerLike(name: string, ending: string): string | undefined {
  let fewest = Number.POSITIVE_INFINITY;
  let meant: string | undefined;
  for (const provider of LOOK_ALIKES.has(name) ? [] : PROVIDER_DOMAINS) {
    const slips = nameSlips(name, provider.name) + endingSlips(ending, provider.ending);
    if (slips >= fewest) continue;
    fewest = slips;
    meant = `${provider.name}.${provider.ending}`;
  }
  return fewest > 0 ? meant : undefined;
}

function nameSlips(typed: string, name: string): number {
  return name.length < SHORTEST_MENDED_NAME && typed !== name ? Number.POSITIVE_INFINITY : slip(typed, name);
}

/** Country endings aren't mended: `fr` and `it` are each one letter from another country. */
function endingSlips(typed: string, ending: string): number {
  return ending.length !== 3 && typed !== ending ? Number.POSITIVE_INFINITY : slip(typed, ending);
}

/** Damerau-Levenshtein distance as far as it is 0 or 1 (a letter added, left out, mistaken, or two swapped). */
function slip(typed: string, meant: string): number {
  if (typed === meant) return 0;
  let start = 0;
  while (start < meant.length && typed[start] === meant[start]) start++;
  let end = 0;
  const shorter = Math.min(typed.length, meant.length);
  while (end < shorter - start && typed.at(-1 - end) === meant.at(-1 - end)) end++;
  const typedRest = typed.slice(start, typed.length - end);
  const meantRest = meant.slice(start, meant.length - end);
  const isOneLetter = typedRest.length <= 1 && meantRest.length <= 1;
  const isSwap = typedRest.length === 2 && typedRest === [...meantRest].reverse().join("");
  return isOneLetter || isSwap ? 1 : Number.POSITIVE_INFINITY;
}

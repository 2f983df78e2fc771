/** E-mail addresses: their normal form, their syntax, and corrections of mistyped domains. */
import { run } from "@zootools/email-spell-checker";
import { LRUCache } from "lru-cache";
import { toAsciiHostName } from "./host-name.ts";
import { dropInvisible } from "./one-line.ts";

/** RFC 5321, 4.5.3.1, and its erratum 1690: octets. */
const MAX_ADDRESS_BYTES = 254;
const MAX_LOCAL_PART_BYTES = 64;

/** RFC 5322, 3.2.3, with the letters of every script (RFC 6531, 3.3). */
const DOT_ATOM = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;

/**
 * The form in which addresses are stored and compared. Full-width characters and full stops, which keyboards of East Asia
 * write, are plain ones; invisible characters come with addresses that are pasted.
 */
export function normalizeEmail(email: string): string {
  return dropInvisible(email)
    .normalize("NFKC")
    .replaceAll("\u3002", ".")
    .trim()
    .toLowerCase()
    .normalize("NFC");
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

/**
 * Providers that readers often mistype, followed by real providers that look like a mistyped one. Names of fewer than
 * five letters are missing: each wrong letter in them results in another real domain.
 */
const PROVIDERS =
  `gmail.com googlemail.com icloud.com hotmail.com outlook.com yahoo.com protonmail.com yandex.com comcast.net
  hotmail.co.uk hotmail.fr hotmail.de hotmail.it hotmail.es hotmail.nl hotmail.be hotmail.se hotmail.ca hotmail.com.br
  hotmail.com.ar outlook.fr outlook.de outlook.it outlook.es outlook.be outlook.in outlook.com.br outlook.com.ar
  yahoo.co.uk yahoo.fr yahoo.de yahoo.it yahoo.es yahoo.ca yahoo.in yahoo.co.in yahoo.co.id yahoo.co.jp yahoo.com.br
  yahoo.com.ar yahoo.com.mx yahoo.com.au protonmail.ch yandex.ru yandex.ua yandex.kz yandex.by
  mail.com email.com ymail.com cloud.com rocketmail.com fastmail.com airmail.com bigmail.com`.split(/\s+/);

/** Never corrected: `fr` and `it` are each one letter from another country. `co` and `cm` usually mean `com`. */
const COUNTRY_ENDING = /\.(?!co$|cm$)[a-z]{2}$/;

/**
 * The address with the domain of a common provider, if the given domain is probably a mistyped one (`gmial.com`,
 * `gmail.con`), or undefined. Only a hint: other domains are accepted.
 * @param email an address in its normal form
 */
export function suggestEmail(email: string): string | undefined {
  const { localPart, domain } = splitAddress(email);
  const provider = providers.memo(domain);
  return provider === "" ? undefined : `${localPart}@${provider}`;
}

/** By domain, the provider that is probably meant; empty for none. The comparison took a tenth of a whole submit. */
const providers = new LRUCache<string, string>({
  max: 1000,
  memoMethod(domain) {
    const ending = domain.slice(domain.indexOf("."));
    const isOfCountry = COUNTRY_ENDING.test(ending);
    const domains = isOfCountry ? PROVIDERS.filter((each) => each.endsWith(ending)) : PROVIDERS;
    // The local part is our own: the package would return it percent-encoded.
    const hint = run({ email: `name@${domain}`, domains, secondLevelDomains: [], topLevelDomains: [] });
    return hint ? hint.domain : "";
  },
});

function splitAddress(address: string): { localPart: string; domain: string } {
  const at = address.lastIndexOf("@");
  return { localPart: address.slice(0, Math.max(at, 0)), domain: address.slice(at + 1) };
}

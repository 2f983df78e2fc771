/** Corrections of mistyped domains of e-mail addresses. */
import { run } from "@zootools/email-spell-checker";
import { LRUCache } from "lru-cache";
import { splitAddress } from "./email.ts";

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

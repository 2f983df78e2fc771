/** Addresses of books on a site: a template with the places of the language, the slug and the channel. */

/** What stands in the places of a template. */
export interface Place {
  language: string;
  slug: string;
  /** Empty if it isn't about a channel. */
  channel: string;
}

const PLACE = /\{(language|slug|channel)\}/g;

/**
 * Whether it is an http or https address that names the book. Its host is fixed, so that no slug leads to another site; user
 * and password would be seen by all, and a white space would be dropped without a word.
 */
export function isTemplate(text: string): boolean {
  if (/[\s{}\p{Cc}]/u.test(text.replaceAll(PLACE, "")) || !text.includes("{slug}")) return false;
  const [one, other] = ["a", "b"].map((value) => URL.parse(text.replaceAll(PLACE, value)));
  if (!one || !other || one.origin !== other.origin) return false;
  return ["http:", "https:"].includes(one.protocol) && one.username + one.password === "";
}

/** @param template one for which `isTemplate` holds @returns an address in ASCII */
export const fillTemplate = (template: string, place: Place): string =>
  new URL(template.replaceAll(PLACE, (name) => encodeURIComponent(findValue(name, place)))).href;

function findValue(name: string, { language, slug, channel }: Place): string {
  if (name === "{language}") return language;
  return name === "{slug}" ? slug : channel;
}

/** The address with these parameters, unless it has them or they are empty. */
export function addParameters(
  address: string,
  parameters: readonly (readonly [name: string, value: string | null])[],
): string {
  const url = new URL(address);
  const more = parameters.flatMap(([name, value]) =>
    value === null || value === "" || url.searchParams.has(name)
      ? []
      : `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  if (more.length > 0) url.search = [url.search.slice(1), ...more].filter((part) => part !== "").join("&");
  return url.href;
}

/** The query of an address as text by name. */
import { badRequest } from "../../errors.ts";

/**
 * A name that is given more than once has a list, which no schema of ours takes.
 * @throws AppError 400 malformed_query for what isn't percent-encoded UTF-8 (RFC 3986, 2.1 and 2.5): lenient parsers
 * would read it as something that nobody meant
 */
export function parseQuery(text: string | null): Record<string, string | string[]> {
  if (text === null) return {};
  const byName = Map.groupBy(pairsOf(text), ([name]) => name);
  return Object.fromEntries(Array.from(byName, ([name, given]) => [name, oneOrAll(given)]));
}

const oneOrAll = (given: readonly [string, string][]): string | string[] => {
  const [first = "", ...more] = given.map(([, value]) => value);
  return more.length === 0 ? first : [first, ...more];
};

/** As URLSearchParams has them, in half the time. */
function pairsOf(text: string): [name: string, value: string][] {
  if (/[^\x21-\x7e]/.test(text)) throw malformed();
  const pairs: [string, string][] = [];
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const [name, value] = equals < 0 ? [pair, ""] : [pair.slice(0, equals), pair.slice(equals + 1)];
    pairs.push([decoded(name), decoded(value)]);
  }
  return pairs;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll("+", " "));
  } catch {
    throw malformed();
  }
}

const malformed = () => badRequest("malformed_query", "The query string is not percent-encoded UTF-8.");

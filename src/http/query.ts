/** The query of an address as text by name. */
import { badRequest } from "../errors.ts";

/**
 * A name that is given more than once has a list, which no schema of ours takes.
 * @throws AppError 400 malformed_query for what isn't percent-encoded UTF-8 (RFC 3986, 2.1 and 2.5): lenient parsers
 * would read it as something that nobody meant
 */
export function parseQuery(text: string | null): Record<string, string | string[]> {
  if (text === null) return {};
  if (!isEncodedUtf8(text)) {
    throw badRequest("malformed_query", "The query of the address is not percent-encoded UTF-8.");
  }
  const byName = Map.groupBy(new URLSearchParams(text), ([name]) => name);
  return Object.fromEntries(Array.from(byName, ([name, given]) => [name, oneOrAll(given)]));
}

const oneOrAll = (given: readonly [string, string][]): string | string[] => {
  const [first = "", ...more] = given.map(([, value]) => value);
  return more.length === 0 ? first : [first, ...more];
};

function isEncodedUtf8(text: string): boolean {
  if (/[^\x21-\x7e]/.test(text)) return false;
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

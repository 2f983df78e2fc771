/** The state of a page that stands in its address, so that it can be kept, sent and gone back to. */

/** What stands in the address of a list besides its filters. */
const NO_FILTERS = new Set(["page", "sort", "timezone"]);

export const hasFilter = (query: URLSearchParams): boolean =>
  [...query].some(([name, value]) => value !== "" && !NO_FILTERS.has(name));

/** The page of a list, from 1. */
export const readPage = (query: URLSearchParams): number =>
  Math.max(Math.trunc(Number(query.get("page"))) || 1, 1);

/** The texts of these names in an address; empty where it has none. */
export function readTexts<Name extends string>(
  query: URLSearchParams,
  names: readonly Name[],
): Record<Name, string>;
export function readTexts(query: URLSearchParams, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, query.get(name) ?? ""]));
}

/** Filters that a user keeps under a name: the query of a list's address. */

/** The pages with filters, as the navigation names them. */
export const FILTERED_LISTS = [
  "overview",
  "books",
  "publications",
  "contacts",
  "downloads",
  "audit",
] as const;
export type FilteredList = (typeof FILTERED_LISTS)[number];

export interface NamedFilter {
  readonly name: string;
  /** Without a question mark. A range that is relative to today stays so. */
  readonly query: string;
}

type NamedFilters = Readonly<Record<FilteredList, readonly NamedFilter[]>>;

export const MAX_NAMED = 30;
export const MAX_NAME = 60;
const MAX_QUERY = 2000;

/** What an address filters by, in one way to write it; its page isn't part of it, nor a time zone without days. */
export function describeFilter(query: URLSearchParams): string {
  const kept = new URLSearchParams([...query].filter(([name, value]) => name !== "page" && value !== ""));
  if (!["range", "startDate", "endDate"].some((name) => kept.has(name))) kept.delete("timezone");
  kept.sort();
  return kept.toString();
}

function readFilter(value: unknown): NamedFilter | undefined {
  if (typeof value !== "object" || value === null || !("name" in value) || !("query" in value))
    return undefined;
  const { name, query } = value;
  if (typeof name !== "string" || typeof query !== "string") return undefined;
  const isKept = name.trim() !== "" && name.length <= MAX_NAME && query.length <= MAX_QUERY;
  return isKept ? { name, query: describeFilter(new URLSearchParams(query)) } : undefined;
}

function parse(stored: string): unknown {
  try {
    return JSON.parse(stored);
  } catch {
    return undefined;
  }
}

/** The stored filters, without values that aren't filters. */
export function readNamedFilters(stored: string | null): NamedFilters {
  const values = new Map<string, unknown>(Object.entries(Object(parse(stored ?? ""))));
  const read = (list: FilteredList): NamedFilter[] => {
    const value = values.get(list);
    const byName = new Map<string, NamedFilter>();
    for (const each of Array.isArray(value) ? value : []) {
      const filter = readFilter(each);
      if (filter && !byName.has(filter.name)) byName.set(filter.name, filter);
    }
    return [...byName.values()].slice(0, MAX_NAMED);
  };
  return {
    overview: read("overview"),
    books: read("books"),
    publications: read("publications"),
    contacts: read("contacts"),
    downloads: read("downloads"),
    audit: read("audit"),
  };
}

/** A filter of the same name is replaced in its place. */
export const addFilter = (filters: readonly NamedFilter[], added: NamedFilter): NamedFilter[] =>
  filters.some(({ name }) => name === added.name)
    ? filters.map((each) => (each.name === added.name ? added : each))
    : [...filters, added];

export const fitsInto = (query: string): boolean => query.length <= MAX_QUERY;

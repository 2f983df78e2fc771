/** What is asked of the service for a list, or for a file with all of it. */

/** Rows of a page. */
export const PAGE_SIZE = 50;

/** Filters that are set. */
export const omitEmpty = (filters: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ""));

/** A filter by a language; what isn't an id isn't used. */
export function filterLanguage(text: string): { languageId?: number } {
  const languageId = Number(text);
  return Number.isInteger(languageId) && languageId > 0 ? { languageId } : {};
}

/** The address of a file. */
export function exportPath(
  path: `/api/admin/${string}/export`,
  filters: Readonly<Record<string, string | number | boolean>>,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) query.set(name, String(value));
  return `${path}?${query}`;
}

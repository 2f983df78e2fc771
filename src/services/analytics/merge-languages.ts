/** One row for each language code in reports: a language that was deleted and made again has another number. */
import type { Counts } from "../../repositories/event-counts/event-counts.ts";
import type { NamedLanguage } from "../../repositories/report-names.ts";

type CountedLanguage = NamedLanguage & { counts: Counts };

/**
 * @param isKnown whether a language with this number still exists: it gives number and name to the row
 * @param contactsOf distinct contacts of all these languages together
 */
export async function mergeByCode(
  rows: readonly CountedLanguage[],
  isKnown: (languageId: number) => boolean,
  contactsOf: (languageIds: ReadonlySet<number>) => Promise<number>,
): Promise<CountedLanguage[]> {
  const groups = Map.groupBy(rows, ({ id, code }) => code.toLowerCase() || id);
  const merged = await Promise.all(
    [...groups.values()].map(async (group) => {
      const [first] = group.toSorted((a, b) => Number(isKnown(b.id)) - Number(isKnown(a.id)) || b.id - a.id);
      if (!first || group.length === 1) return group;
      const contacts = await contactsOf(new Set(group.map(({ id }) => id)));
      return [{ ...first, counts: { ...addCounts(group), contacts } }];
    }),
  );
  return merged.flat();
}

function addCounts(group: readonly CountedLanguage[]): Omit<Counts, "contacts"> {
  const sumOf = (name: Exclude<keyof Counts, "contacts">): number =>
    group.reduce((sum, { counts }) => sum + counts[name], 0);
  return { downloads: sumOf("downloads"), redeemed: sumOf("redeemed"), books: sumOf("books") };
}

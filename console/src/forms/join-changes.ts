/** Joins what one user typed with what was saved meanwhile. */

/** Whether two values of a field are the same, also lists of them. */
export const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

/** The service trims texts, drops the hyphens of an ISBN and writes domains in lower case. */
const simplify = (value: unknown): string =>
  JSON.stringify(value)
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\s\p{C}\p{Pd}]/gu, "");

/**
 * Tells the changes of an attempt whose response was lost from those of others: they become part of what the form began with.
 * @param sent what the attempt wanted to save
 * @param saved the record now
 */
export function adoptSent<Fields extends Record<string, unknown>>(
  { before, typed }: { before: Fields; typed: Fields },
  sent: Fields,
  saved: Fields,
): { before: Fields; typed: Fields } {
  const adopted = { before: { ...before }, typed: { ...typed } };
  for (const name in sent) {
    if (simplify(saved[name]) !== simplify(sent[name])) continue;
    adopted.before[name] = saved[name];
    if (isSame(typed[name], sent[name])) adopted.typed[name] = saved[name];
  }
  return adopted;
}

/**
 * @param before what both began with
 * @returns the values of the form now, and the fields that both changed to something different: there, what was typed stays
 */
export function joinChanges<Fields extends Record<string, unknown>>(
  before: Fields,
  typed: Fields,
  saved: Fields,
): { values: Fields; conflicts: (keyof Fields & string)[] } {
  const values = { ...typed };
  const conflicts: (keyof Fields & string)[] = [];
  for (const name in typed) {
    if (isSame(saved[name], before[name]) || isSame(saved[name], typed[name])) continue;
    if (isSame(typed[name], before[name])) values[name] = saved[name];
    else conflicts.push(name);
  }
  return { values, conflicts };
}

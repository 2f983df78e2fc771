/** Joins what one user typed with what another one saved meanwhile. */

/** Whether two values of a field are the same, also lists of them. */
export const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

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

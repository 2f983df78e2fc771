/** Joins what one user typed with what another one saved meanwhile. */

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
    if (saved[name] === before[name] || saved[name] === typed[name]) continue;
    if (typed[name] === before[name]) values[name] = saved[name];
    else conflicts.push(name);
  }
  return { values, conflicts };
}

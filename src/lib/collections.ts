/** Long lists in pieces, such as a statement takes. */

/** The items in their order, at most `size` in each piece. */
export const batchesOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );

// Objects as partial changes.

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Only the fields that were given: what is `undefined` says nothing, and must not reach a statement. */
export function givenFields<T extends object>(change: T): Given<T>;
export function givenFields(change: object): object {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}

// The order in which people look for names: a database would put every capital before every small letter.

export const compareNames = new Intl.Collator("en").compare;

/** Splits long lists into batches. */

/** The items in order, at most `size` in each batch. */
export const splitIntoBatches = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );

// Removes undefined fields from partial changes.

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Only the given fields: `undefined` means "not given" and must not reach a statement. */
export function pickGivenFields<T extends object>(change: T): Given<T>;
export function pickGivenFields(change: object): object {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}

// Compares names by language rules: a database would sort all capital letters before all small ones.

/** Created at the first comparison, like all objects of Intl: the first one takes 20 to 30 ms, which the start saves. */
let collator: Intl.Collator | undefined;

export function compareNames(a: string, b: string): number {
  collator ??= new Intl.Collator("en");
  return collator.compare(a, b);
}

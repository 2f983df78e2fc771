/** Objects as partial changes. */

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Only the fields that were given: what is `undefined` says nothing, and must not reach a statement. */
export function givenFields<T extends object>(change: T): Given<T>;
export function givenFields(change: object): object {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}

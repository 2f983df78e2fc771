/** The values of an enumeration of the API, in an order of one's own. */

/**
 * A function that takes all values of a type: a missing one, and one that isn't of the type, doesn't compile.
 * @example listAll<Schemas["Role"]>()("admin", "editor", "analyst", "viewer")
 */
export const listAll =
  <Value extends string>() =>
  <const Given extends readonly Value[]>(
    ...values: Given &
      ([Value] extends [Given[number]] ? unknown : { missing: Exclude<Value, Given[number]> })
  ): Given =>
    values;

/** Places inside a JSON value: to put something else there, one at a time. */

/** Names and numbers from the outside in. */
export type Place = readonly (string | number)[];

interface Found {
  at: Place;
  value: unknown;
}

/** Every value inside, itself first. */
export function* placesIn(value: unknown, at: Place = []): Generator<Found> {
  yield { at, value };
  if (typeof value !== "object" || value === null) return;
  const isList = Array.isArray(value);
  for (const [name, inner] of Object.entries(value))
    yield* placesIn(inner, [...at, isList ? Number(name) : name]);
}

/** The value with something else at one place. */
export function withPlace(value: unknown, [name, ...further]: Place, put: unknown): unknown {
  if (name === undefined) return put;
  if (Array.isArray(value))
    return value.map((inner, index) => (index === name ? withPlace(inner, further, put) : inner));
  if (typeof value !== "object" || value === null) throw new Error(`There is no place ${name}`);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === name ? withPlace(inner, further, put) : inner]),
  );
}

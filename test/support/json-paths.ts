/** Paths inside a JSON value, for replacing one value at a time. */

/** Property names and indexes, outermost first. */
export type JsonPath = readonly (string | number)[];

interface Found {
  at: JsonPath;
  value: unknown;
}

/** Every value inside, itself first. */
export function* iteratePaths(value: unknown, at: JsonPath = []): Generator<Found> {
  yield { at, value };
  if (typeof value !== "object" || value === null) return;
  const isList = Array.isArray(value);
  for (const [name, inner] of Object.entries(value))
    yield* iteratePaths(inner, [...at, isList ? Number(name) : name]);
}

/** The value with something else at one place. */
export function withPlace(value: unknown, [name, ...further]: JsonPath, put: unknown): unknown {
  if (name === undefined) return put;
  if (Array.isArray(value))
    return value.map((inner, index) => (index === name ? withPlace(inner, further, put) : inner));
  if (typeof value !== "object" || value === null) throw new Error(`There is no place ${name}`);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === name ? withPlace(inner, further, put) : inner]),
  );
}

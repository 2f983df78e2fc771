/** From a path to what stands there: a step for each of its segments, however many paths the table has. */
import { badRequest } from "../errors.ts";

export interface Found<T> {
  value: T;
  /** What stands in the place of each placeholder, decoded. */
  params: Record<string, string>;
}

interface Place<T> {
  readonly literals: Map<string, Place<T>>;
  placeholder: Place<T> | undefined;
  leaf: Leaf<T> | undefined;
}

interface Leaf<T> {
  path: string;
  value: T;
  /** The placeholders by name, each with the number of its segment. */
  placeholders: readonly (readonly [name: string, segment: number])[];
}

export class PathIndex<T> {
  readonly #root: Place<T> = emptyPlace();

  /** @param path with placeholders in braces, each a whole segment. Throws when another path takes the same addresses. */
  add(path: string, value: T): void {
    const placeholders: [name: string, segment: number][] = [];
    let place = this.#root;
    for (const [number, segment] of path.split("/").entries()) {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1];
      if (name !== undefined) placeholders.push([name, number]);
      else if (/[{}]/.test(segment)) throw new Error(`${path} has a placeholder that isn't a whole segment`);
      place = name === undefined ? literalIn(place, segment) : placeholderIn(place);
    }
    if (place.leaf) throw new Error(`${path} and ${place.leaf.path} take the same addresses`);
    place.leaf = { path, value, placeholders };
  }

  /**
   * Case and slashes count. Where a segment is both a literal and something for a placeholder, the literal goes first.
   * @throws AppError 400 malformed_address for a placeholder's value that isn't percent-encoded UTF-8
   */
  find(path: string): Found<T> | undefined {
    const segments = path.split("/");
    const leaf = leafAt(this.#root, segments, 0);
    if (!leaf) return undefined;
    const { value, placeholders } = leaf;
    const params = placeholders.map(([name, number]) => [name, decoded(segments[number] ?? "")]);
    return { value, params: Object.fromEntries(params) };
  }
}

const emptyPlace = <T>(): Place<T> => ({ literals: new Map(), placeholder: undefined, leaf: undefined });

function literalIn<T>({ literals }: Place<T>, segment: string): Place<T> {
  const place = literals.get(segment) ?? emptyPlace<T>();
  literals.set(segment, place);
  return place;
}

function placeholderIn<T>(place: Place<T>): Place<T> {
  place.placeholder ??= emptyPlace();
  return place.placeholder;
}

/** Never deeper than the longest path of the table, whatever the address. */
function leafAt<T>(place: Place<T>, segments: readonly string[], depth: number): Leaf<T> | undefined {
  const segment = segments[depth];
  if (segment === undefined) return place.leaf;
  const literal = place.literals.get(segment);
  const leaf = literal && leafAt(literal, segments, depth + 1);
  // An empty segment has no value.
  if (leaf || segment === "" || !place.placeholder) return leaf;
  return leafAt(place.placeholder, segments, depth + 1);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw badRequest("malformed_address", "The address is not percent-encoded UTF-8.", { cause });
  }
}

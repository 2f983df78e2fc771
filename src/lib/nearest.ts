/** Finds the name that was probably meant. */
import { distance } from "fastest-levenshtein";

/** A longer name isn't a slip of the pen. */
const MAX_LENGTH = 40;

/** The known name nearest to a mistyped one, without regard to case and separators; undefined if none is near. */
export function findNearest(name: string, known: readonly string[]): string | undefined {
  const wanted = simplify(name);
  if (wanted === "" || name.length > MAX_LENGTH) return undefined;
  const [nearest] = known
    .map((each) => ({ each, steps: countSteps(wanted, simplify(each)) }))
    .filter(({ each, steps }) => steps <= Math.max(wanted.length, each.length) * 0.35)
    .sort((one, other) => one.steps - other.steps);
  return nearest?.each;
}

const simplify = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Letters to change; a name that only continues the other one counts as near. */
const countSteps = (one: string, other: string): number =>
  one.startsWith(other) || other.startsWith(one) ? Number(one !== other) : distance(one, other);

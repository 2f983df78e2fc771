/** Finds what a request for an unknown path, or with a method that a path doesn't support, probably meant. */
import { findNearest } from "../lib/nearest.ts";
import type { Route } from "./route.ts";

/** Longer than any path with its ids. */
const MAX_LENGTH = 200;

interface KnownPath {
  path: string;
  segments: readonly string[];
}

/** A segment of a path that a known path spells differently, or its first literal one if none does. */
interface Slip {
  path: string;
  given: string;
  known: string;
}

/**
 * Returns a function that finds the known path with the same segments but one, which is mistyped; also if only slashes differ,
 * or if `/api` is missing. Placeholders fit every segment. Undefined if none is near.
 */
export function createPathFinder(paths: readonly string[]): (path: string) => string | undefined {
  const known = paths.map((path) => ({ path, segments: splitPath(path) }));
  return (path) => {
    if (path.length > MAX_LENGTH) return undefined;
    const segments = splitPath(path);
    return findNearestPath(segments, known) ?? findNearestPath(["api", ...segments], known);
  };
}

function findNearestPath(segments: readonly string[], known: readonly KnownPath[]): string | undefined {
  const slips = known.flatMap((each) => findSlip(segments, each) ?? []);
  const nearest = [...Map.groupBy(slips, ({ given }) => given)].flatMap(([given, group]) => {
    const name = findNearest(
      given,
      group.map(({ known: each }) => each),
    );
    return group.filter((slip) => slip.known === name);
  });
  return (slips.find((slip) => slip.given === slip.known) ?? nearest[0])?.path;
}

/** Undefined if more than one segment differs. */
function findSlip(given: readonly string[], { path, segments }: KnownPath): Slip | undefined {
  if (segments.length !== given.length) return undefined;
  const literal = segments
    .map((known, index) => ({ path, known, given: given[index] ?? "" }))
    .filter(({ known }) => !known.startsWith("{"));
  const differing = literal.filter((slip) => slip.known !== slip.given);
  return differing.length > 1 ? undefined : (differing[0] ?? literal[0]);
}

const splitPath = (path: string): string[] => path.split("/").filter((segment) => segment !== "");

/**
 * The operation one placeholder below the path that does what the method does there: `PUT
 * /api/admin/books/{bookId}/covers/{languageCode}` for POST on `/api/admin/books/{bookId}/covers`.
 */
export function findOperationBelow(
  path: string,
  method: string,
  table: readonly Route[],
): string | undefined {
  const wanted = method === "POST" ? ["POST", "PUT"] : [method];
  const below = table
    .filter((route) => route.path !== path && route.path.replace(/\/\{\w+\}$/, "") === path)
    .find((route) => wanted.includes(route.method.toUpperCase()));
  return below && `${below.method.toUpperCase()} ${below.path}`;
}

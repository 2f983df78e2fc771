/** As which kind of image a cover is sent. */
import type { CoverContentType } from "../schemas/cover-types.ts";

/** What somebody takes as an answer. */
export interface Accepted {
  /** Media ranges in lower case, the best first. */
  ranges: readonly string[];
  /** Whether a type is taken, by its own name or as part of a range. */
  takes(type: string): boolean;
}

/** Much smaller than others, but not shown everywhere: a wildcard doesn't ask for them, their name does. */
const SMALL_TYPES: readonly CoverContentType[] = ["image/avif", "image/webp"];

const COMPACT_TYPES: readonly CoverContentType[] = ["image/jpeg", ...SMALL_TYPES];

/**
 * The best of what is taken: a small type that is asked for by its name, or the type in which the cover is kept. Who
 * takes neither gets another small enough type, and who takes none of these the one that is kept: a photograph becomes
 * no PNG, which would be ten times as large.
 */
export function coverTypeFor(kept: CoverContentType, { ranges, takes }: Accepted): CoverContentType {
  for (const range of ranges) {
    const named = SMALL_TYPES.find((type) => type === range);
    if (named) return named;
    if (isIn(range, kept) && takes(kept)) return kept;
  }
  return (kept === "image/jpeg" ? undefined : COMPACT_TYPES.find(takes)) ?? kept;
}

const isIn = (range: string, type: string): boolean =>
  range === type || range === "*/*" || (range.endsWith("/*") && type.startsWith(range.slice(0, -1)));

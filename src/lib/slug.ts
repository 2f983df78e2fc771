/** Slugs: the readable part of an address, made from a title. */

const MAX_LENGTH = 80;

/** ASCII, typographic and modifier apostrophes: "Let’s" is one word, not two. */
const APOSTROPHES = "'‘’‛ʻʼ";
const DROPPED = new RegExp(`[\\p{M}${APOSTROPHES}]+`, "gu");

/**
 * The slug of a title: `a-z`, `0-9` and single inner hyphens, at most 80 characters.
 * Empty when the title has no Latin letter and no digit; the caller then names the book after its id.
 */
export function slugOf(title: string): string {
  const words = title
    .normalize("NFKD")
    .replace(DROPPED, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-");
  return cut(words.replace(/^-/, ""), MAX_LENGTH);
}

/** `slug-2` and so on for a slug that is taken; the slug gives way so that the number fits into 80 characters. */
export function numberedSlug(slug: string, n: number): string {
  const suffix = `-${n}`;
  return cut(slug, MAX_LENGTH - suffix.length) + suffix;
}

function cut(slug: string, length: number): string {
  return slug.slice(0, length).replace(/-+$/, "");
}

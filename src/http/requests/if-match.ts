/** The header `If-Match` of a change: the versions of the record to which it applies (RFC 9110, 13.1.1). */
import { badRequest } from "../../errors.ts";
import type { ExpectedVersions } from "../../services/shared/record-versions.ts";

/**
 * One entity tag and the comma after it. A weak one counts like the strong one: proxies that compress make it weak
 * (nginx, Cloudflare), and versions are those of a record, not of bytes. An element of the list can be empty (RFC 9110, 5.6.1.2). Blanks are
 * matched in one place only: two beside each other would take the square of their number.
 */
const ELEMENT = /[ \t]*(?:(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(?:,|$)/y;

/** What other compressing proxies and servers add to the tag of what they send (Apache, Jetty). */
const CODINGS = ["--gzip", "-gzip", ";gzip", "-br", "-zstd"];

/** The tag as it is, and without what may have been added: a version can end like that itself. */
const listReadings = (tag: string): string[] => [
  tag,
  ...CODINGS.filter((end) => tag.endsWith(end)).map((end) => tag.slice(0, -end.length)),
];

/** @throws AppError 400 if it is malformed */
export function parseIfMatch(header: string | undefined): ExpectedVersions {
  if (header === undefined) return undefined;
  if (header.trim() === "*") return "*";
  const tags: string[] = [];
  ELEMENT.lastIndex = 0;
  while (ELEMENT.lastIndex < header.length) {
    const [, tag] = ELEMENT.exec(header) ?? rejectMalformed();
    if (tag !== undefined) tags.push(...listReadings(tag));
  }
  return tags.length === 0 ? rejectMalformed() : tags;
}

function rejectMalformed(): never {
  throw badRequest(
    "malformed_condition",
    'If-Match must be * or a list of entity tags, such as "dGhlIHZlcnNpb24".',
  );
}

/** The header `If-Match` of a change: the versions of the record to which it applies (RFC 9110, 13.1.1). */
import { badRequest } from "../../errors.ts";
import type { ExpectedVersions } from "../../services/shared/record-versions.ts";

/**
 * One strong entity tag and the comma after it. An element of the list can be empty (RFC 9110, 5.6.1.2). Blanks are
 * matched in one place only: two beside each other would take the square of their number.
 */
const ELEMENT = /[ \t]*(?:"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(?:,|$)/y;

/** @throws AppError 400 if it is malformed or has a weak tag, which never matches here */
export function parseIfMatch(header: string | undefined): ExpectedVersions {
  if (header === undefined) return undefined;
  if (header.trim() === "*") return "*";
  const tags: string[] = [];
  ELEMENT.lastIndex = 0;
  while (ELEMENT.lastIndex < header.length) {
    const [, tag] = ELEMENT.exec(header) ?? rejectMalformed();
    if (tag !== undefined) tags.push(tag);
  }
  return tags.length === 0 ? rejectMalformed() : tags;
}

function rejectMalformed(): never {
  throw badRequest(
    "malformed_condition",
    'If-Match must be * or a list of strong entity tags, such as "dGhlIHZlcnNpb24".',
  );
}

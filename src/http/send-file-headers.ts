/** The Content-Disposition of a download: whatever the name, a valid header. */

import { create } from "content-disposition";

/**
 * `attachment` with the name as it is (`filename*`, RFC 8187) and, for clients that don't know that form, a plain
 * ASCII name (`filename`, RFC 6266).
 */
export function attachment(fileName: string): string {
  // A lone surrogate can't be percent-encoded, and a slash would be taken for a folder.
  const name = fileName.toWellFormed().replace(/[/\\]/g, "_");
  return isAscii(name) ? create(name) : create(name, { fallback: asciiName(name) });
}

const isAscii = (name: string): boolean => /^[\x20-\x7e]*$/.test(name);

/** Accents are dropped; each run of other characters becomes one underscore, so that the ending stays. */
function asciiName(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^\x20-\x7e]+/g, "_")
    .replace(/[/\\]/g, "_");
}

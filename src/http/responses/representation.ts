/** The representation of a response for a client: its coding, its entity tag, and whether the client has it already. */
import type { IncomingMessage } from "node:http";
import { CODINGS, type Coding, type CompressedBytes } from "../../adapters/compression.ts";
import { preconditionFailed } from "../../errors.ts";
import { findUnmetCondition } from "../requests/conditional.ts";
import { choosePreferredCoding } from "../requests/headers.ts";

/** Bytes and the entity tag that identifies them. */
export interface Version {
  bytes: Buffer;
  /** In quotes (RFC 9110, 8.8.3). */
  etag: string;
  languageCode?: string | undefined;
}

export interface Representation extends Version {
  /** Undefined for the bytes of the version itself. */
  coding?: Coding;
}

/** Compressing less saves nothing: it fits into a packet with its head. */
export const MIN_COMPRESSED_BYTES = 1000;

/** The version in the coding that the client prefers, if it is compressed already. */
export function chooseRepresentation(
  version: Version,
  acceptEncoding: string | undefined,
  compressed: CompressedBytes,
): Representation {
  if (version.bytes.length < MIN_COMPRESSED_BYTES) return version;
  const coding = choosePreferredCoding(acceptEncoding, CODINGS);
  const bytes = coding === "identity" ? undefined : compressed.find(version.bytes, version.etag, coding);
  if (coding === "identity" || !bytes) return version;
  return { bytes, etag: codedTag(version, coding), coding };
}

/** Each coding has different bytes, so it has a strong entity tag of its own. */
const codedTag = ({ etag }: Version, coding: Coding): string => `${etag.slice(0, -1)}-${coding}"`;

/**
 * The entity tag, of any coding, with which the client has this version; undefined if it needs the bytes.
 * @throws AppError 412 if the client requires another version
 */
export function findUnmodifiedTag(
  { method = "", headers }: Pick<IncomingMessage, "method" | "headers">,
  version: Version,
  representation: Representation,
): string | undefined {
  const { "if-none-match": noneMatch, "if-match": match } = headers;
  if (noneMatch === undefined && match === undefined) return undefined;
  const conditions = { method, headers: { "if-none-match": noneMatch, "if-match": match } };
  const tags = [representation.etag, version.etag, ...CODINGS.map((coding) => codedTag(version, coding))];
  let fails = true;
  for (const etag of tags) {
    const unmet = findUnmetCondition({ ...conditions, etag, lastModified: undefined });
    if (unmet?.kind === "not-modified") return etag;
    fails &&= unmet !== undefined;
  }
  if (!fails) return undefined;
  throw preconditionFailed(
    "precondition_failed",
    "The current version doesn't match the condition in the request.",
  );
}

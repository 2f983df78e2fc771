/** The bytes of responses, and the entity tags by which caches compare them. */
import { createHash } from "node:crypto";

/** A JSON value of the type `T`. */
export interface CachedJson<T> {
  bytes: Buffer;
  /** In quotes (RFC 9110, 8.8.3). */
  etag: string;
  /** Of the texts, if they are in one language. */
  languageCode?: string | undefined;
  /** Never there: it has the type of the value. */
  readonly typeOnly?: T;
}

export function encodeJson<T>(value: T): CachedJson<T> {
  const bytes = encodeText(JSON.stringify(value));
  return { bytes, etag: entityTag(bytes) };
}

/**
 * `Buffer.from` puts small texts into shared blocks of 64 KiB, and one cached text would keep the whole block in
 * memory.
 */
function encodeText(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/** A strong entity tag in quotes: equal for equal bytes only. */
export const entityTag = (bytes: Buffer): string =>
  `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"`;

/** An answer kept as the bytes that go out, with their strong entity tag. */
import { createHash } from "node:crypto";

/** `T` is what the bytes say; it is there for the types only. */
export interface CachedJson<T> {
  bytes: Buffer;
  /** Quoted (RFC 9110, 8.8.3). */
  etag: string;
  readonly says?: T;
}

export function cachedJson<T>(value: T): CachedJson<T> {
  const bytes = Buffer.from(JSON.stringify(value));
  return { bytes, etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"` };
}

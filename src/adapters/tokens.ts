/** Signed tokens: one strict wrapper around jsonwebtoken, with a separate key for every purpose. */
import {
  type Cipheriv,
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  type Decipheriv,
  hkdfSync,
  type KeyObject,
} from "node:crypto";
import { z } from "zod";
import type { Clock } from "./system.ts";

export const ISSUER = "book-distribution-service";
const MAX_TOKEN_CHARACTERS = 2000;

export type TokenPurpose =
  | "session"
  | "download"
  | "known-device"
  | "password-link"
  | "mail-confirmation"
  | "confirmed-browser";

/** The content of a token: the row that it identifies, and its expiry. */
interface TokenClaims {
  subject: string;
  /** Epoch milliseconds. */
  issuedAt: number;
  /** Epoch milliseconds. */
  expiresAt: number;
  /** For a token that renews another one: when the first of them was issued. Epoch milliseconds. */
  firstIssuedAt: number | undefined;
}

/** How the times of a token differ from those of its issue. Epoch milliseconds. */
interface TokenTimes {
  /** Of a token that renews another one: when the first of them was issued. */
  firstIssuedAt?: number | undefined;
  /** When what it identifies was written, perhaps by an instance whose clock is ahead. */
  writtenAt?: number | undefined;
}

export type TokenCheck =
  | { kind: "valid"; claims: TokenClaims }
  | { kind: "expired"; claims: TokenClaims }
  | { kind: "refused" };

/** RFC 8725: accepts only the header that this service writes. */
const ownHeader = z.strictObject({ alg: z.literal("HS256"), typ: z.literal("JWT") });

const seconds = z.int().min(0).max(253_402_300_799);
const createPayloadSchema = (purpose: TokenPurpose) =>
  z.strictObject({
    purpose: z.literal(purpose),
    sub: z.string().min(1).max(100),
    iss: z.literal(ISSUER),
    aud: z.literal(purpose),
    iat: seconds,
    exp: seconds,
    first_iat: seconds.optional(),
  });

/** Compares secrets without storing them: 64 hexadecimal digits. */
export const computeFingerprint = (secret: string): string =>
  Buffer.from(hkdfSync("sha256", secret, ISSUER, "fingerprint", 32)).toString("hex");

interface TokensDeps {
  secret: string;
  purpose: TokenPurpose;
  clock: Clock;
}

let library: Promise<typeof import("jsonwebtoken")> | undefined;

/** Blocks the event loop for about 30 ms the first time. */
export function loadJsonWebToken() {
  library ??= import("jsonwebtoken").then((module) => module.default);
  return library;
}

/**
 * Signs and verifies the tokens of one purpose. A token of another purpose is rejected by its key, audience and claim.
 */
export class Tokens {
  readonly #key: KeyObject;
  readonly #deps: TokensDeps;
  readonly #payload: ReturnType<typeof createPayloadSchema>;

  constructor(deps: TokensDeps) {
    this.#deps = deps;
    const { secret, purpose } = deps;
    const bytes = hkdfSync("sha256", secret, ISSUER, `token:${purpose}`, 32);
    this.#key = createSecretKey(Buffer.from(bytes));
    this.#payload = createPayloadSchema(purpose);
  }

  /**
   * @param lifeMs lifetime of the token in milliseconds, rounded to whole seconds
   */
  async issue(
    subject: string,
    lifeMs: number,
    { firstIssuedAt, writtenAt = 0 }: TokenTimes = {},
  ): Promise<{ token: string; expiresAt: number }> {
    const jwt = await loadJsonWebToken();
    const iat = Math.floor(Math.max(this.#deps.clock.now(), writtenAt) / 1000);
    const exp = iat + Math.ceil(lifeMs / 1000);
    const { purpose } = this.#deps;
    const first = firstIssuedAt === undefined ? {} : { first_iat: Math.floor(firstIssuedAt / 1000) };
    const claims = { purpose, sub: subject, iss: ISSUER, aud: purpose, iat, exp, ...first };
    return { token: jwt.sign(claims, this.#key, { algorithm: "HS256" }), expiresAt: exp * 1000 };
  }

  async check(token: string): Promise<TokenCheck> {
    if (token.length > MAX_TOKEN_CHARACTERS) return { kind: "refused" };
    const jwt = await loadJsonWebToken();
    try {
      const { header, payload } = jwt.verify(token, this.#key, {
        algorithms: ["HS256"],
        audience: this.#deps.purpose,
        issuer: ISSUER,
        complete: true,
        ignoreExpiration: true,
      });
      if (!ownHeader.safeParse(header).success) return { kind: "refused" };
      const claims = this.#payload.safeParse(payload);
      if (!claims.success) return { kind: "refused" };
      const { sub: subject, iat, exp, first_iat: first } = claims.data;
      const firstIssuedAt = first === undefined ? undefined : first * 1000;
      const given = { subject, issuedAt: iat * 1000, expiresAt: exp * 1000, firstIssuedAt };
      // A token is expired from the second of `exp` on (RFC 7519, 4.1.4).
      return { kind: this.#deps.clock.now() >= exp * 1000 ? "expired" : "valid", claims: given };
    } catch {
      return { kind: "refused" };
    }
  }
}

/**
 * Whether a token that has the id of this event was issued for it. After a fail-over or a restore, later events have the ids
 * of those that were lost.
 */
export const isOfEvent = (
  { issuedAt }: Pick<TokenClaims, "issuedAt">,
  { downloadedAt }: { downloadedAt: number },
): boolean => downloadedAt < issuedAt + 1000;

// Encrypts the ids of download events for links, so that clients can't count events.

/** One AES block holds an id and eight zero bytes, which distinguish a valid id from a forged one. */
const BLOCK_BYTES = 16;
const NUMBER_BYTES = 8;
const CIPHER = "aes-128-ecb";

export class DownloadIds {
  // For a single block, a chaining mode would add nothing. Without one, and without padding, a cipher keeps no state.
  readonly #cipher: Cipheriv;
  readonly #decipher: Decipheriv;

  constructor({ secret }: { secret: string }) {
    const key = Buffer.from(hkdfSync("sha256", secret, ISSUER, "download-id", 16));
    this.#cipher = createCipheriv(CIPHER, key, null).setAutoPadding(false);
    this.#decipher = createDecipheriv(CIPHER, key, null).setAutoPadding(false);
  }

  /** Deterministic: 22 characters of base64url. */
  seal(id: number): string {
    const block = Buffer.alloc(BLOCK_BYTES);
    block.writeBigUInt64BE(BigInt(id));
    return this.#cipher.update(block).toString("base64url");
  }

  /** The id from a text that `seal` returned; undefined for any other text. */
  open(text: string): number | undefined {
    const sealed = Buffer.from(text, "base64url");
    if (sealed.length !== BLOCK_BYTES || sealed.toString("base64url") !== text) return undefined;
    const block = this.#decipher.update(sealed);
    const id = Number(block.readBigUInt64BE());
    const isOurs = block.subarray(NUMBER_BYTES).every((byte) => byte === 0) && Number.isSafeInteger(id);
    return isOurs ? id : undefined;
  }
}

/** Signed tokens: one strict wrapper around jsonwebtoken, with a key of its own for every purpose. */
import { createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import jwt from "jsonwebtoken";
import { z } from "zod";
import type { Clock } from "./clock.ts";

const ISSUER = "book-distribution-service";
const MAX_TOKEN_CHARACTERS = 2000;

export type TokenPurpose = "session" | "download" | "known-device";

/** What a token says: which row it stands for, and until when. */
export interface TokenClaims {
  subject: string;
  /** Epoch milliseconds. */
  issuedAt: number;
  /** Epoch milliseconds. */
  expiresAt: number;
}

export type TokenCheck =
  | { kind: "valid"; claims: TokenClaims }
  | { kind: "expired"; claims: TokenClaims }
  | { kind: "refused" };

/** RFC 8725: only the header that we write ourselves is believed. */
const ownHeader = z.strictObject({ alg: z.literal("HS256"), typ: z.literal("JWT") });

const seconds = z.int().min(0).max(253_402_300_799);
const ownPayload = (purpose: TokenPurpose) =>
  z.strictObject({
    purpose: z.literal(purpose),
    sub: z.string().min(1).max(100),
    iss: z.literal(ISSUER),
    aud: z.literal(purpose),
    iat: seconds,
    exp: seconds,
  });

/** Signs and checks the tokens of one purpose. A token of another purpose is refused by key, audience and claim. */
export class Tokens {
  readonly #key: KeyObject;
  readonly #purpose: TokenPurpose;
  readonly #clock: Clock;
  readonly #payload: ReturnType<typeof ownPayload>;

  constructor({ secret, purpose, clock }: { secret: string; purpose: TokenPurpose; clock: Clock }) {
    const bytes = hkdfSync("sha256", secret, ISSUER, `token:${purpose}`, 32);
    // A KeyObject: jsonwebtoken turns a string into one on every call, at seventy times the cost.
    this.#key = createSecretKey(Buffer.from(bytes));
    this.#purpose = purpose;
    this.#clock = clock;
    this.#payload = ownPayload(purpose);
  }

  /** @param lifeMs how long the token is good for, in milliseconds; counted in whole seconds */
  issue(subject: string, lifeMs: number): { token: string; expiresAt: number } {
    const iat = Math.floor(this.#clock.now() / 1000);
    const exp = iat + Math.ceil(lifeMs / 1000);
    const claims = { purpose: this.#purpose, sub: subject, iss: ISSUER, aud: this.#purpose, iat, exp };
    return { token: jwt.sign(claims, this.#key, { algorithm: "HS256" }), expiresAt: exp * 1000 };
  }

  check(token: string): TokenCheck {
    if (token.length > MAX_TOKEN_CHARACTERS) return { kind: "refused" };
    try {
      const { header, payload } = jwt.verify(token, this.#key, {
        algorithms: ["HS256"],
        audience: this.#purpose,
        issuer: ISSUER,
        complete: true,
        ignoreExpiration: true,
      });
      if (!ownHeader.safeParse(header).success) return { kind: "refused" };
      const claims = this.#payload.safeParse(payload);
      if (!claims.success) return { kind: "refused" };
      const { sub: subject, iat, exp } = claims.data;
      const given = { subject, issuedAt: iat * 1000, expiresAt: exp * 1000 };
      // At the second of `exp` the token is no longer accepted (RFC 7519, 4.1.4).
      return { kind: this.#clock.now() >= exp * 1000 ? "expired" : "valid", claims: given };
    } catch {
      return { kind: "refused" };
    }
  }
}

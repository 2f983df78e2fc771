import { createHmac, hkdfSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type TokenPurpose, Tokens } from "../../src/adapters/tokens.ts";
import { FakeClock } from "../support/clock.ts";

const SECRET = "q7Vd0Zk2mXr9LbT4wYc6NfHs1JgPu8Ae";
const MINUTE = 60_000;

function tokensFor(purpose: TokenPurpose, { secret = SECRET, clock = new FakeClock() } = {}): Tokens {
  return new Tokens({ secret, purpose, clock });
}

const encoded = (part: unknown): string =>
  Buffer.from(typeof part === "string" ? part : JSON.stringify(part)).toString("base64url");

/** A token with the server's own key for sessions: what remains is what header and payload say. */
function signed(header: unknown, payload: unknown, digest = "sha256"): string {
  const key = Buffer.from(hkdfSync("sha256", SECRET, "book-distribution-service", "token:session", 32));
  const content = `${encoded(header)}.${encoded(payload)}`;
  return `${content}.${createHmac(digest, key).update(content).digest("base64url")}`;
}

const HEADER = { alg: "HS256", typ: "JWT" };
const NOW = Date.parse("2026-03-01T12:00:00.000Z") / 1000;
const PAYLOAD = {
  purpose: "session",
  sub: "row",
  iss: "book-distribution-service",
  aud: "session",
  iat: NOW,
  exp: NOW + 60,
};

describe("a token", () => {
  it("contains the id of its row, until the second of its expiry", async () => {
    const clock = new FakeClock("2026-03-01T12:00:00.400Z");
    const tokens = tokensFor("session", { clock });
    const { token, expiresAt } = await tokens.issue("row 1", 10 * MINUTE);
    expect(expiresAt).toBe(Date.parse("2026-03-01T12:10:00.000Z"));
    const valid = {
      kind: "valid",
      claims: { subject: "row 1", issuedAt: Date.parse("2026-03-01T12:00:00.000Z"), expiresAt },
    };
    expect(await tokens.check(token)).toEqual(valid);
    clock.advance(expiresAt - clock.now() - 1);
    expect(await tokens.check(token)).toEqual(valid);
    clock.advance(1);
    expect(await tokens.check(token)).toEqual({ ...valid, kind: "expired" });
    // The clock may be set back.
    clock.advance(-60 * MINUTE);
    expect(await tokens.check(token)).toEqual(valid);
  });

  it("has the standard form that any holder of the key would write", async () => {
    const { token } = await tokensFor("session").issue("row", MINUTE);
    expect(token).toBe(signed(HEADER, PAYLOAD));
  });

  it("that renews another one contains the time of the first of them", async () => {
    const { token } = await tokensFor("session").issue("row", MINUTE, { firstIssuedAt: (NOW - 3600) * 1000 });
    expect(token).toBe(signed(HEADER, { ...PAYLOAD, first_iat: NOW - 3600 }));
    expect(await tokensFor("session").check(token)).toMatchObject({
      claims: { issuedAt: NOW * 1000, firstIssuedAt: (NOW - 3600) * 1000 },
    });
  });
});

describe("a token for another purpose", () => {
  it("is rejected in both directions", async () => {
    const [session, download] = [tokensFor("session"), tokensFor("download")];
    expect(await download.check((await session.issue("1", MINUTE)).token)).toEqual({ kind: "refused" });
    expect(await session.check((await download.issue("1", MINUTE)).token)).toEqual({ kind: "refused" });
  });

  it("is rejected even with the right key", async () => {
    const tokens = tokensFor("session");
    expect(await tokens.check(signed(HEADER, { ...PAYLOAD, purpose: "download" }))).toEqual({
      kind: "refused",
    });
    expect(await tokens.check(signed(HEADER, { ...PAYLOAD, aud: "download" }))).toEqual({ kind: "refused" });
  });

  it("is rejected if another server has signed it", async () => {
    const other = tokensFor("session", { secret: SECRET.toLowerCase() });
    expect(await tokensFor("session").check((await other.issue("1", MINUTE)).token)).toEqual({
      kind: "refused",
    });
  });
});

describe("an invalid token", () => {
  const unsigned = (header: unknown) => `${encoded(header)}.${encoded(PAYLOAD)}.`;
  const without = (claim: keyof typeof PAYLOAD) =>
    Object.fromEntries(Object.entries(PAYLOAD).filter(([name]) => name !== claim));

  it.each([
    ["nothing", ""],
    ["a word", "token"],
    ["two parts", "a.b"],
    ["three empty parts", ".."],
    ["four parts", `${signed(HEADER, PAYLOAD)}.a`],
    ["characters that don't belong", "ä.ö.ü"],
    ["100 kB", "a".repeat(100_000)],
    ["a good one that is too long", signed({ ...HEADER }, { ...PAYLOAD, sub: "x".repeat(3000) })],
    ["no algorithm", unsigned({ alg: "none", typ: "JWT" })],
    ["no algorithm, in other letters", unsigned({ alg: "NoNe", typ: "JWT" })],
    ["another algorithm", signed({ ...HEADER, alg: "HS512" }, PAYLOAD, "sha512")],
    ["a public-key algorithm", signed({ ...HEADER, alg: "RS256" }, PAYLOAD)],
    ["another type", signed({ ...HEADER, typ: "at+jwt" }, PAYLOAD)],
    ["no type", signed({ alg: "HS256" }, PAYLOAD)],
    ["a header that isn't JSON", signed("header", PAYLOAD)],
    ["a header that is a list", signed([HEADER], PAYLOAD)],
    ["a payload that isn't JSON", signed(HEADER, "payload")],
    ["a payload that is null", signed(HEADER, null)],
    ["a payload that is a list", signed(HEADER, [PAYLOAD])],
    ["a payload that is a text", signed(HEADER, JSON.stringify("payload"))],
    ...["kid", "jku", "jwk", "x5u", "x5c", "crit", "b64", "zip"].map((field) => [
      `the header field ${field}`,
      signed({ ...HEADER, [field]: "https://example.org/" }, PAYLOAD),
    ]),
    ...(["purpose", "sub", "iss", "aud", "iat", "exp"] as const).map((claim) => [
      `no ${claim}`,
      signed(HEADER, without(claim)),
    ]),
    ...Object.entries({
      sub: [1, "", "x".repeat(101), { id: "row" }, null],
      exp: ["9999999999", NOW + 60.5, -1, 1e12, null],
      iat: [String(NOW), -1, null],
      iss: ["somebody else", ["book-distribution-service"]],
      aud: [["session", "download"], "admin"],
      nbf: [NOW + 1000],
      first_iat: [String(NOW), -1, null],
      admin: [true],
    }).flatMap(([claim, values]) =>
      values.map((value) => [
        `${claim} ${JSON.stringify(value)}`.slice(0, 40),
        signed(HEADER, { ...PAYLOAD, [claim]: value }),
      ]),
    ),
  ])("is rejected: %s", async (_, token = "") => {
    expect(await tokensFor("session").check(token)).toEqual({ kind: "refused" });
  });

  it("is rejected if any of its parts has been changed", async () => {
    const tokens = tokensFor("session");
    const { token } = await tokens.issue("row", MINUTE);
    const parts = token.split(".");
    for (const [index, part] of parts.entries()) {
      const middle = Math.floor(part.length / 2);
      const touched = part.slice(0, middle) + (part[middle] === "A" ? "B" : "A") + part.slice(middle + 1);
      expect(await tokens.check(parts.with(index, touched).join("."))).toEqual({ kind: "refused" });
    }
    expect(await tokens.check(token)).toMatchObject({ kind: "valid" });
  });
});

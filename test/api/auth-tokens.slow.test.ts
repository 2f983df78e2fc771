/** Forged, broken and misused tokens (RFC 8725), as session cookie and as download link. */
import { createHmac, createSecretKey, hkdfSync } from "node:crypto";
import { createServer } from "node:http";
import jwt from "jsonwebtoken";
import { describe, expect, it, onTestFinished } from "vitest";
import { listen } from "../../tools/lib/listening.ts";
import { createAccount, createKey } from "../support/accounts.ts";
import { startApp } from "../support/app.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { formatGet, sendRaw } from "../support/raw-http.ts";
import { linkTo } from "../support/reader.ts";

const SECRET = "Zq7-vT2mX9pLw4RbK8sYd3NfH6jCg1Aeu5o";
const ISSUER = "book-distribution-service";

type Purpose = "session" | "download";
type Json = Readonly<Record<string, unknown>>;

/** The key with which the service signs: the worst that a forger could have, so that only the claims are judged. */
const keyOf = (purpose: Purpose): Buffer =>
  Buffer.from(hkdfSync("sha256", SECRET, ISSUER, `token:${purpose}`, 32));

const base64 = (value: unknown): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

/** Signs any claims. */
function signed(header: Json, payload: unknown, key: Buffer): string {
  const text = `${base64(header)}.${base64(payload)}`;
  return `${text}.${createHmac("sha256", key).update(text).digest("base64url")}`;
}

const HEADER = { alg: "HS256", typ: "JWT" };

/** A running application, a good token of the purpose, and what the service says to any token. */
async function scene(purpose: Purpose) {
  const app = await startApp({ AUTH_SECRET: SECRET });
  const { cookie, client } = await createAccount(app);
  await app.make.published("The Well", "es");
  const link = await linkTo(app.api, { slug: "the-well", languageCode: "es" });
  const tokens = { session: cookie.slice(cookie.indexOf("=") + 1), download: link.split("/").at(-1) ?? "" };
  const token = tokens[purpose];
  const claims: Json = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
  const ask = (presented: string) =>
    purpose === "session"
      ? app.api.get("/api/auth/session", { Cookie: `auth.session-token=${encodeURIComponent(presented)}` })
      : app.api.get(`/api/download/${encodeURIComponent(presented)}`);
  return { app, client, tokens, token, claims, ask };
}

const REFUSAL = {
  session: { status: 401, code: "unauthenticated" },
  download: { status: 404, code: "download_token_unknown" },
};

describe.each<Purpose>(["session", "download"])("a %s token", (purpose) => {
  const { status, code } = REFUSAL[purpose];
  const key = keyOf(purpose);

  it("is accepted if the service has signed it, so that the forgeries below fail for the reason they name", async () => {
    const { claims, ask, token } = await scene(purpose);
    expect((await ask(token)).status).toBe(200);
    expect((await ask(signed(HEADER, claims, key))).status).toBe(200);
  });

  it("is rejected with another algorithm or none", async () => {
    const { claims, ask, token } = await scene(purpose);
    const [, payload = "", signature = ""] = token.split(".");
    const secret = createSecretKey(key);
    const forgeries = [
      `${base64({ alg: "none", typ: "JWT" })}.${payload}.`,
      `${base64({ alg: "None", typ: "JWT" })}.${payload}.${signature}`,
      `${base64({ typ: "JWT" })}.${payload}.${signature}`,
      jwt.sign(claims, secret, { algorithm: "HS384" }),
      jwt.sign(claims, secret, { algorithm: "HS512" }),
      signed({ alg: "RS256", typ: "JWT" }, claims, key),
      jwt.sign(claims, createSecretKey(Buffer.from(SECRET))),
      jwt.sign(claims, createSecretKey(Buffer.alloc(32))),
    ];
    for (const forgery of forgeries) expectProblem(await ask(forgery), status, { code });
  });

  it("is rejected with any unknown header field, without looking up a key", async () => {
    let visits = 0;
    const keyServer = createServer((_, res) => {
      visits += 1;
      res.end("{}");
    });
    const url = `http://127.0.0.1:${await listen(keyServer)}/keys`;
    onTestFinished(() => void keyServer.close());
    const { claims, ask } = await scene(purpose);
    const extras: Json[] = [
      { kid: "../../../../dev/null" },
      { jku: url },
      { x5u: url },
      { jwk: { kty: "oct", k: base64("k") } },
      { x5c: ["MIIB"] },
      { crit: ["exp"] },
      { cty: "JWT" },
      { typ: "at+jwt" },
      { typ: undefined },
      { b64: false, crit: ["b64"] },
    ];
    for (const extra of extras) {
      expectProblem(await ask(signed({ ...HEADER, ...extra }, claims, key)), status, { code });
    }
    expect(visits).toBe(0);
  });

  it("is rejected with missing, malformed or additional claims", async () => {
    const { claims, ask } = await scene(purpose);
    const changes: Json[] = [
      ...["exp", "iat", "sub", "iss", "aud", "purpose"].map((name) => ({ [name]: undefined })),
      { exp: "9999999999" },
      { exp: -1 },
      { exp: 1e300 },
      { exp: null },
      { iat: "now" },
      { iat: 1.5 },
      { sub: 1 },
      { sub: "" },
      { sub: { toString: "x" } },
      { sub: "x".repeat(101) },
      { sub: "' or 1=1 --" },
      { aud: ["session", "download"] },
      { iss: "somebody else" },
      { purpose: purpose === "session" ? "download" : "session" },
      { role: "admin" },
      { nbf: 9_999_999_999 },
    ];
    for (const change of changes) {
      const response = await ask(signed(HEADER, { ...claims, ...change }, key));
      expectProblem(response, status, { code });
    }
    for (const payload of [[claims], "text", 42, null, '{"sub":', ""]) {
      expectProblem(await ask(signed(HEADER, payload, key)), status, { code });
    }
  });

  it("is rejected if it isn't a token, regardless of its length", async () => {
    const { app, ask, token } = await scene(purpose);
    const [header = "", payload = "", signature = ""] = token.split(".");
    const broken = [
      "x",
      "...",
      "a.b.c",
      `${token}.`,
      `.${token}`,
      `${token}.${signature}`,
      `${header}.${payload}`,
      `${token}x`,
      token.slice(0, -2),
      token.toUpperCase(),
      ` ${token}`,
      `"${token}"`,
      "j:{}",
      `j:${JSON.stringify({ token })}`,
      "s:x.y",
      "\u0000",
      "é",
      "x".repeat(9000),
    ];
    for (const text of broken) {
      const response = await ask(text);
      expect(response.status, text.slice(0, 40)).toBe(status);
    }
    const endless = "x".repeat(100_000);
    const request =
      purpose === "session"
        ? formatGet("/api/auth/session", [`Cookie: auth.session-token=${endless}`])
        : formatGet(`/api/download/${endless}`);
    expect((await sendRaw(app.server, request)).status).toBe(431);
    expect((await ask(token)).status).toBe(200);
  });
});

it("each kind of credential is rejected in place of another", async () => {
  const { app, client, tokens } = await scene("session");
  const { key } = await createKey(client);
  const asSession = (token: string) =>
    app.api.get("/api/auth/session", { Cookie: `auth.session-token=${token}` });
  const asDownload = (token: string) => app.api.get(`/api/download/${token}`);
  const asKey = (token: string) => app.api.get("/api/admin/books", { Authorization: `Bearer ${token}` });
  for (const token of [tokens.download, key]) expect((await asSession(token)).status).toBe(401);
  for (const token of [tokens.session, key]) expect((await asDownload(token)).status).toBe(404);
  for (const token of [tokens.session, tokens.download]) expect((await asKey(token)).status).toBe(401);
  expect((await asSession(tokens.session)).status).toBe(200);
  expect((await asDownload(tokens.download)).status).toBe(200);
  expect((await asKey(key)).status).toBe(200);
});

it("a token for one purpose is rejected for another even with the other's key", async () => {
  const { ask, claims } = await scene("session");
  const others = { ...claims, purpose: "download", aud: "download" };
  expect((await ask(signed(HEADER, others, keyOf("session")))).status).toBe(401);
  expect((await ask(signed(HEADER, claims, keyOf("download")))).status).toBe(401);
  const download = await scene("download");
  expect((await download.ask(signed(HEADER, download.claims, keyOf("session")))).status).toBe(404);
});

/** How often one caller may try. Behind a trusted proxy a test can come from many addresses. */
import type { Response } from "supertest";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { newAccount } from "../support/accounts.ts";
import { startApp } from "../support/app.ts";
import type { Client } from "../support/client.ts";
import { dumpOf } from "../support/database-dump.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { contact, PASSWORD } from "../support/factory.ts";
import { linkTo } from "../support/reader.ts";

const QUARTER_OF_AN_HOUR = 900;
const BEHIND_PROXY = { TRUST_PROXY: "loopback" };

const from = (api: Client, address: string): Client => api.with({ "X-Forwarded-For": address });

const logIn = (api: Client, email = "nobody@example.org", password = "not the pass phrase") =>
  api.post("/api/auth/login", { email, password });

function expectLimited(answer: Response, windowSeconds: number): void {
  expectProblem(answer, 429, { code: "too_many_requests" });
  const wait = answer.headers["retry-after"];
  expect(wait).toMatch(/^\d+$/);
  expect(Number(wait)).toBeGreaterThan(0);
  expect(Number(wait)).toBeLessThanOrEqual(windowSeconds);
}

/** The statuses of calls, one after the other. */
async function statusesOf(...calls: (() => Promise<Response>)[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const call of calls) statuses.push((await call()).status);
  return statuses;
}

describe("T7 log-ins", () => {
  it("from one address are limited, the right password too", async () => {
    const { api, make } = await startApp({ RATE_LIMIT_LOGIN: "3" });
    const { email } = await make.user("admin");
    for (let attempt = 0; attempt < 3; attempt++) {
      expect((await logIn(api, `user${attempt}@example.org`)).status).toBe(401);
    }
    const refused = await logIn(api, email, PASSWORD);
    expectLimited(refused, QUARTER_OF_AN_HOUR);
    expect(refused.get("Set-Cookie")).toBeUndefined();
    expect((await api.get("/api/health")).status).toBe(200);
  });

  it("count by the true address: what a stranger says of his is not believed", async () => {
    const { api } = await startApp({ RATE_LIMIT_LOGIN: "2" });
    const claims = [
      { "X-Forwarded-For": "203.0.113.1" },
      { "X-Forwarded-For": "203.0.113.2", "X-Real-IP": "203.0.113.2" },
      { Forwarded: "for=203.0.113.3", "CF-Connecting-IP": "203.0.113.3", "X-Client-IP": "203.0.113.3" },
    ];
    const calls = claims.map((claim, index) => () => logIn(api.with(claim), `user${index}@example.org`));
    expect(await statusesOf(...calls)).toEqual([401, 401, 429]);
  });

  it("from different addresses are told apart, IPv4 one by one, also in its IPv6 form", async () => {
    const { api } = await startApp({ RATE_LIMIT_LOGIN: "1", ...BEHIND_PROXY });
    let number = 0;
    const at = (address: string) => () => logIn(from(api, address), `user${number++}@example.org`);
    expect(await statusesOf(at("203.0.113.1"), at("203.0.113.2"), at("::ffff:203.0.113.3"))).toEqual([
      401, 401, 401,
    ]);
    const mapped = ["::ffff:203.0.113.1", "::FFFF:203.0.113.2", "::ffff:cb00:7101", "203.0.113.3"];
    expect(await statusesOf(...mapped.map(at))).toEqual([429, 429, 429, 429]);
  });

  it("from one IPv6 network are one caller's", async () => {
    const { api } = await startApp({ RATE_LIMIT_LOGIN: "1", ...BEHIND_PROXY });
    let number = 0;
    const at = (address: string) => () => logIn(from(api, address), `user${number++}@example.org`);
    const addresses = ["2001:db8:1:100::1", "2001:db8:1:1ff:ffff::2", "2001:db8:1:200::1", "fe80::1%eth0"];
    expect(await statusesOf(...addresses.map(at))).toEqual([401, 429, 401, 401]);
  });

  it("count for the proxy when what it says is no address", async () => {
    const { api } = await startApp({ RATE_LIMIT_LOGIN: "1", ...BEHIND_PROXY });
    let number = 0;
    const at = (address: string) => () => logIn(from(api, address), `user${number++}@example.org`);
    const oddities = ["unknown", "x".repeat(2000), "203.0.113.1:4711", "<script>", "127.0.0.1"];
    expect(await statusesOf(...oddities.map(at))).toEqual([401, 429, 429, 429, 429]);
  });

  it("to one account are limited however its name is spelt, and whether or not it exists", async () => {
    for (const exists of [true, false]) {
      const app = await startApp({ RATE_LIMIT_LOGIN: "3", ...BEHIND_PROXY });
      const email = exists ? (await app.make.user("admin")).email : "nobody@example.org";
      let number = 0;
      const as = (spelling: string, password?: string) => () =>
        logIn(from(app.api, `203.0.113.${number++}`), spelling, password);
      const spellings = [as(email), as(email.toUpperCase()), as(` ${email}  `)];
      expect(await statusesOf(...spellings, as(email, PASSWORD))).toEqual([401, 401, 401, 429]);
      expect(await statusesOf(as("somebody.else@example.org"))).toEqual([401]);
    }
  });

  it("that are no log-ins at all count too, so that faults can't be used to flood", async () => {
    const { api } = await startApp({ RATE_LIMIT_LOGIN: "2" });
    const empty = () => api.post("/api/auth/login", {});
    expect(await statusesOf(empty, empty, empty)).toEqual([400, 400, 429]);
  });

  it("are not limited by 0", async () => {
    const { api } = await startApp({ RATE_LIMIT_LOGIN: "0" });
    const calls = Array.from({ length: 12 }, () => () => logIn(api));
    expect(new Set(await statusesOf(...calls))).toEqual(new Set([401]));
  });

  it("are ten a quarter of an hour unless it is configured otherwise", () => {
    expect(readConfig({}).rateLimits).toEqual({ login: 10, submit: 20, download: 120 });
  });
});

it("T7 password changes are limited with the log-ins, by address and by account", async () => {
  const app = await startApp({ RATE_LIMIT_LOGIN: "3", ...BEHIND_PROXY });
  const { client } = await newAccount(app);
  let number = 0;
  const guess = (address = `203.0.113.${number++}`) =>
    from(client, address).put("/api/auth/password", {
      currentPassword: "not the pass phrase",
      newPassword: "a new and even longer pass phrase",
    });
  // The log-in was the account's first.
  expect(
    await statusesOf(
      () => guess(),
      () => guess(),
    ),
  ).toEqual([400, 400]);
  expectLimited(await guess(), QUARTER_OF_AN_HOUR);
  expect((await client.get("/api/auth/session")).status).toBe(200);
});

describe("the public forms", () => {
  it("T36 are limited by address, together; what is refused leaves nothing on record", async () => {
    const app = await startApp({ RATE_LIMIT_SUBMIT: "3", ...BEHIND_PROXY });
    await app.make.language("es");
    await app.make.published("The Well", "es");
    const here = from(app.api, "203.0.113.1");
    const one = () => here.post("/api/download/submit", { slug: "the-well", languageCode: "es", contact });
    const all = () => here.post("/api/download/submit-all", { languageCode: "es", contact });
    expect(await statusesOf(one, all, one)).toEqual([200, 200, 200]);
    const before = await dumpOf(app);
    for (const call of [one, all]) expectLimited(await call(), 60);
    expect(await dumpOf(app)).toEqual(before);
    await linkTo(from(app.api, "203.0.113.2"), { slug: "the-well", languageCode: "es" });
    expect((await logIn(here)).status).toBe(401);
  });
});

describe("downloads", () => {
  it("are limited by address, whatever the token, with a readable page for browsers", async () => {
    const app = await startApp({ RATE_LIMIT_DOWNLOAD: "2" });
    await app.make.language("es");
    await app.make.published("The Well", "es");
    const link = await linkTo(app.api, { slug: "the-well", languageCode: "es" });
    expect(
      await statusesOf(
        () => app.api.get(link),
        () => app.api.head("/api/download/guess"),
      ),
    ).toEqual([200, 404]);
    expectLimited(await app.api.get(link), 60);
    const page = await app.api.get(link, { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" });
    expect(page.status).toBe(429);
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(Number(page.headers["retry-after"])).toBeGreaterThan(0);
  });
});

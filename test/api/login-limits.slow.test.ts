/** How often somebody may guess a password, and who isn't kept out by it. */
import type { Response } from "supertest";
import { describe, expect, it } from "vitest";
import { changeUser, createAccount } from "../support/accounts.ts";
import { startApp, type TestApp } from "../support/app.ts";
import type { Client } from "../support/client.ts";
import { PASSWORD } from "../support/factory.ts";
import { BEHIND_PROXY, collectStatuses, expectLimited, from, times } from "../support/limits.ts";

const QUARTER_OF_AN_HOUR = 900;
const DAY = 86_400_000;
const NEW_PASSWORD = "a new and even longer pass phrase";
const LIMIT_OF_TWO = { RATE_LIMIT_LOGIN: "2", ...BEHIND_PROXY };

const logIn = (api: Client, email = "unknown@example.org", password = "not the pass phrase") =>
  api.post("/api/auth/login", { email, password });

/** The cookie by which a browser is known, with its attributes. */
const deviceCookieIn = (response: Response): string =>
  response.get("Set-Cookie")?.find((cookie) => cookie.startsWith("auth.known-device=")) ?? "";

const pairIn = (cookie: string): string => cookie.split(";")[0] ?? "";

/** An account, and a browser that has logged in to it at home. */
async function knownBrowser(app: TestApp) {
  const { id, email } = await app.make.user("admin");
  const response = await logIn(from(app.api, "192.0.2.1"), email, PASSWORD);
  expect(response.status).toBe(200);
  const Cookie = pairIn(deviceCookieIn(response));
  return { id, email, Cookie, at: (address: string) => from(app.api, address).with({ Cookie }) };
}

describe("failed log-ins", () => {
  it("to one account from one address are limited, and then the right password is rejected, too", async () => {
    const { api, make } = await startApp({ RATE_LIMIT_LOGIN: "3" });
    const { email } = await make.user("admin");
    expect(await collectStatuses(...times(3, () => logIn(api, email)))).toEqual([401, 401, 401]);
    const rejected = await logIn(api, email, PASSWORD);
    expectLimited(rejected, QUARTER_OF_AN_HOUR);
    expect(rejected.get("Set-Cookie")).toBeUndefined();
    expect((await api.get("/api/health")).status).toBe(200);
  });

  it("from one address to many accounts are limited at five times as many", async () => {
    const { api, make } = await startApp(LIMIT_OF_TWO);
    const { email } = await make.user("admin");
    const here = from(api, "203.0.113.1");
    const calls = times(10, 0).map((_, index) => () => logIn(here, `user${index}@example.org`));
    expect(await collectStatuses(...calls)).toEqual(times(10, 401));
    expectLimited(await logIn(here, email, PASSWORD), QUARTER_OF_AN_HOUR);
    expect((await logIn(from(api, "203.0.113.2"), email, PASSWORD)).status).toBe(200);
  });

  it("from another address don't lock the owner out", async () => {
    const { api, make } = await startApp(LIMIT_OF_TWO);
    const { email } = await make.user("admin");
    const unexpected = () => logIn(from(api, "203.0.113.1"), email);
    expect(await collectStatuses(...times(4, unexpected))).toEqual([401, 401, 429, 429]);
    expect((await logIn(from(api, "203.0.113.2"), email, PASSWORD)).status).toBe(200);
  });

  it("count by the real address: a forwarded address from an untrusted client is ignored", async () => {
    const { api } = await startApp({ RATE_LIMIT_LOGIN: "2" });
    const claims = [
      { "X-Forwarded-For": "203.0.113.1" },
      { "X-Forwarded-For": "203.0.113.2", "X-Real-IP": "203.0.113.2" },
      { Forwarded: "for=203.0.113.3", "CF-Connecting-IP": "203.0.113.3", "X-Client-IP": "203.0.113.3" },
    ];
    expect(await collectStatuses(...claims.map((claim) => () => logIn(api.with(claim))))).toEqual([
      401, 401, 429,
    ]);
  });

  it("from different addresses are counted separately, IPv4 one by one, also in its IPv6 form", async () => {
    const { api } = await startApp({ RATE_LIMIT_LOGIN: "1", ...BEHIND_PROXY });
    const at = (address: string) => () => logIn(from(api, address));
    expect(await collectStatuses(at("203.0.113.1"), at("203.0.113.2"), at("::ffff:203.0.113.3"))).toEqual([
      401, 401, 401,
    ]);
    const mapped = ["::ffff:203.0.113.1", "::FFFF:203.0.113.2", "::ffff:cb00:7101", "203.0.113.3"];
    expect(await collectStatuses(...mapped.map(at))).toEqual([429, 429, 429, 429]);
  });

  it("from one IPv6 network count together", async () => {
    const { api } = await startApp({ RATE_LIMIT_LOGIN: "1", ...BEHIND_PROXY });
    const at = (address: string) => () => logIn(from(api, address));
    const addresses = ["2001:db8:1:100::1", "2001:db8:1:1ff:ffff::2", "2001:db8:1:200::1", "fe80::1%eth0"];
    expect(await collectStatuses(...addresses.map(at))).toEqual([401, 429, 401, 401]);
  });

  it("count for the proxy if the forwarded value isn't an address", async () => {
    const { api } = await startApp({ RATE_LIMIT_LOGIN: "1", ...BEHIND_PROXY });
    const at = (address: string) => () => logIn(from(api, address));
    const oddities = ["unknown", "x".repeat(2000), "203.0.113.1:port", "<script>", "127.0.0.1"];
    expect(await collectStatuses(...oddities.map(at))).toEqual([401, 429, 429, 429, 429]);
  });

  it("to one account count together regardless of its spelling, and whether or not it exists", async () => {
    for (const exists of [true, false]) {
      const { api, make } = await startApp({ RATE_LIMIT_LOGIN: "3" });
      const email = exists ? (await make.user("admin")).email : "unknown@example.org";
      const as =
        (spelling: string, password = "not the pass phrase") =>
        () =>
          logIn(api, spelling, password);
      const spellings = [as(email), as(email.toUpperCase()), as(` ${email}  `)];
      expect(await collectStatuses(...spellings, as(email, PASSWORD))).toEqual([401, 401, 401, 429]);
      expect(await collectStatuses(as("somebody.else@example.org"))).toEqual([401]);
    }
  });

  it("that aren't valid requests count for the address, so that errors can't be used to flood", async () => {
    const { api } = await startApp({ RATE_LIMIT_LOGIN: "1" });
    const empty = () => api.post("/api/auth/login", {});
    expect(await collectStatuses(...times(6, empty))).toEqual([400, 400, 400, 400, 400, 429]);
  });

  it("don't exceed the limit when they are concurrent", async () => {
    const app = await startApp({ RATE_LIMIT_LOGIN: "3" });
    const { email } = await app.make.user("admin");
    const responses = await Promise.all(times(30, 0).map(() => logIn(app.api, email)));
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401).length).toBe(3);
    expect(statuses.filter((status) => status === 429).length).toBe(27);
    expectLimited(await logIn(app.api, email, PASSWORD), QUARTER_OF_AN_HOUR);
  });

  it("are not limited with a limit of 0", async () => {
    const { api } = await startApp({ RATE_LIMIT_LOGIN: "0" });
    expect(await collectStatuses(...times(12, () => logIn(api)))).toEqual(times(12, 401));
  });
});

it("successful log-ins don't count", async () => {
  const { api, make } = await startApp({ RATE_LIMIT_LOGIN: "2" });
  const { email } = await make.user("admin");
  const right = () => logIn(api, email, PASSWORD);
  const wrong = () => logIn(api, email);
  expect(await collectStatuses(...times(12, right), wrong, right, wrong, right)).toEqual([
    ...times(12, 200),
    401,
    200,
    401,
    429,
  ]);
});

describe("a browser that has logged in to the account before", () => {
  it("gets a cookie that scripts can't read, for the log-in only and for 90 days", async () => {
    const app = await startApp({ PUBLIC_BASE_URL: "https://books.example.org" });
    const { email } = await app.make.user("admin");
    const [value, ...attributes] = deviceCookieIn(await logIn(app.api, email, PASSWORD)).split("; ");
    expect(value).toMatch(/^auth\.known-device=[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(attributes.sort()).toEqual([
      `Expires=${new Date(app.clock.now() + 90 * DAY).toUTCString()}`,
      "HttpOnly",
      "Path=/api/auth/login",
      "SameSite=Lax",
      "Secure",
    ]);
    expect(value).not.toContain(email);
    expect(deviceCookieIn(await logIn(app.api, email))).toBe("");
  });

  it("has its own limit, even if its address and the account are blocked", async () => {
    const app = await startApp(LIMIT_OF_TWO);
    const { email, at } = await knownBrowser(app);
    const unexpected = from(app.api, "203.0.113.1");
    const others = times(8, 0).map((_, index) => () => logIn(unexpected, `user${index}@example.org`));
    await collectStatuses(...others, ...times(3, () => logIn(unexpected, email)));
    expectLimited(await logIn(unexpected, email, PASSWORD), QUARTER_OF_AN_HOUR);
    const here = at("203.0.113.1");
    expect((await logIn(here, email, PASSWORD)).status).toBe(200);
    expect(await collectStatuses(...times(3, () => logIn(here, email)))).toEqual([401, 401, 429]);
    // It counts by itself, wherever it is, and for no other one.
    expectLimited(await logIn(at("198.51.100.1"), email, PASSWORD), QUARTER_OF_AN_HOUR);
    expect((await logIn(from(app.api, "198.51.100.1"), email, PASSWORD)).status).toBe(200);
  });

  it("keeps its count when it logs in again: the new cookie has the old id", async () => {
    const app = await startApp(LIMIT_OF_TWO);
    const { email, at, Cookie } = await knownBrowser(app);
    app.clock.advance(DAY);
    expect((await logIn(at("192.0.2.1"), email)).status).toBe(401);
    const again = pairIn(deviceCookieIn(await logIn(at("192.0.2.1"), email, PASSWORD)));
    expect(again).not.toBe(Cookie);
    const renewed = app.api.with({ Cookie: again });
    expect(await collectStatuses(...times(2, () => logIn(renewed, email)))).toEqual([401, 429]);
  });

  it("is unknown for every other account", async () => {
    const app = await startApp(LIMIT_OF_TWO);
    const { at } = await knownBrowser(app);
    const other = await app.make.user("admin");
    const here = at("203.0.113.1");
    expect(await collectStatuses(...times(3, () => logIn(here, other.email)))).toEqual([401, 401, 429]);
    expectLimited(await logIn(from(app.api, "203.0.113.1"), other.email, PASSWORD), QUARTER_OF_AN_HOUR);
    const others = times(9, 0).map((_, index) => () => logIn(here, `user${index}@example.org`));
    expect(await collectStatuses(...others)).toEqual([...times(8, 401), 429]);
  });

  it.each([
    [
      "a change of its password",
      (app: TestApp, id: string) => changeUser(app, id, { password: NEW_PASSWORD }),
    ],
    ["90 days", async (app: TestApp) => app.clock.advance(90 * DAY)],
  ])("isn't recognised any more after %s", async (_, happens) => {
    const app = await startApp({ RATE_LIMIT_LOGIN: "1", ...BEHIND_PROXY });
    const { id, email, at } = await knownBrowser(app);
    await happens(app, id);
    const unexpected = from(app.api, "203.0.113.1");
    expect(await collectStatuses(() => logIn(unexpected, email))).toEqual([401]);
    expect((await logIn(at("203.0.113.1"), email, NEW_PASSWORD)).status).toBe(429);
  });

  it("isn't recognised by a forged or foreign cookie", async () => {
    const app = await startApp({ RATE_LIMIT_LOGIN: "1", ...BEHIND_PROXY });
    const { id, email, Cookie } = await knownBrowser(app);
    const { cookie } = await createAccount(app);
    const sessionToken = cookie.split("=")[1] ?? "";
    const forged = [sessionToken, id, "x.y.z", `${Cookie.split("=")[1]}x`, "j:[1]", ""];
    expect((await logIn(from(app.api, "203.0.113.1"), email)).status).toBe(401);
    for (const value of forged) {
      const client = from(app.api, "203.0.113.1").with({ Cookie: `auth.known-device=${value}` });
      expect((await logIn(client, email, PASSWORD)).status, value).toBe(429);
    }
  });
});

describe("the current password of a password change", () => {
  const guess = (client: Client) =>
    client.put("/api/auth/password", { currentPassword: "not the pass phrase", newPassword: NEW_PASSWORD });

  it("is limited by session, regardless of the address", async () => {
    const app = await startApp(LIMIT_OF_TWO);
    const { client, email } = await createAccount(app);
    let number = 0;
    const anywhere = () => guess(from(client, `203.0.113.${number++}`));
    const invalid = () =>
      client.put("/api/auth/password", { currentPassword: PASSWORD, newPassword: "short" });
    expect(await collectStatuses(invalid, invalid, anywhere, anywhere)).toEqual([400, 400, 400, 400]);
    expectLimited(await anywhere(), QUARTER_OF_AN_HOUR);
    expect((await client.get("/api/auth/session")).status).toBe(200);
    expect((await logIn(app.api, email, PASSWORD)).status).toBe(200);
  });

  it("isn't affected by guesses from other addresses or a stolen session", async () => {
    const app = await startApp(LIMIT_OF_TWO);
    const { client, email } = await createAccount(app);
    const stolen = app.api.with({
      Cookie: (await logIn(app.api, email, PASSWORD)).get("Set-Cookie")?.[0] ?? "",
    });
    await collectStatuses(...times(12, () => logIn(app.api, email)), ...times(3, () => guess(stolen)));
    expectLimited(await guess(stolen), QUARTER_OF_AN_HOUR);
    const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
    expect((await client.put("/api/auth/password", change)).status).toBe(200);
  });
});

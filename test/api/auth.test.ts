/** Log-in, log-out and the session between them. */
import { describe, expect, it } from "vitest";
import { FILE_TYPES } from "../../src/schemas/file-types.ts";
import { appVersion } from "../../src/version.ts";
import { changeUser, createAccount, logIn } from "../support/accounts.ts";
import { startApp } from "../support/app.ts";
import { runWhileLoginsAreBusy } from "../support/busy-logins.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { cookieOf, PASSWORD } from "../support/factory.ts";

const DAY = 86_400_000;
const MINUTE = 60_000;
const TTL = 7 * DAY;

const setCookies = (response: { get(name: "Set-Cookie"): string[] | undefined }): string[] =>
  response.get("Set-Cookie") ?? [];

/** The attributes of the session's cookie, which a response sets once, the token itself left out. */
function attributesOf(response: Parameters<typeof setCookies>[0]): string[] {
  const ofSession = setCookies(response).filter((cookie) => cookie.startsWith("auth.session-token="));
  const [cookie = "", ...others] = ofSession;
  expect(others).toEqual([]);
  const [, ...attributes] = cookie.split("; ");
  return attributes.sort();
}

describe("POST /api/auth/login", () => {
  it("starts a session in a cookie that scripts can't read", async () => {
    const { api, make, clock } = await startApp();
    const { id, email } = await make.user("editor");
    const response = await api.post("/api/auth/login", {
      email: ` ${email.toUpperCase()} `,
      password: PASSWORD,
    });
    expect(response.status).toBe(200);
    const permissions = ["books", "languages", "channels"].flatMap((what) => [
      `view_${what}`,
      `edit_${what}`,
    ]);
    const session = {
      user: { id, email, name: "editor", role: "editor", permissions },
      expiresAt: new Date(clock.now() + TTL).toISOString(),
    };
    expect(response.body).toEqual(session);
    expect(response.headers["cache-control"]).toBe("no-store");
    expect(attributesOf(response)).toEqual([
      `Expires=${new Date(clock.now() + TTL).toUTCString()}`,
      "HttpOnly",
      "Path=/",
      "SameSite=Lax",
    ]);

    const seen = await api.get("/api/auth/session", { Cookie: cookieOf(response) });
    expect(seen.status).toBe(200);
    expect(seen.body).toMatchObject(session);
    expect(setCookies(seen)).toEqual([]);
  });

  it.each([
    { case: "https in PUBLIC_BASE_URL", variables: { PUBLIC_BASE_URL: "HTTPS://books.example.org" } },
    { case: "a trusted proxy's word", variables: { TRUST_PROXY: "loopback" }, proto: "https" },
  ])("marks the cookie Secure behind an HTTPS proxy: $case", async ({ variables, proto }) => {
    const { api, make } = await startApp(variables);
    const { email } = await make.user("viewer");
    const client = proto === undefined ? api : api.with({ "X-Forwarded-Proto": proto });
    const response = await client.post("/api/auth/login", { email, password: PASSWORD });
    expect(attributesOf(response)).toContain("Secure");
    const out = await client.call("post", "/api/auth/logout", { headers: { Cookie: cookieOf(response) } });
    expect(attributesOf(out)).toContain("Secure");
  });

  it("ignores a forwarded protocol from an untrusted client", async () => {
    const { api, make } = await startApp();
    const { email } = await make.user("viewer");
    const client = api.with({ "X-Forwarded-Proto": "https", Forwarded: "proto=https" });
    const response = await client.post("/api/auth/login", { email, password: PASSWORD });
    expect(attributesOf(response)).not.toContain("Secure");
  });

  it.each([
    ["full", "203.0.113.77", "203.0.113.77"],
    ["truncated", "203.0.113.77", "203.0.113.0"],
    ["truncated", "2001:db8:1:2::77", "2001:db8:1::"],
    ["none", "203.0.113.77", null],
  ])(
    "stores as much of the address as IP_STORAGE=%s permits: %s becomes %s",
    async (IP_STORAGE, address, kept) => {
      const app = await startApp({ IP_STORAGE, TRUST_PROXY: "loopback" });
      const { email } = await app.make.user("viewer");
      await app.api
        .with({ "X-Forwarded-For": address })
        .post("/api/auth/login", { email, password: PASSWORD });
      const rows = await app.container.database.read.selectFrom("sessions").select("ipAddress").execute();
      expect(rows).toEqual([{ ipAddress: kept }]);
    },
  );

  it("returns the same response for unknown, known and inactive accounts", async () => {
    const app = await startApp();
    const known = await app.make.user("admin");
    const inactive = await app.make.user("admin");
    await changeUser(app, inactive.id, { isActive: 0 });
    const attempts = [
      { email: "unknown@example.org", password: PASSWORD },
      { email: known.email, password: "not the pass phrase" },
      { email: known.email, password: PASSWORD.toUpperCase() },
      { email: known.email, password: `${PASSWORD} ` },
      { email: inactive.email, password: PASSWORD },
      { email: inactive.email, password: "not the pass phrase" },
    ];
    const responses: unknown[] = [];
    for (const attempt of attempts) {
      const { status, headers, body } = await app.api.post("/api/auth/login", attempt);
      const { "x-request-id": _, date: __, ...kept } = headers;
      responses.push({ status, headers: kept, body: { ...body, requestId: "" } });
    }
    expect(responses[0]).toMatchObject({ status: 401, body: { code: "wrong_credentials" } });
    expect(responses).toEqual(attempts.map(() => responses[0]));
    expect(await app.container.database.read.selectFrom("sessions").selectAll().execute()).toEqual([]);
  });

  it("hashes the password of unknown and inactive accounts, too: if the hasher is busy, all wait alike", async () => {
    const app = await startApp();
    const known = await app.make.user("admin");
    const inactive = await app.make.user("editor");
    await changeUser(app, inactive.id, { isActive: 0 });
    const responses = await runWhileLoginsAreBusy(app, () =>
      Promise.all(
        [known.email, inactive.email, "unknown@example.org"].map((email) =>
          app.api.post("/api/auth/login", { email, password: "not the pass phrase" }),
        ),
      ),
    );
    for (const response of responses) expectProblem(response, 503, { code: "login_busy" });
  });

  it("rejects log-ins that can't be served immediately, and continues to serve others", async () => {
    const app = await startApp();
    const { email } = await app.make.user("admin");
    const attempt = { email, password: PASSWORD };
    const { login, health } = await runWhileLoginsAreBusy(app, async () => ({
      login: await app.api.post("/api/auth/login", attempt),
      health: await app.api.get("/api/health"),
    }));
    expectProblem(login, 503, { code: "login_busy" });
    expect(Number(login.headers["retry-after"])).toBeGreaterThan(0);
    expect(setCookies(login)).toEqual([]);
    expect(health.status).toBe(200);
    expect((await app.api.post("/api/auth/login", attempt)).status).toBe(200);
  });
});

describe("GET /api/auth/session", () => {
  it("says what a console needs to know about the service", async () => {
    const app = await startApp({
      MAX_UPLOAD_BYTES: "5000000",
      PUBLIC_SITE_URL: "https://www.example.org/books",
    });
    const { body } = await (await createAccount(app)).client.get("/api/auth/session");
    expect(body).toMatchObject({
      limits: { maxUploadBytes: 5_000_000, fileTypes: FILE_TYPES },
      publicSiteUrl: "https://www.example.org/books",
      version: appVersion,
    });
    const without = await startApp();
    const session = await (await createAccount(without)).client.get("/api/auth/session");
    expect(session.body).toMatchObject({ publicSiteUrl: null });
    expect(Object.keys(session.body)).toEqual([
      "user",
      "expiresAt",
      "limits",
      "publicSiteUrl",
      "features",
      "organisation",
      "version",
    ]);
  });

  it.each([
    ["the library", {}, "https://books.example.org"],
    ["no place without the library", { LIBRARY: "false" }, null],
    [
      "the website, also beside the library",
      { LIBRARY: "true", PUBLIC_SITE_URL: "https://www.example.org/books" },
      "https://www.example.org/books",
    ],
  ])("says that readers find the books in %s", async (_, variables, publicSiteUrl) => {
    const app = await startApp({ PUBLIC_BASE_URL: "https://books.example.org", ...variables });
    const { body } = await (await createAccount(app)).client.get("/api/auth/session");
    expect(body).toMatchObject({ publicSiteUrl });
  });

  it("expires at the end of its lifetime, to the second", async () => {
    const app = await startApp({ SESSION_TTL_SECONDS: "3600" });
    const { client } = await createAccount(app);
    app.clock.advance(500_000);
    expect((await client.get("/api/auth/session")).status).toBe(200);
    app.clock.advance(3_100_000 - 1);
    // The old cookie is still good, and would be exchanged for a new one that this client doesn't keep.
    expect((await client.get("/api/auth/session")).status).toBe(200);
    app.clock.advance(1);
    expectProblem(await client.get("/api/auth/session"), 401, { code: "unauthenticated" });
  });

  it("is extended: after a seventh of its lifetime the response sets a new cookie", async () => {
    const { clock, ...app } = await startApp();
    const { client, cookie } = await createAccount({ clock, ...app });
    clock.advance(DAY);
    expect(setCookies(await client.get("/api/admin/books"))).toEqual([]);
    clock.advance(MINUTE);
    const renewing = await client.get("/api/admin/books");
    const expiresAt = new Date(clock.now() + TTL);
    expect(attributesOf(renewing)).toEqual([
      `Expires=${expiresAt.toUTCString()}`,
      "HttpOnly",
      "Path=/",
      "SameSite=Lax",
    ]);
    const renewed = cookieOf(renewing);
    expect(renewed).not.toBe(cookie);
    const seen = await app.api.get("/api/auth/session", { Cookie: renewed });
    expect(seen.body.expiresAt).toBe(expiresAt.toISOString());
    expect(setCookies(seen)).toEqual([]);

    clock.advance(TTL - 1);
    expect((await app.api.get("/api/auth/session", { Cookie: cookie })).status).toBe(401);
    expect((await app.api.get("/api/auth/session", { Cookie: renewed })).status).toBe(200);
  });

  it("is extended once, however often the old cookie is sent", async () => {
    const { clock, container, ...app } = await startApp();
    const { client } = await createAccount({ clock, container, ...app });
    const rows = () => container.database.read.selectFrom("sessions").select(["id", "expiresAt"]).execute();
    clock.advance(2 * DAY);
    await client.get("/api/admin/books");
    const prolonged = await rows();
    expect(prolonged[0]?.expiresAt).toBe(clock.now() + TTL);
    const expiresAt = new Date(clock.now() + TTL).toUTCString();
    clock.advance(MINUTE);
    const late = await client.get("/api/admin/books");
    expect(attributesOf(late)).toContain(`Expires=${expiresAt}`);
    expect(await rows()).toEqual(prolonged);
    expect((await app.api.get("/api/auth/session", { Cookie: cookieOf(late) })).status).toBe(200);
  });
});

describe("POST /api/auth/logout", () => {
  it("ends the session immediately, and no other session of the user", async () => {
    const app = await startApp();
    const { email, cookie, client } = await createAccount(app, "viewer");
    const other = await logIn(app, email);
    expect(other.cookie).not.toBe(cookie);
    const out = await client.post("/api/auth/logout");
    expect(out.status).toBe(204);
    expect(out.headers["content-length"]).toBeUndefined();
    expect(setCookies(out)).toEqual([
      "auth.session-token=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax",
    ]);
    for (const path of ["/api/auth/session", "/api/admin/books"]) {
      expectProblem(await client.get(path), 401, { code: "unauthenticated" });
    }
    expect((await client.post("/api/auth/logout")).status).toBe(401);
    expect((await other.client.get("/api/auth/session")).status).toBe(200);
  });

  it("clears the cookie even if it was due for renewal", async () => {
    const app = await startApp();
    const { client } = await createAccount(app, "viewer");
    app.clock.advance(2 * DAY);
    const out = await client.post("/api/auth/logout");
    expect(setCookies(out)).toEqual([expect.stringMatching(/^auth\.session-token=;/)]);
    expect((await client.get("/api/auth/session")).status).toBe(401);
  });

  it("invalidates the old and new tokens of a renewed session", async () => {
    const app = await startApp();
    const { client, cookie } = await createAccount(app, "viewer");
    app.clock.advance(2 * DAY);
    const renewed = cookieOf(await client.get("/api/auth/session"));
    expect((await app.api.with({ Cookie: renewed }).post("/api/auth/logout")).status).toBe(204);
    for (const Cookie of [cookie, renewed]) {
      expect((await app.api.get("/api/auth/session", { Cookie })).status).toBe(401);
    }
  });
});

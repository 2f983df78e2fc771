/** The list of one's own sessions, and how each of them ends. */
import { describe, expect, it } from "vitest";
import { changeUser, createAccount, logIn } from "../support/accounts.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { cookieOf, PASSWORD } from "../support/factory.ts";
import { AGENTS } from "../support/reader.ts";

const PATH = "/api/auth/sessions";
const MINUTE = 60_000;
const DAY = 86_400_000;

const iso = (at: number): string => new Date(at).toISOString();

const sessionRows = ({ container: { database } }: TestApp) =>
  database.read.selectFrom("sessions").selectAll().orderBy("id").execute();

describe("GET /api/auth/sessions", () => {
  it("returns the caller's own sessions with their browsers, last used first", async () => {
    const app = await startApp({ TRUST_PROXY: "loopback" });
    const { email } = await app.make.user("viewer");
    await createAccount(app, "viewer");
    const begun = app.clock.now();
    const at = (address: string, agent: string) =>
      app.api
        .with({ "X-Forwarded-For": address, "User-Agent": agent })
        .post("/api/auth/login", { email, password: PASSWORD });
    const office = cookieOf(await at("203.0.113.1", AGENTS.chrome));
    app.clock.advance(MINUTE);
    await at("2001:db8::7", AGENTS.iphone);
    app.clock.advance(MINUTE);
    const { status, body } = await app.api.get(PATH, { Cookie: office });
    expect(status).toBe(200);
    expect(body).toEqual({
      sessions: [
        {
          id: expect.any(String),
          createdAt: iso(begun),
          lastSeenAt: iso(begun + 2 * MINUTE),
          expiresAt: iso(begun + 7 * DAY),
          ipAddress: "203.0.113.1",
          browserName: "Chrome",
          osName: "Windows",
          isCurrent: true,
        },
        {
          id: expect.any(String),
          createdAt: iso(begun + MINUTE),
          lastSeenAt: iso(begun + MINUTE),
          expiresAt: iso(begun + MINUTE + 7 * DAY),
          ipAddress: "2001:db8::7",
          browserName: "Mobile Safari",
          osName: "iOS",
          isCurrent: false,
        },
      ],
    });
  });

  it("returns as much of addresses as IP_STORAGE permits, and no expired sessions", async () => {
    const app = await startApp({ IP_STORAGE: "none", SESSION_TTL_SECONDS: "3600" });
    const { email } = await createAccount(app, "viewer");
    app.clock.advance(3_600_000);
    const { client } = await logIn(app, email);
    expect((await client.get(PATH)).body.sessions).toMatchObject([{ ipAddress: null, isCurrent: true }]);
  });

  it("records the last use of a session at most once a minute", async () => {
    const app = await startApp();
    const { client } = await createAccount(app, "viewer");
    const [before] = await sessionRows(app);
    app.clock.advance(MINUTE - 1);
    await client.get("/api/auth/session");
    expect(await sessionRows(app)).toEqual([before]);
    app.clock.advance(1);
    await client.get("/api/admin/books");
    expect(await sessionRows(app)).toEqual([{ ...before, lastSeenAt: app.clock.now() }]);
  });
});

describe("DELETE /api/auth/sessions/{sessionId}", () => {
  const idsOf = async (client: {
    get(path: string): Promise<{ body: { sessions: { id: string; isCurrent: boolean }[] } }>;
  }) => (await client.get(PATH)).body.sessions;

  it("ends one session immediately, and no other", async () => {
    const app = await startApp();
    const { client, email } = await createAccount(app, "viewer");
    const other = await logIn(app, email);
    const third = await logIn(app, email);
    const id = (await idsOf(other.client)).find(({ isCurrent }) => isCurrent)?.id;
    const elsewhere = client.with({ "Sec-Fetch-Site": "cross-site" });
    expectProblem(await elsewhere.delete(`${PATH}/${id}`), 403, { code: "cross_site_request" });
    const ended = await client.delete(`${PATH}/${id}`);
    expect(ended.status).toBe(200);
    expect(ended.body).toEqual({ success: true });
    expect(ended.get("Set-Cookie")).toBeUndefined();
    expectProblem(await other.client.get("/api/auth/session"), 401, { code: "unauthenticated" });
    expect((await third.client.get("/api/auth/session")).status).toBe(200);
    expect((await idsOf(client)).length).toBe(2);
    expectProblem(await client.delete(`${PATH}/${id}`), 404, { code: "session_not_found" });
  });

  it("ends the session of the request itself, and clears its cookie", async () => {
    const app = await startApp();
    const { client } = await createAccount(app, "viewer");
    const [own] = await idsOf(client);
    const ended = await client.delete(`${PATH}/${own?.id}`);
    expect(ended.status).toBe(200);
    expect(ended.get("Set-Cookie")).toEqual([expect.stringMatching(/^auth\.session-token=;/)]);
    expect((await client.get("/api/auth/session")).status).toBe(401);
  });

  it("returns 404 for a session of another user, even to an administrator", async () => {
    const app = await startApp();
    const victim = await createAccount(app, "viewer");
    const [id] = (await idsOf(victim.client)).map((each) => each.id);
    const admin = await app.admin();
    expectProblem(await admin.delete(`${PATH}/${id}`), 404, { code: "session_not_found" });
    expect((await victim.client.get("/api/auth/session")).status).toBe(200);
  });
});

describe("a session ends at the latest 30 days after the log-in", () => {
  it("regardless of how often it is used", async () => {
    const app = await startApp();
    const { email } = await app.make.user("viewer");
    let { cookie } = await logIn(app, email);
    const begun = app.clock.now();
    const use = async () => {
      const response = await app.api.get("/api/auth/session", { Cookie: cookie });
      cookie = cookieOf(response) || cookie;
      return response;
    };
    for (let day = 1; day < 30; day++) {
      app.clock.advance(DAY);
      const response = await use();
      expect(response.status, `day ${day}`).toBe(200);
      expect(Date.parse(response.body.expiresAt)).toBeLessThanOrEqual(begun + 30 * DAY);
    }
    const { body } = await app.api.get(PATH, { Cookie: cookie });
    expect(body.sessions).toMatchObject([{ createdAt: iso(begun), expiresAt: iso(begun + 30 * DAY) }]);
    app.clock.advance(DAY - 1);
    expect((await use()).status).toBe(200);
    app.clock.advance(1);
    expectProblem(await use(), 401, { code: "unauthenticated" });
  });

  it("also with a longer SESSION_TTL_SECONDS, and after an update from a version without that limit", async () => {
    const app = await startApp({ SESSION_TTL_SECONDS: String(365 * 86_400) });
    const { client } = await createAccount(app, "viewer");
    expect((await client.get("/api/auth/session")).body.expiresAt).toBe(iso(app.clock.now() + 30 * DAY));
    const { database } = app.container;
    const expiresAt = app.clock.now() + 365 * DAY;
    await database.commit(() => database.writer.updateTable("sessions").set({ expiresAt }).execute());
    const [listed] = (await client.get(PATH)).body.sessions;
    expect(listed.expiresAt).toBe(iso(app.clock.now() + 30 * DAY));
    app.clock.advance(30 * DAY);
    expect((await client.get("/api/auth/session")).status).toBe(401);
  });
});

it("a user has at most 100 sessions, the last used ones", async () => {
  const app = await startApp();
  const { id, email, client } = await createAccount(app, "viewer");
  const { database } = app.container;
  const rows = Array.from({ length: 120 }, (_, index) => ({
    id: `old ${index}`,
    userId: id,
    createdAt: app.clock.now(),
    expiresAt: app.clock.now() + DAY,
    lastSeenAt: app.clock.now() - 1 - index,
    ipAddress: null,
    userAgent: "",
  }));
  await database.commit(() => database.writer.insertInto("sessions").values(rows).execute());
  await logIn(app, email);
  const kept = (await sessionRows(app)).map((row) => row.id);
  expect(kept.length).toBe(100);
  expect(kept).toContain("old 97");
  expect(kept).not.toContain("old 98");
  expect((await client.get("/api/auth/session")).status).toBe(200);
});

it("a session of a deactivated user doesn't return with the user's activation", async () => {
  const app = await startApp();
  const { id, email } = await createAccount(app, "viewer");
  await changeUser(app, id, { isActive: 0 });
  await changeUser(app, id, { isActive: 1 });
  const { client } = await logIn(app, email);
  expect((await client.get(PATH)).body.sessions.length).toBe(1);
});

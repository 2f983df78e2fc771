/** Forgotten passwords: a letter with a link that sets one, once. */
import { describe, expect, it } from "vitest";
import { changeUser, createAccount, createKey, logIn } from "../support/accounts.ts";
import type { TestApp } from "../support/app.ts";
import { startWithMail } from "../support/app-with-mail.ts";
import { readAuditLog } from "../support/audit-log.ts";
import { runWhileLoginsAreBusy } from "../support/busy-logins.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { PASSWORD } from "../support/factory.ts";
import { listLinks, RESET_PATH } from "../support/password-links.ts";

const NEW_PASSWORD = "a new and even longer pass phrase";
const HOUR = 3_600_000;

async function start() {
  const app = await startWithMail();
  const account = await createAccount(app, "editor");
  const { email } = account;
  const ask = (whose = email) => app.api.post(RESET_PATH, { email: whose });
  const linksOf = (whose = email) => listLinks(app, whose);
  const askForLink = async () => {
    expect((await ask()).status).toBe(202);
    return (await linksOf()).at(-1) ?? "";
  };
  return { ...app, app, account, email, ask, askForLink, linksOf };
}

const setPassword = ({ api }: Pick<TestApp, "api">, link: string, newPassword = NEW_PASSWORD) =>
  api.post(link, { newPassword });

describe("POST /api/auth/password-reset", () => {
  it("responds alike to known, unknown, inactive and invited accounts, and makes links of the first only", async () => {
    const { app, ask, linksOf } = await start();
    const off = await app.make.user("editor");
    await changeUser(app, off.id, { isActive: 0 });
    const admin = await app.admin();
    const invited = { email: "ben@example.org", name: "Ben", role: "viewer", invite: true };
    expect((await admin.post("/api/admin/users", invited)).status).toBe(201);
    for (const whose of [undefined, "unknown@example.org", off.email, invited.email]) {
      const { status, body, headers } = await ask(whose);
      expect([status, body, headers["content-length"]]).toEqual([202, { success: true }, "16"]);
    }
    const counts = await Promise.all([undefined, off.email, invited.email].map(linksOf));
    // That of the invitation.
    expect(counts.map(({ length }) => length)).toEqual([1, 0, 1]);
  });

  it("finds the account in any spelling of its address", async () => {
    const { ask, email, linksOf } = await start();
    expect((await ask(` ${email.toUpperCase()} `)).status).toBe(202);
    expect(await linksOf()).toHaveLength(1);
  });

  it("makes three links of an account in 24 hours, also for requests at once", async () => {
    const { ask, linksOf, clock } = await start();
    const statuses = await Promise.all(Array.from({ length: 9 }, async () => (await ask()).status));
    expect(new Set(statuses)).toEqual(new Set([202]));
    expect(await linksOf()).toHaveLength(3);
    clock.advance(24 * HOUR - 1);
    expect((await ask()).status).toBe(202);
    expect(await linksOf()).toHaveLength(3);
    clock.advance(1);
    expect((await ask()).status).toBe(202);
    expect(await linksOf()).toHaveLength(4);
  });

  it("counts no links of the future after the clock was set back", async () => {
    const { ask, linksOf, clock } = await start();
    for (let time = 0; time < 3; time += 1) await ask();
    clock.advance(-48 * HOUR);
    await ask();
    expect(await linksOf()).toHaveLength(4);
  });

  it("has the limit of log-ins for an address, of its own", async () => {
    const { api } = await startWithMail({ RATE_LIMIT_LOGIN: "2" });
    const statuses: number[] = [];
    for (const name of ["a", "b", "c"])
      statuses.push((await api.post(RESET_PATH, { email: `${name}@example.org` })).status);
    expect(statuses).toEqual([202, 202, 429]);
    const attempt = { email: "a@example.org", password: PASSWORD };
    expectProblem(await api.post("/api/auth/login", attempt), 401, { code: "wrong_credentials" });
  });
});

describe("GET /api/auth/password-reset/{token}", () => {
  it("says whose the link is, and changes nothing", async () => {
    const { api, app, askForLink, email } = await start();
    const link = await askForLink();
    for (let time = 0; time < 3; time += 1) {
      const { status, body, headers } = await api.get(link);
      expect([status, body]).toEqual([
        200,
        { email, name: "editor", isInvitation: false, expiresAt: "2026-03-02T12:00:00.000Z" },
      ]);
      expect(headers["cache-control"]).toBe("no-store");
      expect(headers["referrer-policy"]).toBe("no-referrer");
    }
    expect((await setPassword(app, link)).status).toBe(200);
  });

  it("names neither an unknown nor a changed token", async () => {
    const { api, askForLink, account } = await start();
    const link = await askForLink();
    const session = account.cookie.split("=")[1] ?? "";
    for (const token of ["x", "x".repeat(2000), session]) {
      const response = await api.get(`${RESET_PATH}/${token}`);
      expectProblem(response, 404, { code: "reset_unknown" });
      expect(response.body.instance).toBe(`${RESET_PATH}/`);
    }
    expectProblem(await api.get(`${link}x`), 404, { code: "reset_unknown" });
    expectProblem(await api.get(`${RESET_PATH}/${"x".repeat(2001)}`), 404);
  });

  it("responds with 410 after 24 hours", async () => {
    const { api, app, askForLink, clock, email } = await start();
    const link = await askForLink();
    clock.advance(24 * HOUR - 1000);
    expect((await api.get(link)).status).toBe(200);
    clock.advance(1000);
    expectProblem(await api.get(link), 410, { code: "reset_expired" });
    expectProblem(await setPassword(app, link), 410, { code: "reset_expired" });
    await logIn(app, email);
  });
});

describe("POST /api/auth/password-reset/{token}", () => {
  it("sets the password once, ends all sessions, and revokes all keys but those that only submit", async () => {
    const { app, api, ask, account, askForLink, email } = await start();
    const admin = await createAccount(app, "admin");
    expect((await ask(admin.email)).status).toBe(202);
    const [link = ""] = await listLinks(app, admin.email);
    const others = await logIn(app, admin.email);
    await createKey(admin.client);
    const kept = await createKey(admin.client, { scopes: ["submit_downloads"] });
    const before = await readAuditLog(app);
    expect((await setPassword(app, link)).body).toEqual({ success: true });

    for (const { client } of [admin, others])
      expect((await client.get("/api/auth/session")).status).toBe(401);
    expect((await account.client.get("/api/auth/session")).status).toBe(200);
    expectProblem(await api.post("/api/auth/login", { email: admin.email, password: PASSWORD }), 401);
    const { client } = await logIn(app, admin.email, NEW_PASSWORD);
    const { apiKeys } = (await client.get("/api/admin/api-keys")).body;
    expect(apiKeys.map(({ id }: { id: string }) => id)).toEqual([kept.id]);
    await logIn(app, email);

    const [entry] = (await readAuditLog(app)).slice(before.length);
    expect(entry).toMatchObject({
      actorKind: "user",
      actorId: admin.id,
      action: "update",
      objectId: admin.id,
    });
    expect(entry?.changes).toEqual({
      passwordHash: { before: "[masked]", after: "[masked]" },
      apiKeys: { before: 2, after: 1 },
    });
    expectProblem(await setPassword(app, link, `${NEW_PASSWORD} 2`), 410, { code: "reset_expired" });
    expectProblem(await api.get(link), 410, { code: "reset_expired" });
    expect((await api.get(await askForLink())).status).toBe(200);
  });

  it("sets one password for two requests at once", async () => {
    const { app, askForLink, email } = await start();
    const link = await askForLink();
    const both = [`${NEW_PASSWORD} 1`, `${NEW_PASSWORD} 2`];
    const responses = await Promise.all(both.map((each) => setPassword(app, link, each)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 410]);
    const winner = both.find((_, index) => responses[index]?.status === 200) ?? "";
    await logIn(app, email, winner);
    const changes = (await readAuditLog(app)).filter(({ action }) => action === "update");
    expect(changes).toHaveLength(1);
  });

  it("ends the other links of the account", async () => {
    const { app, api, ask, linksOf } = await start();
    await ask();
    await ask();
    const [first = "", second = ""] = await linksOf();
    expect((await setPassword(app, second)).status).toBe(200);
    expectProblem(await api.get(first), 410, { code: "reset_expired" });
  });

  it("rejects a password that breaks the rules, and the link can still be used", async () => {
    const { app, api, askForLink } = await start();
    const link = await askForLink();
    expectProblem(await setPassword(app, link, "eleven char"), 400, { errors: ["newPassword too_small"] });
    expectProblem(await setPassword(app, link, "Password1234"), 400, {
      errors: ["newPassword common_password"],
    });
    expectProblem(await api.post(link, { email: "x" }), 400, {
      errors: ["newPassword invalid_type", "email unknown_field"],
    });
    expect((await setPassword(app, link)).status).toBe(200);
  });

  it.each([
    ["another e-mail address", { email: "other@example.org" }],
    ["a new password", { password: `${NEW_PASSWORD} 3` }],
    ["deactivation", { isActive: 0 as const }],
  ])("can't be used after %s", async (_, change) => {
    const { app, api, account, askForLink } = await start();
    const link = await askForLink();
    await changeUser(app, account.id, change);
    if ("isActive" in change) await changeUser(app, account.id, { isActive: 1 });
    expectProblem(await setPassword(app, link), 410, { code: "reset_expired" });
    expectProblem(await api.get(link), 410, { code: "reset_expired" });
  });

  it("can't be used after the user has changed the password", async () => {
    const { app, account, askForLink } = await start();
    const link = await askForLink();
    const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
    expect((await account.client.put("/api/auth/password", change)).status).toBe(200);
    expectProblem(await setPassword(app, link), 410, { code: "reset_expired" });
  });

  it("is unknown after the deletion of the user", async () => {
    const { app, account, askForLink } = await start();
    const link = await askForLink();
    expect((await (await app.admin()).delete(`/api/admin/users/${account.id}`)).status).toBe(200);
    expectProblem(await setPassword(app, link), 404, { code: "reset_unknown" });
  });

  it("rejects passwords that can't be hashed immediately, and the link can still be used", async () => {
    const { app, askForLink } = await start();
    const link = await askForLink();
    const response = await runWhileLoginsAreBusy(app, () => setPassword(app, link));
    expectProblem(response, 503, { code: "login_busy" });
    expect((await setPassword(app, link)).status).toBe(200);
  });

  it("limits guesses of tokens by address", async () => {
    const { api } = await startWithMail({ RATE_LIMIT_LOGIN: "1" });
    const statuses: number[] = [];
    for (let time = 0; time < 6; time += 1) statuses.push((await api.get(`${RESET_PATH}/x`)).status);
    expect(statuses).toEqual([404, 404, 404, 404, 404, 429]);
    expectProblem(await api.post(`${RESET_PATH}/x`, { newPassword: NEW_PASSWORD }), 429);
  });
});

/** Invitations: a letter in place of a password. */
import { describe, expect, it } from "vitest";
import { createAccount, logIn } from "../support/accounts.ts";
import { startWithAdmin } from "../support/app.ts";
import { startWithMail } from "../support/app-with-mail.ts";
import { readAuditLog } from "../support/audit-log.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { PASSWORD } from "../support/factory.ts";
import { listLinks, RESET_PATH } from "../support/password-links.ts";

const PATH = "/api/admin/users";
const HOUR = 3_600_000;
const NEW_PASSWORD = "a new and even longer pass phrase";
const BEN = { email: "ben@example.org", name: "Ben", role: "editor", invite: true };
const LETTERS_NEEDED = { code: "mail_not_configured", errors: ["invite mail_not_configured"] };

async function start() {
  const app = await startWithMail();
  const admin = await app.admin();
  const invite = async (given: object = {}) => {
    const response = await admin.post(PATH, { ...BEN, ...given });
    expect(response.status, JSON.stringify(response.body)).toBe(201);
    return { id: String(response.body.id), path: `${PATH}/${response.body.id}`, body: response.body };
  };
  const linksOf = (email = BEN.email) => listLinks(app, email);
  return { ...app, app, admin, invite, linksOf };
}

describe("POST /api/admin/users with invite", () => {
  it("makes no administrator who could replace the last one until there is a password", async () => {
    const { app, api, admin, invite, linksOf } = await start();
    await invite({ role: "admin" });
    const { user } = (await admin.get("/api/auth/session")).body;
    for (const change of [{ role: "editor" }, { isActive: 0 }])
      expectProblem(await admin.put(`${PATH}/${user.id}`, change), 409, { code: "last_admin" });
    expectProblem(await admin.delete(`${PATH}/${user.id}`), 409, { code: "last_admin" });
    const [link = ""] = await linksOf();
    expect((await api.post(link, { newPassword: NEW_PASSWORD })).status).toBe(200);
    expect((await admin.delete(`${PATH}/${user.id}`)).status).toBe(200);
    await logIn(app, BEN.email, NEW_PASSWORD);
  });

  it("creates an account that admits no one until its link has set a password", async () => {
    const { app, api, admin, invite, linksOf } = await start();
    const { body, path } = await invite();
    expect(body).toMatchObject({ email: BEN.email, isActive: 1, isInvited: true });
    for (const password of [PASSWORD, " ", "undefined"])
      expectProblem(await api.post("/api/auth/login", { email: BEN.email, password }), 401);
    const [link = "", ...more] = await linksOf();
    expect(more).toEqual([]);
    expect((await api.get(link)).body).toEqual({
      email: BEN.email,
      name: "Ben",
      isInvitation: true,
      expiresAt: "2026-03-02T12:00:00.000Z",
    });
    expect((await api.post(link, { newPassword: NEW_PASSWORD })).status).toBe(200);
    await logIn(app, BEN.email, NEW_PASSWORD);
    expect((await admin.get(path)).body.isInvited).toBe(false);
    expectProblem(await api.post(link, { newPassword: PASSWORD }), 410, { code: "reset_expired" });
  });

  it("is recorded with the account, and so is the first password, by the user", async () => {
    const { app, api, admin, invite, linksOf } = await start();
    const { user } = (await admin.get("/api/auth/session")).body;
    const before = await readAuditLog(app);
    const { id } = await invite();
    const [link = ""] = await linksOf();
    expect((await api.post(link, { newPassword: NEW_PASSWORD })).status).toBe(200);
    const [creation, update, ...rest] = (await readAuditLog(app)).slice(before.length);
    expect(rest).toEqual([]);
    expect(creation).toMatchObject({ actorId: user.id, action: "create", objectId: id });
    expect(creation?.changes).toMatchObject({ invitedAt: { after: app.clock.now() } });
    expect(update).toMatchObject({ actorId: id, action: "update", objectId: id, ipAddress: "127.0.0.1" });
    expect(update?.changes).toEqual({
      passwordHash: { before: "[masked]", after: "[masked]" },
      invitedAt: { before: app.clock.now(), after: null },
    });
  });

  it("needs a password or an invitation, and not both", async () => {
    const { admin } = await start();
    const { invite: _, ...withoutBoth } = BEN;
    const sending = async (more: object) => (await admin.post(PATH, { ...withoutBoth, ...more })).body.errors;
    const missing = [{ in: "body", path: "password", message: "is required", code: "invalid_type" }];
    for (const more of [{}, { invite: false }, { invite: null, password: null }])
      expect(await sending(more)).toEqual(missing);
    const both = {
      in: "body",
      path: "invite",
      message: "is in place of a password",
      code: "exactly_one_needed",
    };
    expect(await sending({ invite: true, password: PASSWORD })).toEqual([both]);
    expect((await admin.post(PATH, { ...withoutBoth, password: PASSWORD, invite: false })).status).toBe(201);
  });

  it("needs an active account", async () => {
    const { admin, linksOf } = await start();
    const response = await admin.post(PATH, { ...BEN, isActive: 0 });
    expectProblem(response, 400, { errors: ["invite inactive_account"] });
    expect((await admin.get(PATH)).body.users).toHaveLength(1);
    expect(await linksOf()).toEqual([]);
  });
});

describe("PUT /api/admin/users/{userId} with invite", () => {
  it("sends another letter, and the earlier link ends", async () => {
    const { api, admin, invite, linksOf, clock } = await start();
    const { path } = await invite();
    const [first = ""] = await linksOf();
    clock.advance(HOUR);
    expect((await admin.put(path, { invite: true })).body.user.isInvited).toBe(true);
    expectProblem(await api.get(first), 410, { code: "reset_expired" });
    const second = (await linksOf()).at(-1) ?? "";
    expect((await api.get(second)).body).toMatchObject({ isInvitation: true });
    expect((await api.post(second, { newPassword: NEW_PASSWORD })).status).toBe(200);
    expectProblem(await admin.put(path, { invite: true }), 409, { code: "password_already_set" });
  });

  it("sends three a day", async () => {
    const { admin, invite, linksOf, clock } = await start();
    const { path } = await invite();
    for (const status of [200, 200, 409, 409])
      expect((await admin.put(path, { invite: true })).status).toBe(status);
    expectProblem(await admin.put(path, { invite: true, name: "Benjamin" }), 409, {
      code: "too_many_letters",
    });
    expect((await admin.get(path)).body.name).toBe("Ben");
    expect(await linksOf()).toHaveLength(3);
    clock.advance(24 * HOUR);
    expect((await admin.put(path, { invite: true })).status).toBe(200);
  });

  it("invites at the address that it sets", async () => {
    const { admin, invite, linksOf } = await start();
    const { path } = await invite();
    const [first = ""] = await linksOf();
    expect((await admin.put(path, { email: "benjamin@example.org" })).status).toBe(200);
    expectProblem(await admin.get(first), 410, { code: "reset_expired" });
    expect((await admin.put(path, { invite: true, email: "b@example.org" })).status).toBe(200);
    const open = (await linksOf("b@example.org")).at(-1) ?? "";
    expect((await admin.get(open)).body.email).toBe("b@example.org");
  });

  it("is rejected with a password, for inactive users, and for those who have a password", async () => {
    const { app, admin, invite } = await start();
    const { path } = await invite();
    const both = await admin.put(path, { invite: true, password: PASSWORD });
    expectProblem(both, 400, { errors: ["invite exactly_one_needed"] });
    expectProblem(await admin.put(path, { invite: true, isActive: 0 }), 400, {
      errors: ["invite inactive_account"],
    });
    const other = await createAccount(app, "viewer");
    expectProblem(await admin.put(`${PATH}/${other.id}`, { invite: true }), 409, {
      code: "password_already_set",
    });
  });

  it("is over once an administrator sets a password", async () => {
    const { app, admin, invite, linksOf } = await start();
    const { path } = await invite();
    const [link = ""] = await linksOf();
    expect((await admin.put(path, { password: NEW_PASSWORD })).body.user.isInvited).toBe(false);
    expectProblem(await admin.get(link), 410, { code: "reset_expired" });
    await logIn(app, BEN.email, NEW_PASSWORD);
  });
});

it("a service without letters has no invitations and no letter for a forgotten password", async () => {
  const { app, client: admin } = await startWithAdmin();
  const before = (await admin.get(PATH)).body.users;
  expectProblem(await admin.post(PATH, BEN), 400, LETTERS_NEEDED);
  const path = `${PATH}/${before[0].id}`;
  expectProblem(await admin.put(path, { invite: true }), 400, LETTERS_NEEDED);
  expect((await admin.get(PATH)).body.users).toEqual(before);
  for (const email of [before[0].email, "unknown@example.org"])
    expectProblem(await app.api.post(RESET_PATH, { email }), 404, { code: "no_letters" });
});

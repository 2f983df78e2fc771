/** Users: listed, created, changed and deleted by those who may manage them. */
import { describe, expect, it } from "vitest";
import { ROLE_PERMISSIONS } from "../../src/schemas/permissions.ts";
import { createAccount, logIn } from "../support/accounts.ts";
import { startWithAdmin, type TestApp } from "../support/app.ts";
import { readAuditLog } from "../support/audit-log.ts";
import { runWhileLoginsAreBusy } from "../support/busy-logins.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { PASSWORD } from "../support/factory.ts";

const PATH = "/api/admin/users";
const NEW_PASSWORD = "a new and even longer pass phrase";
const BEN = { email: "ben@example.org", name: "Ben", password: PASSWORD, role: "editor" };

const rowsOf = ({ container: { database } }: TestApp) =>
  database.read.selectFrom("users").selectAll().orderBy("id").execute();

/** An administrator, and an editor whom it is about. */
async function start() {
  const { app, client: admin } = await startWithAdmin();
  const user = await createAccount(app, "editor");
  return { ...app, app, admin, user, path: `${PATH}/${user.id}` };
}

it("GET /api/admin/users returns all users by name and then by age, and never a hash", async () => {
  const { admin, clock } = await start();
  for (const [index, name] of ["zoë", "Émile", "Zoe", "Ben", "émile", "Ben"].entries()) {
    const isActive = index % 2;
    clock.advance(1);
    expect((await admin.post(PATH, { ...BEN, email: `u${index}@example.org`, name, isActive })).status).toBe(
      201,
    );
  }
  const response = await admin.get(PATH);
  expect(response.status).toBe(200);
  const { users } = response.body;
  expect(users.map(({ name, email }: { name: string; email: string }) => `${name} ${email[1]}`)).toEqual([
    "admin d",
    "Ben 3",
    "Ben 5",
    "editor d",
    "émile 4",
    "Émile 1",
    "Zoe 2",
    "zoë 0",
  ]);
  expect(users[1]).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    email: "u3@example.org",
    name: "Ben",
    role: "editor",
    permissions: ROLE_PERMISSIONS.editor,
    isActive: 1,
    isInvited: false,
    createdAt: "2026-03-01T12:00:00.004Z",
    updatedAt: "2026-03-01T12:00:00.004Z",
  });
  expect(JSON.stringify(response.body)).not.toMatch(/argon2|hash/i);
});

describe("POST /api/admin/users", () => {
  it("returns the user, who can log in from then on", async () => {
    const { admin, api } = await start();
    const response = await admin.post(PATH, {
      ...BEN,
      email: " Ben@Example.ORG ",
      name: "  Ben cafe\u0301 ",
    });
    expect(response.status).toBe(201);
    const { id, ...shown } = response.body;
    expect(response.headers.location).toBe(`${PATH}/${id}`);
    expect(shown).toEqual({
      email: "ben@example.org",
      name: "Ben café",
      role: "editor",
      permissions: ROLE_PERMISSIONS.editor,
      isActive: 1,
      isInvited: false,
      createdAt: "2026-03-01T12:00:00.000Z",
      updatedAt: "2026-03-01T12:00:00.000Z",
    });
    const { status, body } = await api.post("/api/auth/login", { email: BEN.email, password: PASSWORD });
    const { id: sameId, email, name, role, permissions } = body.user;
    expect([status, sameId]).toEqual([200, id]);
    expect({ email, name, role, permissions }).toEqual({
      email: shown.email,
      name: shown.name,
      role: shown.role,
      permissions: shown.permissions,
    });
    expect((await admin.get(PATH)).body.users).toContainEqual(response.body);
  });

  it("can create an inactive user", async () => {
    const { admin, app, api } = await start();
    const { body } = await admin.post(PATH, { ...BEN, isActive: 0 });
    expect(body.isActive).toBe(0);
    const attempt = { email: BEN.email, password: PASSWORD };
    expectProblem(await api.post("/api/auth/login", attempt), 401, { code: "wrong_credentials" });
    await admin.put(`${PATH}/${body.id}`, { isActive: 1 });
    await logIn(app, BEN.email);
  });

  it("accepts an e-mail address once, regardless of spelling and concurrent requests", async () => {
    const { app, admin } = await start();
    await admin.post(PATH, BEN);
    const again = await admin.post(PATH, { ...BEN, email: " BEN@Example.org" });
    expectProblem(again, 409, { code: "email_taken" });
    const responses = await Promise.all(
      ["anna@example.org", "ANNA@example.org", "Anna@EXAMPLE.ORG"].map((email) =>
        admin.post(PATH, { ...BEN, email }),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect((await rowsOf(app)).filter(({ email }) => email === "anna@example.org")).toHaveLength(1);
  });

  it("creates no user if the password can't be hashed immediately", async () => {
    const { app, admin } = await start();
    const before = await rowsOf(app);
    const response = await runWhileLoginsAreBusy(app, () => admin.post(PATH, BEN));
    expectProblem(response, 503, { code: "login_busy" });
    expect(await rowsOf(app)).toEqual(before);
  });
});

describe("PUT /api/admin/users/{userId}", () => {
  it("changes the given fields and keeps the others", async () => {
    const { app, clock, admin, user, path } = await start();
    clock.advance(60_000);
    const { status, body } = await admin.put(path, { name: " Renamed ", email: " New@Example.org " });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      revokedApiKeys: 0,
      user: {
        id: user.id,
        email: "new@example.org",
        name: "Renamed",
        role: "editor",
        permissions: ROLE_PERMISSIONS.editor,
        isActive: 1,
        isInvited: false,
        createdAt: "2026-03-01T12:00:00.000Z",
        updatedAt: "2026-03-01T12:01:00.000Z",
      },
    });
    expect((await admin.get(PATH)).body.users).toContainEqual(body.user);
    // A user who is logged in stays so, under the new name; a new log-in needs the new address.
    expect((await user.client.get("/api/auth/session")).body.user).toMatchObject({ name: "Renamed" });
    await logIn(app, "new@example.org");
    const old = await app.api.post("/api/auth/login", { email: user.email, password: PASSWORD });
    expectProblem(old, 401, { code: "wrong_credentials" });
  });

  it("rejects the e-mail of another user, and accepts the user's own", async () => {
    const { app, admin, user, path } = await start();
    await admin.post(PATH, BEN);
    const before = await rowsOf(app);
    expectProblem(await admin.put(path, { name: "New", email: "BEN@example.org" }), 409, {
      code: "email_taken",
    });
    expect(await rowsOf(app)).toEqual(before);
    expect((await admin.put(path, { email: user.email.toUpperCase() })).body.user.email).toBe(user.email);
  });

  it("changes nothing if the password can't be hashed immediately, and doesn't wait if there is none", async () => {
    const { app, admin, path } = await start();
    const before = await rowsOf(app);
    const change = { password: NEW_PASSWORD, role: "viewer" };
    const { rejected, renamed } = await runWhileLoginsAreBusy(app, async () => ({
      rejected: [await admin.put(path, change), await admin.patch(path, change)],
      renamed: await admin.put(path, { name: "editor" }),
    }));
    for (const response of rejected) expectProblem(response, 503, { code: "login_busy" });
    expect(renamed.status).toBe(200);
    expect(await rowsOf(app)).toEqual(before);
  });
});

it("DELETE /api/admin/users/{userId} deletes the user once; the e-mail address can be used again", async () => {
  const { app, admin, user, path } = await start();
  const response = await admin.delete(path);
  expect([response.status, response.body]).toEqual([200, { success: true }]);
  expect((await rowsOf(app)).map(({ id }) => id)).not.toContain(user.id);
  expectProblem(await admin.delete(path), 404, { code: "user_not_found" });
  expectProblem(await admin.delete(`${PATH}/${"x".repeat(101)}`), 404);
  expect((await admin.post(PATH, { ...BEN, email: user.email })).status).toBe(201);
});

describe("the audit log", () => {
  it("has one entry for each change, with neither e-mail, name nor hash", async () => {
    const { app, admin } = await start();
    const { id: author } = (await admin.get("/api/auth/session")).body.user;
    const { id } = (await admin.post(PATH, { ...BEN, name: "Benjamin" })).body;
    const ben = await logIn(app, BEN.email);
    const path = `${PATH}/${id}`;
    const newName = { name: "Benedict", email: "benedict@example.org" };
    await admin.put(path, { ...newName, role: "admin" });
    await admin.put(path, { password: NEW_PASSWORD, isActive: 0 });
    await admin.put(path, { isActive: 1, role: "editor" });
    expectProblem(await ben.client.get("/api/auth/session"), 401);
    const hashes = (await rowsOf(app)).map(({ passwordHash }) => passwordHash);
    await admin.delete(path);
    const masked = { before: "[masked]", after: "[masked]" };
    const lines = (await readAuditLog(app)).filter(
      ({ objectId, action }) => objectId === id && action !== "login",
    );
    for (const line of lines)
      expect(line).toMatchObject({ actorKind: "user", actorId: author, objectKind: "user" });
    expect(lines.map(({ action, objectName, changes }) => [action, objectName, changes])).toEqual([
      [
        "create",
        "editor",
        {
          email: { after: "[masked]" },
          name: { after: "[masked]" },
          passwordHash: { after: "[masked]" },
          role: { after: "editor" },
          isActive: { after: 1 },
        },
      ],
      ["update", "admin", { email: masked, name: masked, role: { before: "editor", after: "admin" } }],
      ["update", "admin", { passwordHash: masked, isActive: { before: 1, after: 0 } }],
      ["update", "editor", { isActive: { before: 0, after: 1 }, role: { before: "admin", after: "editor" } }],
      [
        "delete",
        "editor",
        {
          email: { before: "[masked]" },
          name: { before: "[masked]" },
          passwordHash: { before: "[masked]" },
          role: { before: "editor" },
          isActive: { before: 1 },
          apiKeys: { before: 0 },
        },
      ],
    ]);
    const texts = ["ben@", "benedict", "Benjamin", "Benedict", "argon2", PASSWORD, NEW_PASSWORD];
    for (const secret of [...texts, ...hashes]) {
      expect(JSON.stringify(lines)).not.toContain(secret);
    }
  });

  it("has no entry for rejected requests", async () => {
    const { app, admin, path } = await start();
    const { length } = await readAuditLog(app);
    const { body } = await admin.get("/api/auth/session");
    await admin.put(path, { email: body.user.email });
    await admin.delete(`${PATH}/${body.user.id}`);
    await admin.put(`${PATH}/nothing`, { name: "x" });
    expect(await readAuditLog(app)).toHaveLength(length);
  });
});

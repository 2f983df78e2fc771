/** Changing the password. */
import { describe, expect, it } from "vitest";
import { createSystemAuthor } from "../../src/repositories/change.ts";
import { newPassword } from "../../src/schemas/auth.schemas.ts";
import { createAccount, logIn } from "../support/accounts.ts";
import { startApp } from "../support/app.ts";
import { runWhileLoginsAreBusy } from "../support/busy-logins.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { PASSWORD } from "../support/factory.ts";

const PATH = "/api/auth/password";
const NEW_PASSWORD = "a new and even longer pass phrase";
const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };

describe("PUT /api/auth/password", () => {
  it("keeps a common password valid that was set before it counted as common", async () => {
    const app = await startApp();
    const account = { email: "ben@example.org", password: "greenbottle77" };
    expect(newPassword.safeParse(account.password).success).toBe(false);
    const { users } = app.container.services;
    await users.create(createSystemAuthor("test"), { ...account, name: "Ben", role: "viewer" });
    expect((await app.api.post("/api/auth/login", account)).status).toBe(200);
  });

  it("rejects a wrong current password, and changes nothing", async () => {
    const app = await startApp();
    const { client, email } = await createAccount(app, "viewer");
    const other = await logIn(app, email);
    const response = await client.put(PATH, { ...change, currentPassword: "not the pass phrase" });
    expectProblem(response, 400, { code: "wrong_password", errors: ["currentPassword wrong_password"] });
    expect((await other.client.get("/api/auth/session")).status).toBe(200);
    await logIn(app, email);
  });

  it("sets the new password and ends all other sessions of this user only", async () => {
    const app = await startApp();
    const { client, email, id } = await createAccount(app, "viewer");
    const others = [await logIn(app, email), await logIn(app, email)];
    const somebody = await createAccount(app, "viewer");
    const response = await client.put(PATH, change);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ success: true, revokedApiKeys: 0 });

    for (const other of others) expect((await other.client.get("/api/auth/session")).status).toBe(401);
    for (const kept of [client, somebody.client]) {
      expect((await kept.get("/api/auth/session")).status).toBe(200);
    }
    expectProblem(await app.api.post("/api/auth/login", { email, password: PASSWORD }), 401);
    await logIn(app, email, NEW_PASSWORD);
    const { read } = app.container.database;
    const user = await read.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    expect(user.passwordHash).toMatch(/^\$argon2id\$v=19\$/);
  });

  it("accepts a password exactly as typed: spaces, characters of any script, NUL", async () => {
    const app = await startApp();
    const { client, email } = await createAccount(app, "viewer");
    const newPassword = "  ключ 鍵 🔑 e\u0301\u0000  ";
    expect((await client.put(PATH, { ...change, newPassword })).status).toBe(200);
    await logIn(app, email, newPassword);
    for (const password of [
      newPassword.trim(),
      newPassword.normalize("NFC"),
      newPassword.replace("\0", ""),
    ]) {
      expect((await app.api.post("/api/auth/login", { email, password })).status).toBe(401);
    }
  });

  it("rejects log-ins that can't be served immediately", async () => {
    const app = await startApp();
    const { client, email } = await createAccount(app, "viewer");
    const response = await runWhileLoginsAreBusy(app, () => client.put(PATH, change));
    expectProblem(response, 503, { code: "login_busy" });
    await logIn(app, email);
  });
});

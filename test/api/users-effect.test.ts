/** What becomes of a user's sessions and keys when an administrator changes the user. */
import { describe, expect, it } from "vitest";
import { ROLE_PERMISSIONS } from "../../src/schemas/permissions.ts";
import { bearer, createAccount, createKey, logIn } from "../support/accounts.ts";
import { startWithAdmin, type TestApp } from "../support/app.ts";
import { readAuditLog } from "../support/audit-log.ts";
import { writeRows } from "../support/catalogue-rows.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { PASSWORD } from "../support/factory.ts";

const PATH = "/api/admin/users";
const NEW_PASSWORD = "a new and even longer pass phrase";

describe("the next request of a user reflects an administrator's change:", () => {
  const statusOf = async (client: TestApp["api"]) => (await client.get("/api/admin/books")).status;
  const sessionsOf = async ({ container: { database } }: TestApp, userId: string) =>
    database.read.selectFrom("sessions").select("id").where("userId", "=", userId).execute();

  /** The user in two sessions and with a key, and somebody whom it doesn't concern. */
  async function scene() {
    const { app, client: admin } = await startWithAdmin();
    const user = await createAccount(app);
    const other = await logIn(app, user.email);
    const { key } = await createKey(user.client);
    const keyed = app.api.with(bearer(key));
    const bystander = await createAccount(app, "editor");
    const clients = [user.client, other.client, keyed];
    const statuses = () => Promise.all(clients.map(statusOf));
    return { app, admin, user, path: `${PATH}/${user.id}`, keyed, bystander, statuses };
  }

  it("a change of role", async () => {
    const { admin, user, path, keyed, statuses } = await scene();
    expect((await user.client.get(PATH)).status).toBe(200);
    await admin.put(path, { role: "viewer" });
    expectProblem(await user.client.get(PATH), 403, { code: "permission_missing" });
    expectProblem(await keyed.post("/api/admin/books", {}), 403, { code: "permission_missing" });
    expect(await statuses()).toEqual([200, 200, 200]);
    expect((await user.client.get("/api/auth/session")).body.user).toMatchObject({
      role: "viewer",
      permissions: ROLE_PERMISSIONS.viewer,
    });
    await admin.put(path, { role: "editor" });
    expectProblem(await keyed.post("/api/admin/books", {}), 400, { code: "invalid_input" });
  });

  it("a deactivation: sessions end permanently, keys are suspended until the activation", async () => {
    const { app, admin, user, path, bystander, statuses } = await scene();
    await admin.put(path, { isActive: 0 });
    expect(await statuses()).toEqual([401, 401, 401]);
    expect(await sessionsOf(app, user.id)).toEqual([]);
    await admin.put(path, { isActive: 1 });
    expect(await statuses()).toEqual([401, 401, 200]);
    expect(await statusOf((await logIn(app, user.email)).client)).toBe(200);
    expect(await statusOf(bystander.client)).toBe(200);
  });

  it("a deactivation alone, regardless of the recorded sessions", async () => {
    const { app, user, statuses } = await scene();
    await writeRows(app, (db) =>
      db.updateTable("users").set({ isActive: 0 }).where("id", "=", user.id).execute(),
    );
    expect(await sessionsOf(app, user.id)).toHaveLength(2);
    expect(await statuses()).toEqual([401, 401, 401]);
  });

  it("a password: the old one, all sessions and the key are invalid", async () => {
    const { app, admin, user, path, bystander, statuses } = await scene();
    expect((await admin.put(path, { password: NEW_PASSWORD })).status).toBe(200);
    expect(await statuses()).toEqual([401, 401, 401]);
    const old = await app.api.post("/api/auth/login", { email: user.email, password: PASSWORD });
    expectProblem(old, 401, { code: "wrong_credentials" });
    await logIn(app, user.email, NEW_PASSWORD);
    expect(await statusOf(bystander.client)).toBe(200);
    expect(await statusOf(admin)).toBe(200);
  });

  it("a deletion: sessions and keys are deleted, and the audit log has the number of keys", async () => {
    const { app, admin, user, path, keyed, bystander, statuses } = await scene();
    const revoked = await createKey(user.client);
    await createKey(user.client);
    await user.client.delete(`/api/admin/api-keys/${revoked.id}`);
    await createKey(admin);
    await admin.delete(path);
    expect(await statuses()).toEqual([401, 401, 401]);
    expectProblem(await keyed.post("/api/admin/books", {}), 401);
    expect(await sessionsOf(app, user.id)).toEqual([]);
    expect((await admin.get("/api/admin/api-keys")).body.apiKeys).toHaveLength(1);
    const keys = await app.container.database.read.selectFrom("api_keys").select("ownerId").execute();
    expect(keys.map(({ ownerId }) => ownerId)).not.toContain(user.id);
    expect((await readAuditLog(app)).at(-1)).toMatchObject({
      action: "delete",
      changes: { apiKeys: { before: 2 } },
    });
    const attempt = { email: user.email, password: PASSWORD };
    expectProblem(await app.api.post("/api/auth/login", attempt), 401, { code: "wrong_credentials" });
    expect(await statusOf(bystander.client)).toBe(200);
  });
});

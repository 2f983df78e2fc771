/** Which API keys a new password ends. */
import { describe, expect, it } from "vitest";
import { bearer, createAccount, createKey } from "../support/accounts.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { readAuditLog } from "../support/audit-log.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { PASSWORD } from "../support/factory.ts";

const NEW_PASSWORD = "a new and even longer pass phrase";

/** Somebody with a key for the catalogue, one for both, and one that only sends in forms. */
async function scene() {
  const app = await startApp();
  const account = await createAccount(app, "admin");
  const keys = [
    await createKey(account.client),
    await createKey(account.client, { scopes: ["view_books", "submit_downloads"] }),
    await createKey(account.client, { scopes: ["submit_downloads"] }),
  ];
  return { app, ...account, admin: await app.admin(), inForce: () => inForce(app, keys) };
}

async function inForce(app: TestApp, keys: readonly { key: string }[]): Promise<boolean[]> {
  const statuses: boolean[] = [];
  for (const { key } of keys) {
    // An unknown key is 401 before anything of the body is looked at.
    const response = await app.api.with(bearer(key)).post("/api/download/submit", {});
    statuses.push(response.status !== 401);
  }
  return statuses;
}

const NONE = [true, true, true];
const CATALOGUE = [false, false, true];
const ALL = [false, false, false];

describe("PUT /api/admin/users/{userId}", () => {
  it.each([
    [{ password: NEW_PASSWORD }, 2, CATALOGUE],
    [{ password: NEW_PASSWORD, revokeApiKeys: false }, 0, NONE],
    [{ password: NEW_PASSWORD, revokeApiKeys: true }, 3, ALL],
    [{ name: "Renamed" }, 0, NONE],
    [{ name: "Renamed", revokeApiKeys: true }, 3, ALL],
  ])("with %j revokes %i keys", async (body, revokedApiKeys, left) => {
    const { app, id, admin, inForce } = await scene();
    const bystander = await createKey(admin);
    const response = await admin.put(`/api/admin/users/${id}`, body);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ success: true, user: { id }, revokedApiKeys });
    expect(await inForce()).toEqual(left);
    expect((await app.api.get("/api/admin/books", bearer(bystander.key))).status).toBe(200);
    const keys = (await admin.get("/api/admin/api-keys")).body.apiKeys;
    expect(keys.length).toBe(4 - revokedApiKeys);
  });

  it("records in the audit log how many keys are left", async () => {
    const { app, id, admin } = await scene();
    await admin.put(`/api/admin/users/${id}`, { password: NEW_PASSWORD });
    const changes = (await readAuditLog(app)).at(-1)?.changes;
    expect(JSON.stringify(changes)).toContain("apiKeys");
  });
});

describe("PUT /api/auth/password", () => {
  const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };

  it.each([
    [change, 0, NONE],
    [{ ...change, revokeApiKeys: false }, 0, NONE],
    [{ ...change, revokeApiKeys: true }, 3, ALL],
  ])("with %j revokes %i keys", async (body, revokedApiKeys, left) => {
    const { client, inForce } = await scene();
    const response = await client.put("/api/auth/password", body);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ success: true, revokedApiKeys });
    expect(await inForce()).toEqual(left);
  });

  it("revokes nothing if the current password is wrong", async () => {
    const { client, inForce } = await scene();
    const body = { ...change, currentPassword: "not the pass phrase", revokeApiKeys: true };
    expectProblem(await client.put("/api/auth/password", body), 400, { code: "wrong_password" });
    expect(await inForce()).toEqual(NONE);
  });
});

it("GET /api/admin/users/{userId} is the Location of a new user", async () => {
  const { admin } = await scene();
  const user = { email: "ben@example.org", name: "Ben", password: PASSWORD, role: "editor" };
  const added = await admin.post("/api/admin/users", user);
  expect(added.status).toBe(201);
  const found = await admin.get(added.headers.location ?? "");
  expect(found.status).toBe(200);
  expect(found.body).toEqual(added.body);
  expectProblem(await admin.get("/api/admin/users/unknown"), 404, { code: "user_not_found" });
});

/** There is always an active administrator left; and what somebody may do to their own account. */
import { describe, expect, it } from "vitest";
import type { Author } from "../../src/repositories/change.ts";
import type { UserUpdate } from "../../src/schemas/users.schemas.ts";
import { createAccount, logIn } from "../support/accounts.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { readAuditLog } from "../support/audit-log.ts";
import { dumpOf } from "../support/database-dump.ts";
import { expectProblem } from "../support/expect-problem.ts";

const NEW_PASSWORD = "a new and even longer pass phrase";
const pathOf = ({ id }: { id: string }) => `/api/admin/users/${id}`;

/** What would take an administrator away. */
const LOSSES: { name: string; change: UserUpdate | undefined }[] = [
  { name: "deleted", change: undefined },
  { name: "demoted", change: { role: "editor" } },
  { name: "switched off", change: { isActive: 0 } },
  { name: "demoted and switched off", change: { role: "viewer", isActive: 0, name: "Former" } },
];
type Loss = (typeof LOSSES)[number];

const lose = (client: TestApp["api"], user: { id: string }, { change }: Loss) =>
  change ? client.put(pathOf(user), change) : client.delete(pathOf(user));

const authorOf = ({ id }: { id: string }): Author => ({
  kind: "user",
  id,
  name: "admin",
  address: "192.0.2.1",
  requestId: "request",
});

async function activeAdmins({ container: { database } }: TestApp): Promise<string[]> {
  const rows = await database.read
    .selectFrom("users")
    .select("id")
    .where("role", "=", "admin")
    .where("isActive", "=", 1)
    .execute();
  return rows.map(({ id }) => id);
}

describe.each(LOSSES)("the last active administrator can't be $name", (loss) => {
  it("regardless of other users", async () => {
    const app = await startApp();
    const last = await createAccount(app);
    const retired = await app.make.user("admin");
    await last.client.put(pathOf(retired), { isActive: 0 });
    await app.make.user("editor");
    const before = await dumpOf(app);
    expectProblem(await lose(last.client, last, loss), 409, { code: "last_admin" });
    expect(await dumpOf(app)).toEqual(before);
    expect((await last.client.get("/api/admin/users")).status).toBe(200);
  });

  it("but another administrator can be, even by themselves", async () => {
    const app = await startApp();
    const anna = await createAccount(app);
    const ben = await createAccount(app);
    const own = await lose(anna.client, anna, loss);
    expect(own.status).toBe(200);
    expect(await activeAdmins(app)).toEqual([ben.id]);
    const isLoggedIn = loss.name === "demoted";
    expect((await anna.client.get("/api/auth/session")).status).toBe(isLoggedIn ? 200 : 401);
    expect((await anna.client.get("/api/admin/users")).status).toBe(isLoggedIn ? 403 : 401);
    expectProblem(await lose(ben.client, ben, loss), 409, { code: "last_admin" });
  });

  it("if two do it to each other concurrently", async () => {
    const app = await startApp();
    const [anna, ben] = [await app.make.user("admin"), await app.make.user("admin")];
    const { length } = await readAuditLog(app);
    // Both have been let in before either has done anything.
    const { users } = app.container.services;
    const loseBy = (by: { id: string }, { id }: { id: string }) =>
      loss.change ? users.update(authorOf(by), id, loss.change) : users.delete(authorOf(by), id);
    const results = await Promise.allSettled([loseBy(anna, ben), loseBy(ben, anna)]);
    expect(results).toMatchObject([
      { status: "fulfilled" },
      { status: "rejected", reason: { status: 409, code: "last_admin" } },
    ]);
    expect(await activeAdmins(app)).toEqual([anna.id]);
    expect(await readAuditLog(app)).toHaveLength(length + 1);
  });

  it("if two requests are concurrent", async () => {
    const app = await startApp();
    const [anna, ben] = [await createAccount(app), await createAccount(app)];
    const responses = await Promise.all([lose(anna.client, ben, loss), lose(ben.client, anna, loss)]);
    const statuses = responses.map(({ status }) => status).sort();
    // The later one has lost the session, the permission, or the race.
    expect([401, 403, 409]).toContain(statuses[1]);
    expect(statuses[0]).toBe(200);
    expect(await activeAdmins(app)).toHaveLength(1);
  });
});

describe("one's own account", () => {
  it("can be renamed and get another address, even by the last administrator", async () => {
    const app = await startApp();
    const { client, ...own } = await createAccount(app);
    const change = { name: "Anna", email: "anna@example.org", role: "admin", isActive: 1 };
    expect((await client.put(pathOf(own), change)).status).toBe(200);
    expect((await client.get("/api/auth/session")).body.user).toMatchObject({ name: "Anna" });
    await logIn(app, "anna@example.org");
  });

  it("can get a new password, which ends all its sessions, including the present one", async () => {
    const app = await startApp();
    const { client, email, ...own } = await createAccount(app);
    const other = await logIn(app, email);
    expect((await client.put(pathOf(own), { password: NEW_PASSWORD })).status).toBe(200);
    expect((await client.get("/api/auth/session")).status).toBe(401);
    expect((await other.client.get("/api/auth/session")).status).toBe(401);
    await logIn(app, email, NEW_PASSWORD);
  });
});

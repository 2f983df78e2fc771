/** Changes to users and keys by somebody who loses the right to make them while they are under way. */
import { describe, expect, it } from "vitest";
import { type Author, createSystemAuthor } from "../../src/repositories/change.ts";
import { createRecordRepositories, createWriters } from "../../src/repositories/index.ts";
import type { Services } from "../../src/services/index.ts";
import type { SessionActor } from "../../src/services/shared/actor.ts";
import { UsersService } from "../../src/services/users/users.service.ts";
import { createAccount } from "../support/accounts.ts";
import { startApp } from "../support/app.ts";
import { dumpOf } from "../support/database-dump.ts";
import { PASSWORD } from "../support/factory.ts";
import { SlowHasher } from "../support/slow-hasher.ts";

const NEW_PASSWORD = "a new and even longer pass phrase";
const ADMIN = createSystemAuthor("test");
const ACCOMPLICE = { email: "x@example.org", name: "X", password: PASSWORD, role: "admin" } as const;

/** A thief with an administrator's session, who is found out while the service hashes a password. */
async function scene() {
  const app = await startApp();
  const { users } = app.container.services;
  await app.make.user("admin");
  const victim = await app.make.user("editor");
  const thief = await createAccount(app);
  const asThief: Author = {
    kind: "user",
    id: thief.id,
    name: "admin",
    address: "192.0.2.1",
    requestId: "request",
  };
  const { database, newId } = app.container;
  const hasher = new SlowHasher();
  const slow = new UsersService({
    users: createRecordRepositories(database.read).users,
    hasher,
    links: app.container.services.passwordLinks,
    newId,
    clock: app.clock,
    change: createWriters({ database, clock: app.clock, addressStorage: "full" }).changeRecords,
  });
  return { app, users, victim, thief, asThief, hasher, slow };
}

describe.each(["demoted", "switched off", "deleted"])("a user who is %s concurrently", (end) => {
  const stop = ({ users, thief }: Awaited<ReturnType<typeof scene>>): Promise<unknown> => {
    if (end === "deleted") return users.delete(ADMIN, thief.id);
    return users.update(ADMIN, thief.id, end === "demoted" ? { role: "viewer" } : { isActive: 0 });
  };

  it.each(["makes no administrator", "sets no password"])("%s any more", async (deed) => {
    const started = await scene();
    const { app, asThief, victim, hasher, slow } = started;
    const stolen = deed.startsWith("makes")
      ? slow.create(asThief, ACCOMPLICE)
      : slow.update(asThief, victim.id, { password: NEW_PASSWORD });
    await hasher.isDone;
    await stop(started);
    const before = await dumpOf(app);
    hasher.goOn();
    await expect(stolen).rejects.toMatchObject({ status: 403, code: "permission_missing" });
    expect(await dumpOf(app)).toEqual(before);
  });
});

it.each([
  ["logged out", ({ auth }: Services, actor: SessionActor) => auth.logout(actor)],
  [
    "switched off",
    ({ users }: Services, { user }: SessionActor) => users.update(ADMIN, user.id, { isActive: 0 }),
  ],
  ["deleted", ({ users }: Services, { user }: SessionActor) => users.delete(ADMIN, user.id)],
])("a user who is %s concurrently gets no API key any more", async (_, end) => {
  const app = await startApp();
  const { services } = app.container;
  await app.make.user("admin");
  const { cookie } = await createAccount(app);
  const origin = { address: "192.0.2.1", requestId: "request" };
  const identified = await services.auth.identify(cookie.slice(cookie.indexOf("=") + 1), origin);
  if (!identified) throw new Error("A fresh session is not known");
  await end(services, identified.actor);
  const before = await dumpOf(app);
  await expect(services.apiKeys.create(identified.actor, { name: "late" })).rejects.toMatchObject({
    status: 401,
  });
  expect(await dumpOf(app)).toEqual(before);
});

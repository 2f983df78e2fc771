/** Log-ins and password changes that overlap: while a password is compared, the world goes on. */
import { expect, it } from "vitest";
import { PasswordHasher } from "../../src/adapters/password-hasher.ts";
import { type TokenPurpose, Tokens } from "../../src/adapters/tokens.ts";
import { createRecordRepositories, createWriters } from "../../src/repositories/index.ts";
import { AuthService, SideWrites } from "../../src/services/users/auth.service.ts";
import { FailedLogins, KnownDevices } from "../../src/services/users/failed-logins.ts";
import { changeUser } from "../support/accounts.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { PASSWORD } from "../support/factory.ts";
import { SlowHasher } from "../support/slow-hasher.ts";

const NEW_PASSWORD = "a new and even longer pass phrase";
const client = { address: "192.0.2.1", userAgent: "", referrer: "", requestId: "a-request" };

function authWith(app: TestApp, hasher: PasswordHasher): AuthService {
  const { database, newId } = app.container;
  const { users, sessions } = createRecordRepositories(database.read);
  const writers = createWriters({ database, clock: app.clock, addressStorage: "full" });
  const tokensFor = (purpose: TokenPurpose) =>
    new Tokens({ secret: "s".repeat(32), purpose, clock: app.clock });
  return new AuthService({
    isClockTrusted: () => true,
    users,
    sessions,
    hasher,
    newId,
    clock: app.clock,
    sessionTtlMs: 60_000,
    addressStorage: "full",
    sideWrites: new SideWrites({ log: app.container.log }),
    failedLogins: new FailedLogins({
      write: writers.writeRecords,
      clock: app.clock,
      log: app.container.log,
      addressStorage: "full",
    }),
    tokens: tokensFor("session"),
    devices: new KnownDevices({ users, tokens: tokensFor("known-device") }),
    write: writers.writeRecords,
    change: writers.changeRecords,
  });
}

async function scene() {
  const app = await startApp();
  const { id, email } = await app.make.user("viewer");
  const hasher = new SlowHasher();
  const auth = authWith(app, new PasswordHasher());
  const slow = authWith(app, hasher);
  const actorOf = async () => {
    const { session } = await auth.login({ email, password: PASSWORD }, client);
    const identified = await auth.identify(session.token, { address: client.address, requestId: "request" });
    if (!identified) throw new Error("A fresh session is not known");
    return identified.actor;
  };
  return { app, id, email, hasher, auth, slow, actorOf };
}

const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };

it("a log-in with the old password starts no session after the password has changed", async () => {
  const { app, email, hasher, auth, slow, actorOf } = await scene();
  const actor = await actorOf();
  const login = slow.login({ email, password: PASSWORD }, client);
  await hasher.isDone;
  await auth.changePassword(actor, change);
  hasher.goOn();
  await expect(login).rejects.toMatchObject({ status: 401, code: "wrong_credentials" });
  const sessions = await app.container.database.read.selectFrom("sessions").select("id").execute();
  expect(sessions).toEqual([{ id: actor.sessionId }]);
});

it("a log-in starts no session after the user has been deactivated, not even for a later activation", async () => {
  const { app, id, email, hasher, slow } = await scene();
  const login = slow.login({ email, password: PASSWORD }, client);
  await hasher.isDone;
  await changeUser(app, id, { isActive: 0 });
  hasher.goOn();
  await expect(login).rejects.toMatchObject({ status: 401, code: "wrong_credentials" });
  expect(await app.container.database.read.selectFrom("sessions").select("id").execute()).toEqual([]);
});

it("a password change does nothing once its session has ended", async () => {
  const { email, hasher, auth, slow, actorOf } = await scene();
  const thief = await actorOf();
  const owner = await actorOf();
  const stolen = slow.changePassword(thief, { ...change, newPassword: "what the thief prefers" });
  await hasher.isDone;
  await auth.changePassword(owner, change);
  hasher.goOn();
  await expect(stolen).rejects.toMatchObject({ status: 401, code: "unauthenticated" });
  await auth.login({ email, password: NEW_PASSWORD }, client);
});

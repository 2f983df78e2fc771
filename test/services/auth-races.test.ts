/** Log-ins and password changes that overlap: while a password is compared, the world goes on. */
import { expect, it } from "vitest";
import { PasswordHasher } from "../../src/adapters/password-hasher.ts";
import { Tokens } from "../../src/adapters/tokens.ts";
import { recordRepositories } from "../../src/repositories/index.ts";
import { writersOf } from "../../src/repositories/writers.ts";
import { AuthService } from "../../src/services/auth.service.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { PASSWORD } from "../support/factory.ts";

const NEW_PASSWORD = "a new and even longer pass phrase";
const client = { address: "192.0.2.1", userAgent: "", referrer: "" };

/** Compares like its parent, and then waits until it is told to go on. */
class SlowHasher extends PasswordHasher {
  readonly #compared = Promise.withResolvers<void>();
  readonly #goOn = Promise.withResolvers<void>();
  readonly hasCompared = this.#compared.promise;
  readonly goOn = this.#goOn.resolve;

  override async verify(password: string, storedHash: string | undefined): Promise<boolean> {
    const matches = await super.verify(password, storedHash);
    this.#compared.resolve();
    await this.#goOn.promise;
    return matches;
  }
}

function authWith(app: TestApp, hasher: PasswordHasher): AuthService {
  const { database, newId } = app.container;
  const { users, sessions } = recordRepositories(database.read);
  const writers = writersOf({ database, newId, clock: app.clock, addressStorage: "full" });
  return new AuthService({
    ...{ users, sessions, hasher, newId, clock: app.clock, sessionTtlMs: 60_000 },
    tokens: new Tokens({ secret: "s".repeat(32), purpose: "session", clock: app.clock }),
    write: writers.writeRecords,
    change: writers.changeRecords,
  });
}

async function scene() {
  const app = await startApp();
  const { email } = await app.make.user("viewer");
  const hasher = new SlowHasher();
  const auth = authWith(app, new PasswordHasher());
  const slow = authWith(app, hasher);
  const actorOf = async () => {
    const { session } = await auth.login({ email, password: PASSWORD }, client);
    const identified = await auth.identify(session.token, { address: client.address, requestId: "request" });
    if (!identified) throw new Error("A fresh session is not known");
    return identified.actor;
  };
  return { app, email, hasher, auth, slow, actorOf };
}

const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };

it("T4 a log-in with the old password starts no session once the password has changed", async () => {
  const { app, email, hasher, auth, slow, actorOf } = await scene();
  const actor = await actorOf();
  const login = slow.login({ email, password: PASSWORD }, client);
  await hasher.hasCompared;
  await auth.changePassword(actor, change);
  hasher.goOn();
  await expect(login).rejects.toMatchObject({ status: 401, code: "wrong_credentials" });
  const sessions = await app.container.database.read.selectFrom("sessions").select("id").execute();
  expect(sessions).toEqual([{ id: actor.sessionId }]);
});

it("T4 a password change does nothing once its session has ended", async () => {
  const { email, hasher, auth, slow, actorOf } = await scene();
  const thief = await actorOf();
  const owner = await actorOf();
  const stolen = slow.changePassword(thief, { ...change, newPassword: "whatever the thief prefers" });
  await hasher.hasCompared;
  await auth.changePassword(owner, change);
  hasher.goOn();
  await expect(stolen).rejects.toMatchObject({ status: 401, code: "unauthenticated" });
  await auth.login({ email, password: NEW_PASSWORD }, client);
});

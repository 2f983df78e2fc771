/** Log-in, sessions and passwords. A session counts only as long as its row, its user and their role allow. */
import type { Clock } from "../adapters/clock.ts";
import type { NewId } from "../adapters/ids.ts";
import type { PasswordHasher } from "../adapters/password-hasher.ts";
import type { Tokens } from "../adapters/tokens.ts";
import { badRequest, unauthorized } from "../errors.ts";
import { type AddressStorage, storedAddress } from "../lib/stored-address.ts";
import type { ChangeRecords, WriteRecords } from "../repositories/index.ts";
import type { SessionsRepository, SessionWithUser } from "../repositories/sessions.repository.ts";
import type { UserRow, UsersRepository } from "../repositories/users.repository.ts";
import type { SessionUser } from "../schemas/auth.schemas.ts";
import type { Client, Origin, SessionActor } from "./actor.ts";
import type { KnownDevice, KnownDevices } from "./known-devices.ts";
import { presentSessionUser } from "./presenters.ts";
import { userUpdate } from "./users.service.ts";

export interface SessionToken {
  token: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** A session is prolonged when this part of its life is over, so that not every request writes. */
const RENEW_AFTER = 1 / 7;
const MAX_USER_AGENT = 500;

export class AuthService {
  readonly #users: UsersRepository;
  readonly #sessions: SessionsRepository;
  readonly #write: WriteRecords;
  readonly #change: ChangeRecords;
  readonly #hasher: PasswordHasher;
  readonly #tokens: Tokens;
  readonly #devices: KnownDevices;
  readonly #newId: NewId;
  readonly #clock: Clock;
  readonly #sessionTtlMs: number;
  readonly #addressStorage: AddressStorage;

  constructor(uses: {
    users: UsersRepository;
    sessions: SessionsRepository;
    write: WriteRecords;
    change: ChangeRecords;
    hasher: PasswordHasher;
    tokens: Tokens;
    devices: KnownDevices;
    newId: NewId;
    clock: Clock;
    sessionTtlMs: number;
    addressStorage: AddressStorage;
  }) {
    this.#users = uses.users;
    this.#sessions = uses.sessions;
    this.#write = uses.write;
    this.#change = uses.change;
    this.#hasher = uses.hasher;
    this.#tokens = uses.tokens;
    this.#devices = uses.devices;
    this.#newId = uses.newId;
    this.#clock = uses.clock;
    this.#sessionTtlMs = uses.sessionTtlMs;
    this.#addressStorage = uses.addressStorage;
  }

  /** The browser behind the token that a former log-in gave it. */
  knownDevice(token: string | undefined): KnownDevice | undefined {
    return this.#devices.read(token);
  }

  /**
   * 401 after the same work whether the account is unknown, switched off or the password wrong.
   * @param formerDevice the token that a former log-in gave the browser
   */
  async login(
    { email, password }: { email: string; password: string },
    client: Client,
    formerDevice?: string,
  ): Promise<{ user: SessionUser; session: SessionToken; knownDevice: SessionToken }> {
    const row = await this.#users.findByEmail(email);
    const isRight = await this.#hasher.verify(password, row?.passwordHash);
    if (!row || !isRight || row.isActive === 0) throw wrongCredentials();
    return {
      user: presentSessionUser(row),
      session: await this.#startSession(row, client),
      knownDevice: await this.#devices.issue(row, formerDevice),
    };
  }

  /** The actor behind a session token, with a new token when it is time for one. */
  async identify(
    token: string,
    origin: Origin,
  ): Promise<{ actor: SessionActor; renewed: SessionToken | undefined } | undefined> {
    const check = this.#tokens.check(token);
    if (check.kind !== "valid") return undefined;
    const row = await this.#sessions.findWithUser(check.claims.subject);
    if (!row || row.isActive === 0 || row.expiresAt <= this.#clock.now()) return undefined;
    const age = this.#clock.now() - check.claims.issuedAt;
    const renewed = age > this.#sessionTtlMs * RENEW_AFTER ? await this.#renew(row) : undefined;
    return { actor: actorOf(row, renewed?.expiresAt ?? check.claims.expiresAt, origin), renewed };
  }

  async logout({ sessionId }: SessionActor): Promise<void> {
    await this.#write(({ sessions }) => sessions.delete(sessionId));
  }

  /**
   * Sets a new password and ends all other sessions of the user. The session must still be there when the new hash is
   * ready: whoever was logged out in the meantime changes nothing any more.
   */
  async changePassword(
    actor: SessionActor,
    { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  ): Promise<void> {
    const row = await this.#users.find(actor.user.id);
    if (!(await this.#hasher.verify(currentPassword, row?.passwordHash))) {
      throw badRequest("wrong_password", "The current password is wrong.", {
        faults: [{ in: "body", path: "currentPassword", message: "is wrong", code: "wrong_password" }],
      });
    }
    const passwordHash = await this.#hasher.hash(newPassword);
    await this.#change(actor.author, async ({ users, sessions }) => {
      const { id } = actor.user;
      const before = await users.find(id);
      if (!before || !(await sessions.findWithUser(actor.sessionId))) throw loggedOut();
      const after = await users.update(id, { passwordHash, updatedAt: this.#clock.now() });
      await sessions.deleteOthersOf(id, actor.sessionId);
      return { answer: undefined, change: userUpdate(before, after) };
    });
  }

  async #startSession(user: UserRow, { address, userAgent }: Client): Promise<SessionToken> {
    const id = this.#newId();
    const now = this.#clock.now();
    const session = this.#tokens.issue(id, this.#sessionTtlMs);
    const times = { createdAt: now, expiresAt: session.expiresAt };
    const ipAddress = storedAddress(address, this.#addressStorage);
    const client = { ipAddress, userAgent: userAgent.slice(0, MAX_USER_AGENT) };
    await this.#write(async ({ users, sessions }) => {
      // While the password was compared it may have changed, or the user been switched off; neither has ended a session
      // that wasn't there yet.
      const current = await users.find(user.id);
      const isStillRight = current?.isActive === 1 && current.passwordHash === user.passwordHash;
      if (!isStillRight) throw wrongCredentials();
      await sessions.deleteExpired(now);
      await sessions.insert({ id, userId: user.id, ...times, ...client });
    });
    return session;
  }

  /** A new token. Requests that come with the old one at the same time, or go on using it, don't write again. */
  async #renew(row: SessionWithUser): Promise<SessionToken> {
    const rest = row.expiresAt - this.#clock.now();
    if (rest >= this.#sessionTtlMs * (1 - RENEW_AFTER)) return this.#tokens.issue(row.id, rest);
    const session = this.#tokens.issue(row.id, this.#sessionTtlMs);
    await this.#write(({ sessions }) => sessions.extend(row.id, session.expiresAt));
    return session;
  }
}

const wrongCredentials = () => unauthorized("wrong_credentials", "E-mail or password is wrong.");
export const loggedOut = () => unauthorized("unauthenticated", "The session has ended.");

function actorOf(row: SessionWithUser, expiresAt: number, origin: Origin): SessionActor {
  const user = presentSessionUser({ ...row, id: row.userId });
  const author = { kind: "user", id: user.id, name: user.name, ...origin } as const;
  return { kind: "session", author, sessionId: row.id, user, permissions: user.permissions, expiresAt };
}

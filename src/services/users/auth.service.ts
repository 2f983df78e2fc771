/** Log-in, sessions and passwords. A session is valid only while its row exists and its user is active. */
import type { Logger } from "../../adapters/logger.ts";
import type { Tokens } from "../../adapters/tokens.ts";
import { detectDevice } from "../../adapters/user-agents.ts";
import { AppError, badRequest, notFound, unauthorized } from "../../errors.ts";
import { type AddressStorage, reduceAddress } from "../../lib/ip-address.ts";
import { DAY, isoTime } from "../../lib/time.ts";
import type { SessionsRepository, SessionWithUser } from "../../repositories/sessions.repository.ts";
import type { UserRow, UsersRepository } from "../../repositories/users.repository.ts";
import type { ListedSession, PasswordChangeRequest, SessionUser } from "../../schemas/auth.schemas.ts";
import type { Client, Origin, SessionActor } from "../shared/actor.ts";
import { type RecordDeps, Service } from "../shared/service.ts";
import type { FailedLogins, KnownDevice, KnownDevices } from "./failed-logins.ts";
import { presentSessionUser } from "./presenters.ts";
import { revokeKeysOf, userObject, userUpdate } from "./user-changes.ts";

export interface SessionToken {
  token: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** A session ends this long after its log-in, even if it is in use. */
const MAX_AGE_MS = 30 * DAY;
/** How old `lastSeenAt` may be before it is written again. */
const LAST_SEEN_PRECISION_MS = 60_000;
/** Limits scripts that log in repeatedly and never log out: only the most recently used sessions are kept. */
const MAX_SESSIONS = 100;
/** A session is renewed after this fraction of its lifetime, so that not every request writes. */
const RENEW_AFTER = 1 / 7;
const MAX_USER_AGENT = 500;

interface AuthServiceDeps extends Pick<RecordDeps, "write" | "change" | "hasher" | "newId" | "clock"> {
  users: UsersRepository;
  sessions: SessionsRepository;
  tokens: Tokens;
  devices: KnownDevices;
  sessionTtlMs: number;
  addressStorage: AddressStorage;
  sideWrites: SideWrites;
  /** Whether expired sessions may be deleted. */
  isClockTrusted: () => boolean;
  failedLogins: FailedLogins;
}

export class AuthService extends Service<AuthServiceDeps> {
  /** The browser that the token of an earlier log-in identifies. */
  knownDevice(token: string | undefined): Promise<KnownDevice | undefined> {
    return this.deps.devices.read(token);
  }

  /**
   * Throws 401 after the same amount of work, whether the account is unknown or deactivated or the password is wrong.
   * @param formerDevice the token that the browser received at an earlier log-in
   */
  async login(
    { email, password }: { email: string; password: string },
    client: Client & Origin,
    formerDevice?: string,
  ): Promise<{ user: SessionUser; session: SessionToken; knownDevice: SessionToken }> {
    const row = await this.deps.users.findByEmail(email);
    const isRight = await this.deps.hasher.verify(password, row?.passwordHash);
    if (!row || !isRight || row.isActive === 0) {
      const { address, requestId } = client;
      void this.deps.failedLogins.record({ user: row, address, requestId });
      throw wrongCredentials();
    }
    return {
      user: presentSessionUser(row),
      session: await this.#startSession(row, client),
      knownDevice: await this.deps.devices.issue(row, formerDevice),
    };
  }

  /** The actor of a session token, with a new token if renewal is due. */
  async identify(
    token: string,
    origin: Origin,
  ): Promise<{ actor: SessionActor; renewed: SessionToken | undefined } | undefined> {
    const check = await this.deps.tokens.check(token);
    if (check.kind !== "valid") return undefined;
    const row = await this.deps.sessions.findWithUser(check.claims.subject);
    if (!row || row.isActive === 0 || !this.#isAlive(row)) return undefined;
    const renewed = await this.#refreshSession(row, check.claims.issuedAt);
    return { actor: actorOf(row, renewed?.expiresAt ?? check.claims.expiresAt, origin), renewed };
  }

  async logout({ author, user, sessionId }: SessionActor): Promise<void> {
    await this.deps.change(author, async ({ sessions }) => {
      await sessions.delete(sessionId);
      return { response: undefined, change: { action: "logout", object: userObject(user) } };
    });
  }

  async listSessions({ user, sessionId }: SessionActor): Promise<{ sessions: ListedSession[] }> {
    const rows = (await this.deps.sessions.listOf(user.id)).filter((row) => this.#isAlive(row));
    const sessions = rows.map(({ id, createdAt, lastSeenAt, expiresAt, ipAddress, userAgent }) => {
      const { browserName, osName } = detectDevice(userAgent);
      const times = { createdAt: isoTime(createdAt), lastSeenAt: isoTime(lastSeenAt) };
      const end = Math.min(expiresAt, createdAt + MAX_AGE_MS);
      const isCurrent = id === sessionId;
      return { id, ...times, expiresAt: isoTime(end), ipAddress, browserName, osName, isCurrent };
    });
    return { sessions };
  }

  /** Throws 404 unless the session belongs to the user. */
  async endSession({ author, user }: SessionActor, sessionId: string): Promise<void> {
    await this.deps.change(author, async ({ sessions }) => {
      const wasThere = await sessions.deleteOf(user.id, sessionId);
      if (!wasThere) throw notFound("session_not_found", "Session not found.");
      return { response: undefined, change: { action: "logout", object: userObject(user) } };
    });
  }

  /**
   * Sets a new password and ends all other sessions of the user. Changes nothing if the user's own session ended while
   * the new hash was computed.
   * @returns the number of revoked API keys, if revocation was requested
   */
  async changePassword(
    actor: SessionActor,
    { currentPassword, newPassword, revokeApiKeys = false }: PasswordChangeRequest,
  ): Promise<{ revokedApiKeys: number }> {
    const row = await this.deps.users.find(actor.user.id);
    if (!(await this.deps.hasher.verify(currentPassword, row?.passwordHash))) {
      throw badRequest("wrong_password", "The current password is wrong.", {
        errors: [{ in: "body", path: "currentPassword", message: "is wrong", code: "wrong_password" }],
      });
    }
    const passwordHash = await this.deps.hasher.hash(newPassword);
    return this.deps.change(actor.author, async ({ users, sessions, apiKeys, passwordLinks }) => {
      const { id } = actor.user;
      const before = await users.find(id);
      if (!before || !(await sessions.findWithUser(actor.sessionId))) throw loggedOut();
      const now = this.deps.clock.now();
      const after = await users.update(id, { passwordHash, updatedAt: now });
      await sessions.deleteOthersOf(id, actor.sessionId);
      await passwordLinks.endAllOf(id, now);
      const keys = await revokeKeysOf(apiKeys, id, { revoked: revokeApiKeys, now });
      return {
        response: { revokedApiKeys: keys.before - keys.after },
        change: userUpdate(before, after, keys),
      };
    });
  }

  async #startSession(user: UserRow, client: Client & Origin): Promise<SessionToken> {
    const { address, userAgent, requestId } = client;
    const id = this.deps.newId();
    const now = this.deps.clock.now();
    const session = await this.deps.tokens.issue(id, Math.min(this.deps.sessionTtlMs, MAX_AGE_MS));
    const times = { createdAt: now, expiresAt: session.expiresAt, lastSeenAt: now };
    const ipAddress = reduceAddress(address, this.deps.addressStorage);
    const from = { ipAddress, userAgent: userAgent.slice(0, MAX_USER_AGENT) };
    const author = { kind: "user", id: user.id, name: user.name, address, requestId } as const;
    await this.deps.change(author, async ({ users, sessions }) => {
      // During the comparison the password may have changed or the user may have been deactivated. Neither ended this
      // session, because it didn't exist yet.
      const current = await users.find(user.id);
      const isUnchanged = current?.isActive === 1 && current.passwordHash === user.passwordHash;
      if (!isUnchanged) throw wrongCredentials();
      if (this.deps.isClockTrusted()) await sessions.deleteExpired(now);
      await sessions.insert({ id, userId: user.id, ...times, ...from });
      await sessions.deleteSurplusOf(user.id, MAX_SESSIONS);
      return { response: undefined, change: { action: "login", object: userObject(user) } };
    });
    return session;
  }

  #isAlive({ createdAt, expiresAt }: { createdAt: number; expiresAt: number }): boolean {
    return this.deps.clock.now() < Math.min(expiresAt, createdAt + MAX_AGE_MS);
  }

  /**
   * Updates `lastSeenAt` and renews the session if due, in one write.
   * @returns a new token if renewal was due and the write succeeded
   */
  async #refreshSession(row: SessionWithUser, issuedAt: number): Promise<SessionToken | undefined> {
    const now = this.deps.clock.now();
    const isDue = now - issuedAt > this.deps.sessionTtlMs * RENEW_AFTER;
    const renewed = isDue ? await this.#newToken(row) : undefined;
    const isProlonged = renewed !== undefined && renewed.expiresAt > row.expiresAt;
    if (!isProlonged && now - row.lastSeenAt < LAST_SEEN_PRECISION_MS) return renewed;
    const change = { lastSeenAt: now, ...(isProlonged && { expiresAt: renewed.expiresAt }) };
    const isWritten = await this.deps.sideWrites.attempt(() =>
      this.deps.write(({ sessions }) => sessions.refresh(row.id, change)),
    );
    return isProlonged && !isWritten ? undefined : renewed;
  }

  /** Concurrent and later requests with the old token don't renew the session again. */
  #newToken({ id, createdAt, expiresAt }: SessionWithUser): Promise<SessionToken> {
    const now = this.deps.clock.now();
    const rest = expiresAt - now;
    const isProlonged = rest >= this.deps.sessionTtlMs * (1 - RENEW_AFTER);
    const life = isProlonged ? rest : Math.min(this.deps.sessionTtlMs, createdAt + MAX_AGE_MS - now);
    return this.deps.tokens.issue(id, life);
  }
}

const wrongCredentials = () =>
  unauthorized("wrong_credentials", "The e-mail address or the password is wrong.");
export const loggedOut = () => unauthorized("unauthenticated", "The session has expired or was ended.");

function actorOf(row: SessionWithUser, expiresAt: number, origin: Origin): SessionActor {
  const user = presentSessionUser({ ...row, id: row.userId });
  const author = { kind: "user", id: user.id, name: user.name, ...origin } as const;
  return { kind: "session", author, sessionId: row.id, user, permissions: user.permissions, expiresAt };
}

const DISK_ERRORS = ["disk_full", "database_unavailable"];

export class SideWrites {
  readonly #log: Logger;
  #isDropping = false;

  constructor(deps: { log: Logger }) {
    this.#log = deps.log;
  }

  /** Runs a write that may fail on a full disk; logs only the first failure. @returns whether it succeeded */
  async attempt(write: () => Promise<unknown>): Promise<boolean> {
    try {
      await write();
      this.#isDropping = false;
      return true;
    } catch (error) {
      if (!(error instanceof AppError) || !DISK_ERRORS.includes(error.code)) throw error;
      if (!this.#isDropping) {
        this.#log.warn(
          { err: error.cause ?? error },
          "can't record the last use of sessions and keys; requests are still served",
        );
      }
      this.#isDropping = true;
      return false;
    }
  }
}

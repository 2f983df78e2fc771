/** Administrator accounts. The first one comes from the configuration or the command line; the last one stays. */
import type { PasswordHasher } from "../../adapters/password-hasher.ts";
import type { Clock, NewId } from "../../adapters/system.ts";
import { conflict, forbidden, notFound } from "../../errors.ts";
import { pickGivenFields } from "../../lib/collections.ts";
import { normalizeEmail } from "../../lib/email.ts";
import type { ApiKeysRepository } from "../../repositories/api-keys.repository.ts";
import type { Author, Change } from "../../repositories/change.ts";
import type { ChangeRecords } from "../../repositories/index.ts";
import type { UserRow, UsersRepository } from "../../repositories/users.repository.ts";
import { ROLE_PERMISSIONS, SUBMIT_SCOPE } from "../../schemas/permissions.ts";
import type { User, UserCreation, UserUpdate } from "../../schemas/users.schemas.ts";
import { presentUser, roleOf } from "./presenters.ts";

interface UsersServiceDeps {
  users: UsersRepository;
  change: ChangeRecords;
  hasher: PasswordHasher;
  newId: NewId;
  clock: Clock;
}

export class UsersService {
  readonly #deps: UsersServiceDeps;

  constructor(deps: UsersServiceDeps) {
    this.#deps = deps;
  }

  hasAny(): Promise<boolean> {
    return this.#deps.users.hasAny();
  }

  /** Creates the first user, unless another instance has done so. @returns whether this one did */
  async createFirst(by: Author, given: UserCreation): Promise<boolean> {
    const row = await this.#createRow(given);
    return this.#deps.change(by, async ({ users }) => {
      if (await users.hasAny()) return { response: false, change: undefined };
      await users.insert(row);
      return { response: true, change: { action: "create", object: userObject(row), after: row } };
    });
  }

  async list(): Promise<{ users: User[] }> {
    return { users: (await this.#deps.users.list()).map(presentUser) };
  }

  /** Throws 409 if the e-mail address is in use. */
  async create(by: Author, given: UserCreation): Promise<User> {
    const row = await this.#createRow(given);
    await this.#deps.change(by, async ({ users }) => {
      await assertPermission(users, by);
      await rejectTakenEmail(users, row);
      await users.insert(row);
      return { response: undefined, change: { action: "create", object: userObject(row), after: row } };
    });
    return presentUser(row);
  }

  async #createRow({ email, name, password, role, isActive = 1 }: UserCreation): Promise<UserRow> {
    const passwordHash = await this.#deps.hasher.hash(password);
    const now = this.#deps.clock.now();
    const times = { createdAt: now, updatedAt: now };
    const id = this.#deps.newId();
    return { id, email: normalizeEmail(email), name, role, passwordHash, isActive, ...times };
  }

  async find(id: string): Promise<User> {
    return presentUser(await userById(this.#deps.users, id));
  }

  /**
   * Deactivating a user or setting a password ends all sessions of the user. A new password also revokes the user's API
   * keys, except keys that can only submit forms, unless `revokeApiKeys` says otherwise.
   * @returns the user and the number of revoked keys
   */
  async update(
    by: Author,
    id: string,
    { password, revokeApiKeys, ...given }: UserUpdate,
  ): Promise<{ user: User; revokedApiKeys: number }> {
    const passwordHash = password === undefined ? undefined : await this.#deps.hasher.hash(password);
    const revoked = revokeApiKeys ?? (passwordHash === undefined ? false : "catalogue");
    return this.#deps.change(by, async ({ users, sessions, apiKeys }) => {
      if (passwordHash !== undefined) await assertPermission(users, by);
      const before = await userById(users, id);
      if (given.email !== undefined) await rejectTakenEmail(users, { id, email: given.email });
      const change = pickGivenFields({ ...given, passwordHash });
      const after = await users.update(id, { ...change, updatedAt: this.#deps.clock.now() });
      await assertAnAdmin(users, before);
      if (passwordHash !== undefined || after.isActive === 0) await sessions.deleteAllOf(id);
      const keys = await revokeKeysOf(apiKeys, id, { revoked, now: after.updatedAt });
      const response = { user: presentUser(after), revokedApiKeys: keys.before - keys.after };
      return { response, change: userUpdate(before, after, keys) };
    });
  }

  /**
   * For an operator on the machine itself. Throws 404 if no user has this e-mail address.
   * @param reset.keepsApiKeys whether the user's API keys stay valid; otherwise as with `update`
   * @returns the number of revoked keys
   */
  async resetPassword(
    by: Author,
    { email, password, keepsApiKeys }: { email: string; password: string; keepsApiKeys: boolean },
  ): Promise<{ revokedApiKeys: number }> {
    const user = await this.#deps.users.findByEmail(normalizeEmail(email));
    if (!user) throw notFound("user_not_found", `No user has the e-mail address ${email}.`);
    return this.update(by, user.id, { password, ...(keepsApiKeys && { revokeApiKeys: false }) });
  }

  /** Deletes the user with all sessions and API keys; the audit log records the number of revoked keys. */
  async delete(by: Author, id: string): Promise<void> {
    await this.#deps.change(by, async ({ users, apiKeys }) => {
      const user = await userById(users, id);
      const before = { ...user, apiKeys: await apiKeys.countOf(id) };
      await users.delete(id);
      await assertAnAdmin(users, user);
      return { response: undefined, change: { action: "delete", object: userObject(user), before } };
    });
  }
}

/** The audit log identifies accounts by id and role, because names and addresses are personal data. */
export const userObject = ({ id, role }: { id: string; role: string }) =>
  ({ kind: "user", id, name: role }) as const;

/** @param keys number of the user's API keys before and after */
export const userUpdate = (
  before: UserRow,
  after: UserRow,
  keys: { before: number; after: number },
): Change => ({
  action: "update",
  object: userObject(after),
  before: { ...before, apiKeys: keys.before },
  after: { ...after, apiKeys: keys.after },
});

/**
 * Revokes API keys of a user whose password changes.
 * @param revoked all, none, or `catalogue`: all except keys that can only submit forms
 * @returns the number of keys before and after
 */
export async function revokeKeysOf(
  apiKeys: ApiKeysRepository,
  userId: string,
  { revoked, now }: { revoked: boolean | "catalogue"; now: number },
): Promise<{ before: number; after: number }> {
  const before = await apiKeys.countOf(userId);
  if (revoked === false) return { before, after: before };
  const spared = revoked === "catalogue" ? SUBMIT_SCOPE : undefined;
  return { before, after: before - (await apiKeys.revokeAllOf(userId, now, spared)) };
}

/** Computing a hash takes a while: the actor may have lost the permission to manage users since. */
async function assertPermission(users: UsersRepository, by: Author): Promise<void> {
  if (by.kind !== "user" || by.id === null) return;
  const author = await users.find(by.id);
  if (author?.isActive === 1 && ROLE_PERMISSIONS[roleOf(author)].includes("manage_users")) return;
  throw forbidden("permission_missing", "You no longer have the permission to manage users.");
}

async function userById(users: UsersRepository, id: string): Promise<UserRow> {
  const row = await users.find(id);
  if (!row) throw notFound("user_not_found", "User not found.");
  return row;
}

async function rejectTakenEmail(users: UsersRepository, { id, email }: Pick<UserRow, "id" | "email">) {
  const other = await users.findByEmail(email);
  if (other && other.id !== id) throw conflict("email_taken", "Another user has this e-mail address.");
}

/**
 * Throws, and so rolls back the change, if no active administrator is left.
 * @param before the user before the change
 */
async function assertAnAdmin(users: UsersRepository, before: UserRow): Promise<void> {
  const wasOne = before.role === "admin" && before.isActive === 1;
  if (!wasOne || (await users.hasActive("admin"))) return;
  throw conflict("last_admin", "This is the last active administrator. Create another one first.");
}

/** Administrator accounts. The first one comes from the configuration or the command line; the last one stays. */
import { conflict, forbidden, notFound } from "../../errors.ts";
import { pickGivenFields } from "../../lib/collections.ts";
import { normalizeEmail } from "../../lib/email.ts";
import type { Author } from "../../repositories/change.ts";
import type { RecordRepositories } from "../../repositories/index.ts";
import type { UserRow, UsersRepository } from "../../repositories/users.repository.ts";
import { ROLE_PERMISSIONS } from "../../schemas/permissions.ts";
import type { User, UserCreation, UserUpdate } from "../../schemas/users.schemas.ts";
import { invalidField, needsLetters } from "../shared/catalogue-lookup.ts";
import { type RecordDeps, Service } from "../shared/service.ts";
import type { PasswordLinksService } from "./password-links.service.ts";
import { presentUser, roleOf } from "./presenters.ts";
import { recordedUser, revokeKeysOf, userObject, userUpdate } from "./user-changes.ts";

interface UsersServiceDeps extends Pick<RecordDeps, "change" | "hasher" | "newId" | "clock"> {
  users: UsersRepository;
  links: Pick<PasswordLinksService, "isMailOn" | "invite">;
}

export class UsersService extends Service<UsersServiceDeps> {
  hasAny(): Promise<boolean> {
    return this.deps.users.hasAny();
  }

  /** Creates the first user, unless another instance has done so. @returns whether this one did */
  async createFirst(by: Author, given: UserCreation): Promise<boolean> {
    const row = await this.#createRow(given);
    return this.deps.change(by, async ({ users }) => {
      if (await users.hasAny()) return { response: false, change: undefined };
      await users.insert(row);
      return {
        response: true,
        change: { action: "create", object: userObject(row), after: recordedUser(row) },
      };
    });
  }

  async list(): Promise<{ users: User[] }> {
    return { users: (await this.deps.users.list()).map(presentUser) };
  }

  /** Without a password, the user is invited by a letter. Throws 409 if the e-mail address is in use. */
  async create(by: Author, given: UserCreation, languages: readonly string[] = []): Promise<User> {
    const isInvited = given.password === undefined;
    if (isInvited) this.#assertMail();
    const row = await this.#createRow(given);
    await this.deps.change(by, async (repositories) => {
      const { users } = repositories;
      await assertPermission(users, by);
      await rejectTakenEmail(users, row);
      await users.insert(row);
      if (isInvited) await this.#invite(repositories, { user: row, languages });
      return {
        response: undefined,
        change: { action: "create", object: userObject(row), after: recordedUser(row) },
      };
    });
    return presentUser(row);
  }

  async #createRow({ email, name, password, role, isActive = 1 }: UserCreation): Promise<UserRow> {
    const { hasher, clock, newId } = this.deps;
    const passwordHash = password === undefined ? hasher.createUnknown() : await hasher.hash(password);
    const now = clock.now();
    const times = { invitedAt: password === undefined ? now : null, createdAt: now, updatedAt: now };
    return { id: newId(), email: normalizeEmail(email), name, role, passwordHash, isActive, ...times };
  }

  async find(id: string): Promise<User> {
    return presentUser(await userById(this.deps.users, id));
  }

  /**
   * Deactivating a user or setting a password ends all sessions of the user. A new password also revokes the user's API
   * keys, except keys that can only submit forms, unless `revokeApiKeys` says otherwise. Links of letters end with each of
   * these, with another e-mail address and with another invitation.
   * @returns the user and the number of revoked keys
   */
  async update(
    by: Author,
    id: string,
    { password, revokeApiKeys, invite = false, ...given }: UserUpdate,
    languages: readonly string[] = [],
  ): Promise<{ user: User; revokedApiKeys: number }> {
    if (invite) this.#assertMail();
    const passwordHash = password === undefined ? undefined : await this.deps.hasher.hash(password);
    const hasPassword = passwordHash !== undefined;
    const revoked = revokeApiKeys ?? (hasPassword ? "catalogue" : false);
    return this.deps.change(by, async (repositories) => {
      const { users, apiKeys } = repositories;
      if (hasPassword) await assertPermission(users, by);
      const before = await userById(users, id);
      if (given.email !== undefined) await rejectTakenEmail(users, { id, email: given.email });
      const updatedAt = this.deps.clock.now();
      const invitedAt = invite ? updatedAt : hasPassword ? null : undefined;
      const change = pickGivenFields({ ...given, passwordHash, invitedAt });
      const after = await users.update(id, { ...change, updatedAt });
      await assertAnAdmin(users, before);
      await endAccess(repositories, { before, after, hasPassword, invite });
      if (invite) await this.#invite(repositories, { user: after, before, languages });
      const keys = await revokeKeysOf(apiKeys, id, { revoked, now: updatedAt });
      const response = { user: presentUser(after), revokedApiKeys: keys.before - keys.after };
      return { response, change: userUpdate(before, after, keys) };
    });
  }

  #assertMail(): void {
    if (!this.deps.links.isMailOn) throw needsLetters("invite", "needs letters and the console");
  }

  /**
   * @param to.before the user before the change, if it isn't a new one
   * @param to.languages codes of languages by preference, for the letter
   */
  async #invite(
    repositories: RecordRepositories,
    { user, before, languages }: { user: UserRow; before?: UserRow; languages: readonly string[] },
  ): Promise<void> {
    if (before && before.invitedAt === null)
      throw conflict("password_already_set", "The user has a password, so there is nothing to invite to.");
    if (user.isActive === 0) throw invalidField("invite", "needs an active account", "inactive_account");
    const isSent = await this.deps.links.invite(repositories, user.id, languages);
    if (!isSent) throw conflict("too_many_letters", "The user has got three letters within a day.");
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
    const user = await this.deps.users.findByEmail(normalizeEmail(email));
    if (!user) throw notFound("user_not_found", `No user has the e-mail address ${email}.`);
    return this.update(by, user.id, { password, ...(keepsApiKeys && { revokeApiKeys: false }) });
  }

  /** Deletes the user with all sessions and API keys; the audit log records the number of revoked keys. */
  async delete(by: Author, id: string): Promise<void> {
    await this.deps.change(by, async ({ users, apiKeys }) => {
      const user = await userById(users, id);
      const before = { ...recordedUser(user), apiKeys: await apiKeys.countOf(id) };
      await users.delete(id);
      await assertAnAdmin(users, user);
      return { response: undefined, change: { action: "delete", object: userObject(user), before } };
    });
  }
}

/** Computing a hash takes a while: the actor may have lost the permission to manage users since. */
async function assertPermission(users: UsersRepository, by: Author): Promise<void> {
  if (by.kind !== "user" || by.id === null) return;
  const author = await users.find(by.id);
  if (author?.isActive === 1 && ROLE_PERMISSIONS[roleOf(author)].includes("manage_users")) return;
  throw forbidden("permission_missing", "You no longer have the permission to manage users.");
}

/** Ends the sessions and the links of letters that a change of the account makes invalid. */
async function endAccess(
  { sessions, passwordLinks }: Pick<RecordRepositories, "sessions" | "passwordLinks">,
  { before, after, ...how }: { before: UserRow; after: UserRow; hasPassword: boolean; invite: boolean },
): Promise<void> {
  const isClosed = how.hasPassword || after.isActive === 0;
  if (isClosed) await sessions.deleteAllOf(after.id);
  if (isClosed || how.invite || after.email !== before.email)
    await passwordLinks.endAllOf(after.id, after.updatedAt);
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

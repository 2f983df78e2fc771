/** Links of letters with which users set a password: of an invitation, or after a forgotten password. */
import type { Tokens } from "../../adapters/tokens.ts";
import { gone, notFound } from "../../errors.ts";
import { DAY, isoTime } from "../../lib/time.ts";
import type { RecordRepositories } from "../../repositories/index.ts";
import type { LinkLetterKind } from "../../repositories/letters.repository.ts";
import type {
  PasswordLinksRepository,
  PasswordLinkWithUser,
} from "../../repositories/password-links.repository.ts";
import type { PasswordReset } from "../../schemas/auth.schemas.ts";
import type { Origin } from "../shared/actor.ts";
import { type RecordDeps, Service } from "../shared/service.ts";
import { revokeKeysOf, userUpdate } from "./user-changes.ts";

/** How long a link can be used. */
const LIFE_MS = DAY;
/** Links of a user in a day: more would fill a mailbox. */
const MAX_A_DAY = 3;

/** More languages, or longer codes, aren't kept for a letter. */
const MAX_LANGUAGES = 5;
const MAX_CODE = 35;

interface PasswordLinksDeps extends Pick<RecordDeps, "write" | "change" | "hasher" | "newId" | "clock"> {
  passwordLinks: PasswordLinksRepository;
  tokens: Tokens;
  /** Whether the service sends letters, and has the page to which their links lead. */
  isMailOn: boolean;
}

/** What a letter says of a link. */
export interface LinkLetter {
  email: string;
  isInvitation: boolean;
  token: string;
  expiresAt: number;
}

export class PasswordLinksService extends Service<PasswordLinksDeps> {
  get isMailOn(): boolean {
    return this.deps.isMailOn;
  }

  /**
   * Sends a letter to an active user with a password who has this address, and does the same work without one, so that
   * neither the response nor its time reveals an account.
   * @param languages codes of languages by preference, for the letter
   */
  async request(email: string, languages: readonly string[]): Promise<void> {
    if (!this.isMailOn) throw notFound("no_letters", "This service sends no letters. Ask an administrator.");
    const link = this.#newLink();
    await this.deps.write(async ({ passwordLinks, letters }) => {
      await passwordLinks.addForEmail(email, link);
      await letters.addForLink(letterOf("letter.reset", link, languages));
      await passwordLinks.countRequest(link.now);
    });
  }

  /**
   * Adds a link and its letter in the transaction of a change.
   * @returns false if the user has got as many as a day allows
   */
  async invite(
    { passwordLinks, letters }: Pick<RecordRepositories, "passwordLinks" | "letters">,
    userId: string,
    languages: readonly string[],
  ): Promise<boolean> {
    const link = this.#newLink();
    const isAdded = await passwordLinks.addForUser(userId, link);
    if (isAdded) await letters.addForLink(letterOf("letter.invitation", link, languages));
    return isAdded;
  }

  /** What the letter of a link says; undefined if the link can't be used any more. */
  async describe(linkId: string): Promise<LinkLetter | undefined> {
    const found = await this.deps.passwordLinks.findWithUser(linkId);
    const now = this.deps.clock.now();
    if (!found || !isOpen(found, now)) return undefined;
    const { token } = await this.deps.tokens.issue(linkId, found.expiresAt - now);
    return { token, email: found.email, isInvitation: isInvitation(found), expiresAt: found.expiresAt };
  }

  /** Throws 404 for an unknown token, and 410 for one that has expired, was used or ended with a change. */
  async show(token: string): Promise<PasswordReset> {
    const { email, name, expiresAt, ...found } = await this.#find(token);
    return { email, name, isInvitation: isInvitation(found), expiresAt: isoTime(expiresAt) };
  }

  /**
   * Sets the password, once: ends all sessions and links of the user, and revokes the API keys except those that can only
   * submit forms. Throws as `show` does.
   */
  async setPassword(token: string, newPassword: string, origin: Origin): Promise<void> {
    const { id, userId, name } = await this.#find(token);
    const passwordHash = await this.deps.hasher.hash(newPassword);
    const author = { kind: "user", id: userId, name, ...origin } as const;
    await this.deps.change(author, async ({ users, sessions, apiKeys, passwordLinks }) => {
      const now = this.deps.clock.now();
      // Another request may have used it while the hash was computed.
      const link = assertOpen(await passwordLinks.findWithUser(id), now);
      const before = await users.find(link.userId);
      if (!before) throw unknownLink();
      await passwordLinks.endAllOf(before.id, now);
      const after = await users.update(before.id, { passwordHash, invitedAt: null, updatedAt: now });
      await sessions.deleteAllOf(before.id);
      const keys = await revokeKeysOf(apiKeys, before.id, { revoked: "catalogue", now });
      return { response: undefined, change: userUpdate(before, after, keys) };
    });
  }

  async #find(token: string): Promise<PasswordLinkWithUser> {
    const { tokens, passwordLinks, clock } = this.deps;
    const check = await tokens.check(token);
    if (check.kind === "refused") throw unknownLink();
    if (check.kind === "expired") throw expiredLink();
    return assertOpen(await passwordLinks.findWithUser(check.claims.subject), clock.now());
  }

  #newLink() {
    const now = this.deps.clock.now();
    return { id: this.deps.newId(), now, expiresAt: now + LIFE_MS, max: MAX_A_DAY, since: now - DAY };
  }
}

const letterOf = (
  kind: LinkLetterKind,
  { id, now }: { id: string; now: number },
  languages: readonly string[],
) => ({
  kind,
  linkId: id,
  at: now,
  languages: languages.filter(({ length }) => length <= MAX_CODE).slice(0, MAX_LANGUAGES),
});

const isInvitation = ({ invitedAt }: { invitedAt: number | null }): boolean => invitedAt !== null;

const isOpen = ({ endedAt, expiresAt, isActive }: PasswordLinkWithUser, now: number): boolean =>
  endedAt === null && now < expiresAt && isActive === 1;

function assertOpen(link: PasswordLinkWithUser | undefined, now: number): PasswordLinkWithUser {
  if (!link) throw unknownLink();
  if (!isOpen(link, now)) throw expiredLink();
  return link;
}

const unknownLink = () => notFound("reset_unknown", "The link isn't valid.");
const expiredLink = () => gone("reset_expired", "The link has expired or was used. Request another letter.");

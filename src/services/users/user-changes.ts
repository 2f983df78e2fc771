/** What changes of users have in common: their entry in the audit log, and the keys that a new password revokes. */
import type { ApiKeysRepository } from "../../repositories/api-keys.repository.ts";
import type { Change } from "../../repositories/change.ts";
import type { UserRow } from "../../repositories/users.repository.ts";
import { SUBMIT_SCOPE } from "../../schemas/permissions.ts";

/** The audit log identifies accounts by id and role, because names and addresses are personal data. */
export const userObject = ({ id, role }: { id: string; role: string }) =>
  ({ kind: "user", id, name: role }) as const;

/** A user as the log has one that is created or deleted: without an invitation, nothing is said of it. */
export const recordedUser = ({ invitedAt, ...user }: UserRow) => ({
  ...user,
  ...(invitedAt !== null && { invitedAt }),
});

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

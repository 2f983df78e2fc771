/** Maps users and API keys to API objects. */
import { isoTime, isoTimeOrNull } from "../../lib/time.ts";
import type { ApiKeyWithOwner } from "../../repositories/api-keys.repository.ts";
import type { UserRow } from "../../repositories/users.repository.ts";
import type { ApiKey } from "../../schemas/api-keys.schemas.ts";
import type { SessionUser } from "../../schemas/auth.schemas.ts";
import {
  API_KEY_SCOPES,
  type ApiKeyScope,
  ROLE_PERMISSIONS,
  ROLES,
  type Role,
} from "../../schemas/permissions.ts";
import { type User, user } from "../../schemas/users.schemas.ts";
import { parseWord, timesOf } from "../shared/stored-values.ts";

export function presentSessionUser(row: Pick<UserRow, "id" | "email" | "name" | "role">): SessionUser {
  const role = roleOf(row);
  return { id: row.id, email: row.email, name: row.name, role, permissions: [...ROLE_PERMISSIONS[role]] };
}

export const presentUser = (row: UserRow): User =>
  user.encode({ ...row, ...timesOf(row), ...presentSessionUser(row), isInvited: row.invitedAt !== null });

export const presentApiKey = (row: ApiKeyWithOwner): ApiKey => ({
  id: row.id,
  name: row.name,
  keyPrefix: row.keyPrefix,
  expiresAt: isoTimeOrNull(row.expiresAt),
  createdAt: isoTime(row.createdAt),
  scopes: scopesOf(row),
  lastUsedAt: isoTimeOrNull(row.lastUsedAt),
  createdBy: row.ownerEmail,
});

export const roleOf = (row: { role: string }): Role => parseWord(ROLES, row.role);
export const scopesOf = (row: { scopes: string }): ApiKeyScope[] =>
  row.scopes.split(" ").map((scope) => parseWord(API_KEY_SCOPES, scope));

/** Who may come in: users, sessions and API keys. */
import type { Flag } from "./flag.ts";

export interface UsersTable {
  id: string;
  /** Lower case; unique. */
  email: string;
  name: string;
  role: string;
  /** PHC string of argon2id. */
  passwordHash: string;
  isActive: Flag;
  createdAt: number;
  updatedAt: number;
}

export interface SessionsTable {
  id: string;
  userId: string;
  createdAt: number;
  expiresAt: number;
  /** Some minute's precision is enough: not every request writes. */
  lastSeenAt: number;
  ipAddress: string | null;
  userAgent: string;
}

export interface ApiKeysTable {
  id: string;
  name: string;
  /** SHA-256 of the key in hex; the key itself is never stored. */
  keyHash: string;
  keyPrefix: string;
  /** Permissions, separated by blanks. */
  scopes: string;
  ownerId: string;
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
  revokedAt: number | null;
}

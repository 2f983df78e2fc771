/** API keys: shown once, stored as a hash, and never with more permissions than their owner currently has. */
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { BASE62, randomBase62 } from "../../adapters/system.ts";
import { notFound } from "../../errors.ts";
import { isoTime, isoTimeOrNull } from "../../lib/time.ts";
import type { ApiKeysRepository, ApiKeyWithOwner } from "../../repositories/api-keys.repository.ts";
import type { Author } from "../../repositories/change.ts";
import type { ApiKey, ApiKeyCreation } from "../../schemas/api-keys.schemas.ts";
import {
  API_KEY_SCOPES,
  type ApiKeyScope,
  CATALOGUE_SCOPES,
  type Permission,
  ROLE_PERMISSIONS,
  SUBMIT_SCOPE,
} from "../../schemas/permissions.ts";
import type { ApiKeyActor, Origin, SessionActor } from "../shared/actor.ts";
import { invalidField } from "../shared/catalogue-lookup.ts";
import { type RecordDeps, Service } from "../shared/service.ts";
import { loggedOut, type SideWrites } from "./auth.service.ts";
import { presentApiKey, roleOf, scopesOf } from "./presenters.ts";

const PREFIX_CHARACTERS = 12;
const RANDOM_CHARACTERS = 40;
/** `lastUsedAt` is written again only when it is older than this. */
const LAST_USED_PRECISION_MS = 60_000;

interface ApiKeysServiceDeps extends Pick<RecordDeps, "write" | "change" | "newId" | "clock"> {
  apiKeys: ApiKeysRepository;
  sideWrites: SideWrites;
}

export class ApiKeysService extends Service<ApiKeysServiceDeps> {
  async list(): Promise<{ apiKeys: ApiKey[] }> {
    return { apiKeys: (await this.deps.apiKeys.list()).map(presentApiKey) };
  }

  /** The key appears in this response only. */
  async create(owner: SessionActor, { name, expiresAt, scopes = [...CATALOGUE_SCOPES] }: ApiKeyCreation) {
    const now = this.deps.clock.now();
    if (expiresAt !== undefined && expiresAt <= now)
      throw invalidField("expiresAt", "must be in the future", "expiry_in_past");
    const key = newKey();
    const row = {
      id: this.deps.newId(),
      name,
      keyHash: hashOf(key),
      keyPrefix: key.slice(0, PREFIX_CHARACTERS),
      scopes: API_KEY_SCOPES.filter((scope) => scopes.includes(scope)).join(" "),
      ownerId: owner.user.id,
      createdAt: now,
      expiresAt: expiresAt ?? null,
      lastUsedAt: null,
      revokedAt: null,
    };
    await this.deps.change(owner.author, async ({ sessions, apiKeys }) => {
      // The session may have ended since authentication, or its user may have been deleted.
      if (!(await sessions.findWithUser(owner.sessionId))) throw loggedOut();
      await apiKeys.insert(row);
      return { response: undefined, change: { action: "create", object: keyObject(row), after: row } };
    });
    return {
      id: row.id,
      name,
      key,
      keyPrefix: row.keyPrefix,
      expiresAt: isoTimeOrNull(row.expiresAt),
      createdAt: isoTime(now),
      scopes: scopesOf(row),
    };
  }

  async revoke(by: Author, id: string): Promise<void> {
    await this.deps.change(by, async ({ apiKeys }) => {
      const before = await apiKeys.find(id);
      if (!before) throw notFound("api_key_not_found", "API key not found.");
      const revokedAt = this.deps.clock.now();
      await apiKeys.update(id, { revokedAt });
      const after = { ...before, revokedAt };
      return { response: undefined, change: { action: "delete", object: keyObject(before), before, after } };
    });
  }

  /**
   * The actor of an API key; undefined if the key is malformed, unknown, expired or revoked, or its owner is
   * deactivated.
   */
  async identify(presented: string, origin: Origin): Promise<ApiKeyActor | undefined> {
    if (!hasApiKeyShape(presented)) return undefined;
    const row = await this.deps.apiKeys.findByHash(hashOf(presented));
    const now = this.deps.clock.now();
    if (!row || row.ownerIsActive === 0 || (row.expiresAt !== null && row.expiresAt <= now)) return undefined;
    if (row.lastUsedAt === null || now - row.lastUsedAt >= LAST_USED_PRECISION_MS) {
      await this.deps.sideWrites.attempt(() => this.deps.write(({ apiKeys }) => apiKeys.touch(row.id, now)));
    }
    const { id, name, ownerId } = row;
    const author = { kind: "apiKey", id, name, ...origin } as const;
    return { kind: "apiKey", author, ownerId, keyId: id, name, permissions: permissionsOf(row) };
  }
}

function newKey(): string {
  const random = randomBase62(RANDOM_CHARACTERS);
  return `bds_${random}${apiKeyChecksum(random)}`;
}

const keyObject = ({ id, name }: { id: string; name: string }) => ({ kind: "apiKey", id, name }) as const;

const hashOf = (key: string): string => createHash("sha256").update(key).digest("hex");

/** Catalogue scopes are limited to the owner's current permissions. */
function permissionsOf(row: ApiKeyWithOwner): ApiKeyScope[] {
  const owners: readonly Permission[] = ROLE_PERMISSIONS[roleOf({ role: row.ownerRole })];
  return scopesOf(row).filter((scope) => scope === SUBMIT_SCOPE || owners.includes(scope));
}

const CHECKSUM_LENGTH = 6;
const SHAPE = /^bds_([0-9A-Za-z]{40})([0-9A-Za-z]{6})$/;

/**
 * The CRC-32 of the random part as 6 base62 characters, most significant first; 62^6 is above 2^32, so it always fits.
 */
export function apiKeyChecksum(random: string): string {
  let rest = crc32(random);
  let checksum = "";
  while (checksum.length < CHECKSUM_LENGTH) {
    checksum = BASE62.charAt(rest % BASE62.length) + checksum;
    rest = Math.floor(rest / BASE62.length);
  }
  return checksum;
}

/** Whether a text has the format of an API key. Rejects typing errors and random guesses before any lookup. */
function hasApiKeyShape(key: string): boolean {
  const [, random, checksum] = SHAPE.exec(key) ?? [];
  return random !== undefined && checksum === apiKeyChecksum(random);
}

/** API keys, looked up by the hash of the presented key. */
import type { Selectable } from "kysely";
import { allOf, type Schema } from "../db/schema.ts";
import { countSelectedRows, repositoryOf } from "./repository.ts";

export interface ApiKeyWithOwner extends Selectable<Schema["api_keys"]> {
  ownerEmail: string;
  ownerRole: string;
  ownerIsActive: 0 | 1;
}

export class ApiKeysRepository extends repositoryOf("api_keys") {
  #withOwner() {
    return this.db
      .selectFrom("api_keys")
      .innerJoin("users", "users.id", "api_keys.ownerId")
      .select(allOf("api_keys"))
      .select(["users.email as ownerEmail", "users.role as ownerRole", "users.isActive as ownerIsActive"])
      .where("api_keys.revokedAt", "is", null);
  }

  /** Finds a key unless it is revoked. */
  override find(id: string): Promise<Schema["api_keys"] | undefined> {
    return this.db
      .selectFrom("api_keys")
      .select(allOf("api_keys"))
      .where("id", "=", id)
      .where("revokedAt", "is", null)
      .executeTakeFirst();
  }

  findByHash(keyHash: string): Promise<ApiKeyWithOwner | undefined> {
    return this.#withOwner().where("api_keys.keyHash", "=", keyHash).executeTakeFirst();
  }

  list(): Promise<ApiKeyWithOwner[]> {
    return this.#withOwner().orderBy("api_keys.createdAt").orderBy("api_keys.id").execute();
  }

  /** Number of a user's keys that aren't revoked. */
  countOf(ownerId: string): Promise<number> {
    const keys = this.db.selectFrom("api_keys").where("ownerId", "=", ownerId);
    return countSelectedRows(keys.where("revokedAt", "is", null));
  }

  /** @param spared keys with exactly these scopes aren't revoked @returns the number of revoked keys */
  async revokeAllOf(ownerId: string, now: number, spared?: string): Promise<number> {
    let query = this.db
      .updateTable("api_keys")
      .set({ revokedAt: now })
      .where("ownerId", "=", ownerId)
      .where("revokedAt", "is", null);
    if (spared !== undefined) query = query.where("scopes", "<>", spared);
    const { numUpdatedRows } = await query.executeTakeFirst();
    return Number(numUpdatedRows);
  }

  async touch(id: string, now: number): Promise<void> {
    await this.db.updateTable("api_keys").set({ lastUsedAt: now }).where("id", "=", id).execute();
  }
}

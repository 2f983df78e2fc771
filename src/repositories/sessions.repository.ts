/** Log-in sessions. A session token is valid only while its row exists. */
import type { Selectable, Updateable } from "kysely";
import { allOf, type Schema } from "../db/schema.ts";
import { repositoryOf } from "./repository.ts";

export type SessionWithUser = Schema["sessions"] &
  Pick<Schema["users"], "email" | "name" | "role" | "isActive">;

type SessionRow = Selectable<Schema["sessions"]>;

export class SessionsRepository extends repositoryOf("sessions") {
  findWithUser(id: string): Promise<SessionWithUser | undefined> {
    return this.db
      .selectFrom("sessions")
      .innerJoin("users", "users.id", "sessions.userId")
      .select(allOf("sessions"))
      .select(["users.email", "users.name", "users.role", "users.isActive"])
      .where("sessions.id", "=", id)
      .executeTakeFirst();
  }

  /** Does nothing if the session has ended since. */
  async refresh(id: string, change: Updateable<Schema["sessions"]>): Promise<void> {
    await this.db.updateTable("sessions").set(change).where("id", "=", id).execute();
  }

  /** The sessions of a user, most recently used first. */
  listOf(userId: string): Promise<SessionRow[]> {
    return this.db
      .selectFrom("sessions")
      .select(allOf("sessions"))
      .where("userId", "=", userId)
      .orderBy("lastSeenAt", "desc")
      .orderBy("id", "desc")
      .execute();
  }

  /** @returns whether the user had this session */
  async deleteOf(userId: string, id: string): Promise<boolean> {
    const { numDeletedRows } = await this.db
      .deleteFrom("sessions")
      .where("userId", "=", userId)
      .where("id", "=", id)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }

  /** Ends all sessions of a user except the most recently used ones. */
  async deleteSurplusOf(userId: string, kept: number): Promise<void> {
    const latest = this.db
      .selectFrom("sessions")
      .select("id")
      .where("userId", "=", userId)
      .orderBy("lastSeenAt", "desc")
      .orderBy("id", "desc")
      .limit(kept);
    await this.db.deleteFrom("sessions").where("userId", "=", userId).where("id", "not in", latest).execute();
  }

  async deleteAllOf(userId: string): Promise<void> {
    await this.db.deleteFrom("sessions").where("userId", "=", userId).execute();
  }

  async deleteOthersOf(userId: string, keptId: string): Promise<void> {
    await this.db.deleteFrom("sessions").where("userId", "=", userId).where("id", "<>", keptId).execute();
  }

  async deleteExpired(now: number): Promise<void> {
    await this.db.deleteFrom("sessions").where("expiresAt", "<=", now).execute();
  }
}

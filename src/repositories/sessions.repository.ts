/** Log-in sessions; a token counts only as long as its row is here. */
import type { Insertable } from "kysely";
import type { Db } from "../db/kysely.ts";
import type { SessionsTable } from "../db/schema.ts";

export interface SessionWithUser {
  id: string;
  createdAt: number;
  expiresAt: number;
  userId: string;
  email: string;
  name: string;
  role: string;
  isActive: 0 | 1;
}

export class SessionsRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  findWithUser(id: string): Promise<SessionWithUser | undefined> {
    return this.#db
      .selectFrom("sessions")
      .innerJoin("users", "users.id", "sessions.userId")
      .select([
        "sessions.id",
        "sessions.createdAt",
        "sessions.expiresAt",
        "sessions.userId",
        "users.email",
        "users.name",
        "users.role",
        "users.isActive",
      ])
      .where("sessions.id", "=", id)
      .executeTakeFirst();
  }

  async insert(row: Insertable<SessionsTable>): Promise<void> {
    await this.#db.insertInto("sessions").values(row).execute();
  }

  async extend(id: string, expiresAt: number): Promise<void> {
    await this.#db.updateTable("sessions").set({ expiresAt }).where("id", "=", id).execute();
  }

  async delete(id: string): Promise<void> {
    await this.#db.deleteFrom("sessions").where("id", "=", id).execute();
  }

  async deleteAllOf(userId: string): Promise<void> {
    await this.#db.deleteFrom("sessions").where("userId", "=", userId).execute();
  }

  async deleteOthersOf(userId: string, keptId: string): Promise<void> {
    await this.#db.deleteFrom("sessions").where("userId", "=", userId).where("id", "<>", keptId).execute();
  }

  async deleteExpired(now: number): Promise<void> {
    await this.#db.deleteFrom("sessions").where("expiresAt", "<=", now).execute();
  }
}

/** Administrator accounts. */
import type { Insertable, Updateable } from "kysely";
import type { Db } from "../db/kysely.ts";
import type { UsersTable } from "../db/schema.ts";
import { compareNames } from "../lib/collections.ts";

export type UserRow = UsersTable;

export class UsersRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** All users, ordered by name and then by age. */
  async list(): Promise<UserRow[]> {
    const rows = await this.#db.selectFrom("users").selectAll().orderBy("id").execute();
    return rows.sort((a, b) => compareNames(a.name, b.name));
  }

  find(id: string): Promise<UserRow | undefined> {
    return this.#db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirst();
  }

  findByEmail(email: string): Promise<UserRow | undefined> {
    return this.#db.selectFrom("users").selectAll().where("email", "=", email).executeTakeFirst();
  }

  async hasAny(): Promise<boolean> {
    return (await this.#db.selectFrom("users").select("id").limit(1).executeTakeFirst()) !== undefined;
  }

  async hasActive(role: string): Promise<boolean> {
    const row = await this.#db
      .selectFrom("users")
      .select("id")
      .where("role", "=", role)
      .where("isActive", "=", 1)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  async insert(row: Insertable<UsersTable>): Promise<void> {
    await this.#db.insertInto("users").values(row).execute();
  }

  update(id: string, change: Updateable<UsersTable>): Promise<UserRow> {
    return this.#db
      .updateTable("users")
      .set(change)
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
  }

  /** Also deletes the user's sessions and API keys. */
  async delete(id: string): Promise<void> {
    await this.#db.deleteFrom("users").where("id", "=", id).execute();
  }
}

/** Administrators' accounts. */
import type { Insertable, Updateable } from "kysely";
import type { Db } from "../db/kysely.ts";
import type { UsersTable } from "../db/schema.ts";

export type UserRow = UsersTable;

export class UsersRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  find(id: string): Promise<UserRow | undefined> {
    return this.#db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirst();
  }

  findByEmail(email: string): Promise<UserRow | undefined> {
    return this.#db.selectFrom("users").selectAll().where("email", "=", email).executeTakeFirst();
  }

  async count(): Promise<number> {
    const row = await this.#db
      .selectFrom("users")
      .select((eb) => eb.fn.countAll<number>().as("total"))
      .executeTakeFirstOrThrow();
    return row.total;
  }

  async insert(row: Insertable<UsersTable>): Promise<void> {
    await this.#db.insertInto("users").values(row).execute();
  }

  async update(id: string, change: Updateable<UsersTable>): Promise<void> {
    await this.#db.updateTable("users").set(change).where("id", "=", id).execute();
  }
}

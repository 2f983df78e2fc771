/** Administrator accounts. */
import { allOf } from "../db/columns.ts";
import type { UsersTable } from "../db/schema.ts";
import { compareNames } from "../lib/collections.ts";
import { repositoryOf } from "./repository.ts";

export type UserRow = UsersTable;

export class UsersRepository extends repositoryOf("users") {
  /** All users, ordered by name and then by age. */
  async list(): Promise<UserRow[]> {
    const rows = await this.db.selectFrom("users").select(allOf("users")).orderBy("id").execute();
    return rows.sort((a, b) => compareNames(a.name, b.name));
  }

  findByEmail(email: string): Promise<UserRow | undefined> {
    return this.db.selectFrom("users").select(allOf("users")).where("email", "=", email).executeTakeFirst();
  }

  async hasAny(): Promise<boolean> {
    return (await this.db.selectFrom("users").select("id").limit(1).executeTakeFirst()) !== undefined;
  }

  async hasActive(role: string): Promise<boolean> {
    const row = await this.db
      .selectFrom("users")
      .select("id")
      .where("role", "=", role)
      .where("isActive", "=", 1)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }
}

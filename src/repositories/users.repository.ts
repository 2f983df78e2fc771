/** Administrator accounts. */
import { allOf, type Schema } from "../db/schema.ts";
import { compareNames } from "../lib/collections.ts";
import { hasRows, repositoryOf } from "./repository.ts";

export type UserRow = Schema["users"];

export class UsersRepository extends repositoryOf("users") {
  /** All users, ordered by name and then by age. */
  async list(): Promise<UserRow[]> {
    const rows = await this.db.selectFrom("users").select(allOf("users")).orderBy("id").execute();
    return rows.sort((a, b) => compareNames(a.name, b.name));
  }

  findByEmail(email: string): Promise<UserRow | undefined> {
    return this.findBy("email", email);
  }

  hasAny(): Promise<boolean> {
    return hasRows(this.db.selectFrom("users"));
  }

  /** Whether a user with this role can log in: not one who was invited and has no password yet. */
  hasActive(role: string): Promise<boolean> {
    return hasRows(
      this.db
        .selectFrom("users")
        .where("role", "=", role)
        .where("isActive", "=", 1)
        .where("invitedAt", "is", null),
    );
  }
}

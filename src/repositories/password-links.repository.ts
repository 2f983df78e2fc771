/** Links with which users set a password. */
import type { Selectable } from "kysely";
import { sql } from "kysely";
import { allOf, type Schema } from "../db/schema.ts";
import { repositoryOf } from "./repository.ts";

type PasswordLinkRow = Selectable<Schema["password_links"]>;

interface NewPasswordLink {
  id: string;
  /** Epoch milliseconds. */
  now: number;
  expiresAt: number;
  /** How many links a user gets since then. */
  max: number;
  since: number;
}

export type PasswordLinkWithUser = PasswordLinkRow &
  Pick<Schema["users"], "email" | "name" | "isActive" | "invitedAt">;

const REQUESTS_ID = "requests";

export class PasswordLinksRepository extends repositoryOf("password_links") {
  /**
   * For a user who has forgotten the password. Adds none without an active user with this address and a password, or over
   * the limit, which the statement decides: it is the same one in all cases.
   */
  async addForEmail(email: string, link: NewPasswordLink): Promise<void> {
    await this.#add(link, sql`users.email = ${email} and users."invitedAt" is null`);
  }

  /** @returns false if the user isn't active, or has got as many links as the limit allows */
  addForUser(userId: string, link: NewPasswordLink): Promise<boolean> {
    return this.#add(link, sql`users.id = ${userId}`);
  }

  /** Links of later than now don't count: after a clock was set back, they would do so for as long as it was ahead. */
  async #add({ id, now, expiresAt, max, since }: NewPasswordLink, isMeant: ReturnType<typeof sql>) {
    const { numAffectedRows = 0n } = await sql`
      insert into password_links (id, "userId", "createdAt", "expiresAt")
      select cast(${id} as text), users.id, cast(${now} as bigint), cast(${expiresAt} as bigint) from users
      where ${isMeant} and users."isActive" = 1 and (
        select count(*) from password_links as earlier where earlier."userId" = users.id
          and earlier."createdAt" > ${since} and earlier."createdAt" <= ${now}
      ) < ${max}`.execute(this.db);
    return numAffectedRows > 0n;
  }

  /** Changes a row at each request, so that the commit takes the same time for known and unknown accounts. */
  async countRequest(now: number): Promise<void> {
    await this.db
      .insertInto("password_requests")
      .values({ id: REQUESTS_ID, requests: 1, lastAt: now })
      .onConflict((conflict) =>
        conflict
          .column("id")
          .doUpdateSet((eb) => ({ requests: eb("password_requests.requests", "+", 1), lastAt: now })),
      )
      .execute();
  }

  findWithUser(id: string): Promise<PasswordLinkWithUser | undefined> {
    return this.db
      .selectFrom("password_links")
      .innerJoin("users", "users.id", "password_links.userId")
      .select(allOf("password_links"))
      .select(["users.email", "users.name", "users.isActive", "users.invitedAt"])
      .where("password_links.id", "=", id)
      .executeTakeFirst();
  }

  /** Ends all links of a user: one was used, or the account has changed. */
  async endAllOf(userId: string, now: number): Promise<void> {
    await this.db
      .updateTable("password_links")
      .set({ endedAt: now })
      .where("userId", "=", userId)
      .where("endedAt", "is", null)
      .execute();
  }

  async deleteExpired(before: number): Promise<void> {
    await this.db.deleteFrom("password_links").where("expiresAt", "<", before).execute();
  }
}

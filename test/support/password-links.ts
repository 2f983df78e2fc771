/** Links with which users set a password, as their letters have them. */
import type { TestApp } from "./app.ts";

export const RESET_PATH = "/api/auth/password-reset";

/** The paths of all links of a user, oldest first. */
export async function listLinks({ container }: TestApp, email: string): Promise<string[]> {
  const { database, services } = container;
  const rows = await database.read
    .selectFrom("password_links")
    .innerJoin("users", "users.id", "password_links.userId")
    .select("password_links.id")
    .where("users.email", "=", email)
    .orderBy("password_links.createdAt")
    .orderBy("password_links.id")
    .execute();
  const letters = await Promise.all(rows.map(({ id }) => services.passwordLinks.describe(id)));
  return letters.map((letter) => `${RESET_PATH}/${letter?.token ?? "ended"}`);
}

/** Additional users with sessions and keys. */
import assert from "node:assert/strict";
import { createSystemAuthor } from "../../src/repositories/change.ts";
import type { Role } from "../../src/schemas/permissions.ts";
import type { User, UserUpdate } from "../../src/schemas/users.schemas.ts";
import type { TestApp } from "./app.ts";
import type { Client } from "./client.ts";
import { cookieOf, PASSWORD } from "./factory.ts";

export interface Account {
  id: string;
  email: string;
  /** The cookie header of its session. */
  cookie: string;
  client: Client;
}

/** A new user with a session of its own. */
export async function createAccount(app: TestApp, role: Role = "admin"): Promise<Account> {
  const { id, email } = await app.make.user(role);
  return { id, email, ...(await logIn(app, email)) };
}

/** One more session of a user. */
export async function logIn(app: TestApp, email: string, password = PASSWORD) {
  const response = await app.api.post("/api/auth/login", { email, password });
  assert.equal(response.status, 200, JSON.stringify(response.body));
  const cookie = cookieOf(response);
  return { cookie, client: app.api.with({ Cookie: cookie }) };
}

/** What an administrator may do to a user, without one who is logged in. */
export async function changeUser({ container }: TestApp, id: string, change: UserUpdate): Promise<User> {
  const { user } = await container.services.users.update(createSystemAuthor("test"), id, change);
  return user;
}

/** A new API key of the client's user. */
export async function createKey(client: Client, body: Record<string, unknown> = {}) {
  const response = await client.post("/api/admin/api-keys", { name: "test", ...body });
  assert.equal(response.status, 201, JSON.stringify(response.body));
  const created: { id: string; key: string; keyPrefix: string } = response.body;
  return created;
}

export const bearer = (credential: string) => ({ Authorization: `Bearer ${credential}` });

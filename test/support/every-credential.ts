/** Every kind of credential: valid, invalid, and no longer valid. */

import { type ApiKeyScope, type Grant, ROLE_PERMISSIONS, ROLES } from "../../src/schemas/permissions.ts";
import { apiKeyChecksum } from "../../src/services/users/api-keys.service.ts";
import { bearer, changeUser, createAccount, createKey } from "./accounts.ts";
import type { TestApp } from "./app.ts";
import { linkTo } from "./reader.ts";

export interface Credential {
  name: string;
  headers: Readonly<Record<string, string>>;
  /** What it is good for. */
  kind: "nothing" | "session" | "apiKey";
  permissions: readonly Grant[];
}

const DAY = 86_400_000;

/** @param slug a book of which one file is published in Spanish: the download token's */
export async function createEveryCredential(
  app: TestApp,
  slug: () => Promise<string>,
): Promise<Credential[]> {
  const old = await createAccount(app);
  const oldKey = await createKey(old.client, { expiresAt: new Date(app.clock.now() + DAY).toISOString() });
  app.clock.advance(8 * DAY);
  const expired = [
    nothing("expired session", { Cookie: old.cookie }),
    nothing("expired API key", bearer(oldKey.key)),
  ];
  const link = await linkTo(app.api, { slug: await slug(), languageCode: "es" });
  const token = link.slice(link.lastIndexOf("/") + 1);
  return [
    ...expired,
    ...(await createRevoked(app)),
    ...(await createMisplaced(app, token)),
    ...junk,
    ...(await createSessions(app)),
    ...(await createApiKeys(app)),
  ];
}

const cookie = (token: string) => ({ Cookie: `auth.session-token=${token}` });
const findToken = (cookieHeader: string): string => cookieHeader.slice(cookieHeader.indexOf("=") + 1);

const nothing = (name: string, headers: Credential["headers"]): Credential => ({
  name,
  headers,
  kind: "nothing",
  permissions: [],
});

const unknownKey = "x".repeat(40);

const junk: readonly Credential[] = [
  nothing("nothing", {}),
  nothing("junk cookie", cookie("junk")),
  nothing("object in the cookie", cookie(encodeURIComponent('j:{"sub":"1"}'))),
  nothing("junk bearer", bearer("junk")),
  nothing("unknown API key", bearer(`bds_${unknownKey}${apiKeyChecksum(unknownKey)}`)),
  nothing("basic authorization", { Authorization: "Basic YWRtaW46YWRtaW4=" }),
];

/** Credentials that are no longer valid. */
async function createRevoked(app: TestApp): Promise<Credential[]> {
  const loggedOut = await createAccount(app);
  await loggedOut.client.post("/api/auth/logout");
  const off = await createAccount(app);
  const offKey = await createKey(off.client);
  await changeUser(app, off.id, { isActive: 0 });
  const admin = await createAccount(app);
  const revokedKey = await createKey(admin.client);
  await admin.client.delete(`/api/admin/api-keys/${revokedKey.id}`);
  return [
    nothing("session after log-out", { Cookie: loggedOut.cookie }),
    nothing("session of a user who is switched off", { Cookie: off.cookie }),
    nothing("API key of a user who is switched off", bearer(offKey.key)),
    nothing("revoked API key", bearer(revokedKey.key)),
  ];
}

/** Valid credentials in the wrong place. */
async function createMisplaced(app: TestApp, downloadToken: string): Promise<Credential[]> {
  const admin = await createAccount(app);
  const { key } = await createKey(admin.client);
  return [
    nothing("API key in the cookie", cookie(key)),
    nothing("session token as bearer", bearer(findToken(admin.cookie))),
    nothing("download token in the cookie", cookie(downloadToken)),
    nothing("download token as bearer", bearer(downloadToken)),
    nothing("session beside a junk bearer", { Cookie: admin.cookie, ...bearer("junk") }),
    nothing("session under another cookie name", { Cookie: `session=${findToken(admin.cookie)}` }),
  ];
}

async function createSessions(app: TestApp): Promise<Credential[]> {
  const made: Credential[] = [];
  for (const role of ROLES) {
    const { cookie: Cookie } = await createAccount(app, role);
    made.push({ name: role, headers: { Cookie }, kind: "session", permissions: ROLE_PERMISSIONS[role] });
  }
  return made;
}

async function createApiKeys(app: TestApp): Promise<Credential[]> {
  const { client } = await createAccount(app);
  const demoted = await createAccount(app);
  const demotedKey = await createKey(demoted.client);
  await changeUser(app, demoted.id, { role: "viewer" });
  const withScopes = async (...scopes: ApiKeyScope[]): Promise<Credential> => {
    const { key } = await createKey(client, { scopes });
    return { name: `API key ${scopes.join("+")}`, headers: bearer(key), kind: "apiKey", permissions: scopes };
  };
  return [
    await withScopes("view_books"),
    await withScopes("edit_books"),
    await withScopes("view_books", "edit_books"),
    await withScopes("submit_downloads"),
    await withScopes("view_books", "submit_downloads"),
    {
      name: "API key of an admin who is now a viewer",
      headers: bearer(demotedKey.key),
      kind: "apiKey",
      permissions: ["view_books"],
    },
  ];
}

/** API keys: made by administrators, used by external clients on the catalogue. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { apiKeyChecksum } from "../../src/services/users/api-keys.service.ts";
import { bearer, changeUser, createAccount, createKey } from "../support/accounts.ts";
import { startApp, startWithAdmin, type TestApp } from "../support/app.ts";
import { expectProblem } from "../support/expect-problem.ts";

const PATH = "/api/admin/api-keys";
const MINUTE = 60_000;
const SHAPE = /^bds_([0-9A-Za-z]{40})([0-9A-Za-z]{6})$/;
/** With its CRC-32 in base62, padded with a zero: keys in use depend on this form. */
const [UNKNOWN_RANDOM, UNKNOWN_CHECKSUM] = ["A".repeat(40), "0mipaC"];

const rowsOf = ({ container: { database } }: TestApp) =>
  database.read.selectFrom("api_keys").selectAll().execute();

/** What a key may do at this moment: read, write. */
async function rightsOf({ api }: TestApp, key: string): Promise<[number, number]> {
  const client = api.with(bearer(key));
  const [read, write] = [await client.get("/api/admin/books"), await client.post("/api/admin/books", {})];
  return [read.status, write.status];
}
const [MAY_BOTH, MAY_READ, MAY_WRITE, UNKNOWN] = [
  [200, 400],
  [200, 403],
  [403, 400],
  [401, 401],
];

describe("POST /api/admin/api-keys", () => {
  it("shows the key once and stores only its hash", async () => {
    const app = await startApp();
    const { client } = await createAccount(app);
    const response = await client.post(PATH, {
      name: "  Catalogue 📚 cafe\u0301 ",
      expiresAt: "2027-01-01T02:00:00+02:00",
      scopes: ["edit_books", "edit_books"],
    });
    expect(response.status).toBe(201);
    const { key, ...shown } = response.body;
    const [, random = "", checksum] = SHAPE.exec(key) ?? [];
    expect(checksum).toBe(apiKeyChecksum(random));
    expect(shown).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: "Catalogue 📚 café",
      keyPrefix: key.slice(0, 12),
      expiresAt: "2027-01-01T00:00:00.000Z",
      createdAt: new Date(app.clock.now()).toISOString(),
      scopes: ["edit_books"],
    });
    expect(response.headers.location).toBe(`${PATH}/${shown.id}`);
    expect(response.headers["cache-control"]).toBe("no-store");
    const [row] = await rowsOf(app);
    expect(row?.keyHash).toBe(createHash("sha256").update(key).digest("hex"));
    expect(JSON.stringify(row)).not.toContain(random);
    expect(JSON.stringify(app.logged)).not.toContain(random);
  });

  it("creates different keys, by default with both scopes and without an expiry", async () => {
    const { client: admin } = await startWithAdmin();
    const made = await Promise.all(Array.from({ length: 20 }, () => createKey(admin, { expiresAt: null })));
    expect(new Set(made.map(({ key }) => key)).size).toBe(20);
    expect(made[0]).toMatchObject({ expiresAt: null, scopes: ["view_books", "edit_books"] });
  });
});

it("GET /api/admin/api-keys lists keys that aren't revoked, oldest first, without the keys themselves", async () => {
  const app = await startApp();
  const { client, email } = await createAccount(app);
  const first = await createKey(client, { name: "first" });
  app.clock.advance(1);
  const second = await createKey(client, { name: "second", scopes: ["view_books"] });
  app.clock.advance(1);
  const third = await createKey(client, { name: "third" });
  await client.delete(`${PATH}/${second.id}`);
  const response = await client.get(PATH);
  expect(response.status).toBe(200);
  expect(response.body.apiKeys.map(({ name }: { name: string }) => name)).toEqual(["first", "third"]);
  const { key, ...shown } = first;
  expect(response.body.apiKeys[0]).toEqual({ ...shown, lastUsedAt: null, createdBy: email });
  for (const secret of [first.key, third.key]) {
    expect(JSON.stringify(response.body)).not.toContain(secret.slice(12));
  }
});

it("keys of several administrators are listed with their owners, and can be revoked by any administrator", async () => {
  const app = await startApp();
  const [anna, ben] = [await createAccount(app), await createAccount(app)];
  const annas = await createKey(anna.client, { name: "Anna's" });
  app.clock.advance(1);
  await createKey(ben.client, { name: "Ben's" });
  const listed = async () => {
    const { apiKeys } = (await ben.client.get(PATH)).body;
    return apiKeys.map(({ name, createdBy }: { name: string; createdBy: string }) => [name, createdBy]);
  };
  expect(await listed()).toEqual([
    ["Anna's", anna.email],
    ["Ben's", ben.email],
  ]);
  expect((await ben.client.delete(`${PATH}/${annas.id}`)).status).toBe(200);
  expect(await listed()).toEqual([["Ben's", ben.email]]);
  expect(await rightsOf(app, annas.key)).toEqual(UNKNOWN);
});

it("DELETE /api/admin/api-keys/{keyId} takes effect on the next request, and returns 404 the second time", async () => {
  const { app, client: admin } = await startWithAdmin();
  const { id, key } = await createKey(admin);
  const path = `${PATH}/${id}`;
  expect(await rightsOf(app, key)).toEqual(MAY_BOTH);

  const revoked = await admin.delete(path);
  expect(revoked.status).toBe(200);
  expect(revoked.body).toEqual({ success: true });
  expect(await rightsOf(app, key)).toEqual(UNKNOWN);
  expectProblem(await admin.delete(path), 404, { code: "api_key_not_found" });
  for (const unknown of ["nothing", encodeURIComponent("' or 1=1 --"), "x".repeat(101)]) {
    expectProblem(await admin.delete(`${PATH}/${unknown}`), 404);
  }
});

describe("an API key as bearer", () => {
  it.each([
    { scopes: ["view_books"], rights: MAY_READ },
    { scopes: ["edit_books"], rights: MAY_WRITE },
    { scopes: ["view_books", "edit_books"], rights: MAY_BOTH },
  ])("has the permissions of its scopes: $scopes", async ({ scopes, rights }) => {
    const app = await startApp();
    const { key } = await createKey(await app.admin(), { scopes });
    expect(await rightsOf(app, key)).toEqual(rights);
  });

  it("is accepted with the scheme in any case, and rejected with another scheme", async () => {
    const app = await startApp();
    const { key } = await createKey(await app.admin());
    const statusWith = async (Authorization: string) =>
      (await app.api.get("/api/admin/books", { Authorization })).status;
    for (const good of [`bearer ${key}`, `BEARER  ${key}`]) expect(await statusWith(good)).toBe(200);
    const bad = [
      key,
      `Basic ${key}`,
      `Bearer${key}`,
      `Bearer ${key} x`,
      `Bearer "${key}"`,
      "Bearer",
      "Bearer ",
    ];
    for (const wrong of bad) expect(await statusWith(wrong), wrong).toBe(401);
  });

  it("is rejected before any lookup if its form or checksum is wrong", async () => {
    const app = await startApp();
    const { key } = await createKey(await app.admin());
    const mistyped = key.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
    const other = `bds_${UNKNOWN_RANDOM}${UNKNOWN_CHECKSUM}`;
    const misshapen = ["bds_", key.replace("bds_", "bdt_"), `${key}A`, key.slice(0, -1), key.toLowerCase()];
    for (const wrong of [mistyped, other, ...misshapen]) {
      expect(await rightsOf(app, wrong)).toEqual(UNKNOWN);
    }
    const { database, services } = app.container;
    await database.close();
    const identify = (presented: string) =>
      services.apiKeys.identify(presented, { address: "192.0.2.1", requestId: "request" });
    for (const wrong of [mistyped, ...misshapen, ` ${other}`, `${other}\n`])
      expect(await identify(wrong), wrong).toBeUndefined();
    await expect(identify(other)).rejects.toThrow();
  });

  it("takes precedence over the cookie: a request with an invalid key isn't authenticated by its session", async () => {
    const app = await startApp();
    const { cookie, client } = await createAccount(app);
    const { key } = await createKey(client, { scopes: ["view_books"] });
    const both = app.api.with({ Cookie: cookie });
    expect((await both.post("/api/admin/books", {})).status).toBe(400);
    for (const Authorization of ["Bearer junk", "Basic YTpi", ""]) {
      expect((await both.get("/api/admin/books", { Authorization })).status).toBe(401);
    }
    expect((await both.with(bearer(key)).post("/api/admin/books", {})).status).toBe(403);
    expect((await both.with(bearer(key)).get("/api/admin/languages")).status).toBe(401);
  });

  it("expires at its time, to the millisecond", async () => {
    const app = await startApp();
    const expiresAt = new Date(app.clock.now() + MINUTE).toISOString();
    const { key } = await createKey(await app.admin(), { expiresAt });
    app.clock.advance(MINUTE - 1);
    expect(await rightsOf(app, key)).toEqual(MAY_BOTH);
    app.clock.advance(1);
    expect(await rightsOf(app, key)).toEqual(UNKNOWN);
  });

  it("never has more permissions than its owner currently has", async () => {
    const app = await startApp();
    await app.make.user("admin");
    const { id, client } = await createAccount(app);
    const { key } = await createKey(client);
    const as = async (change: Parameters<typeof changeUser>[2]) => {
      await changeUser(app, id, change);
      return rightsOf(app, key);
    };
    expect(await as({ role: "editor" })).toEqual(MAY_BOTH);
    expect(await as({ role: "viewer" })).toEqual(MAY_READ);
    expect(await as({ role: "analyst" })).toEqual(MAY_READ);
    expect(await as({ role: "admin", isActive: 0 })).toEqual(UNKNOWN);
    expect(await as({ isActive: 1 })).toEqual(MAY_BOTH);
  });

  it("is deleted with its owner", async () => {
    const { app, client: admin } = await startWithAdmin();
    const { id, client } = await createAccount(app);
    const { key } = await createKey(client);
    expect((await admin.delete(`/api/admin/users/${id}`)).status).toBe(200);
    expect(await rightsOf(app, key)).toEqual(UNKNOWN);
    expect((await admin.get(PATH)).body).toEqual({ apiKeys: [] });
  });

  it("records its last use at most once a minute", async () => {
    const app = await startApp();
    const { client } = await createAccount(app);
    const { key } = await createKey(client);
    const use = () => app.api.get("/api/admin/books", bearer(key));
    const lastUsedAt = async () => (await client.get(PATH)).body.apiKeys[0].lastUsedAt;
    const first = new Date(app.clock.now()).toISOString();
    expect(await lastUsedAt()).toBeNull();
    await use();
    expect(await lastUsedAt()).toBe(first);
    app.clock.advance(MINUTE - 1);
    await use();
    expect(await lastUsedAt()).toBe(first);
    app.clock.advance(1);
    await use();
    expect(await lastUsedAt()).toBe(new Date(app.clock.now()).toISOString());
  });
});

/** What the audit log doesn't tell: secrets and personal data. */
import { expect, it } from "vitest";
import { startApp } from "../support/app.ts";
import { auditLog } from "../support/audit-log.ts";

const masked = { after: "[masked]" };
const changed = { before: "[masked]", after: "[masked]" };

const ben = {
  email: "ben@secret.example",
  name: "Benedict",
  password: "first long pass phrase",
  role: "editor",
};

it("the log doesn't contain a user's e-mail, name and password, only that they changed", async () => {
  const app = await startApp();
  const client = await app.admin();
  const { id } = (await client.post("/api/admin/users", ben)).body;
  const path = `/api/admin/users/${id}`;
  const given = { email: "other@secret.example", name: "Bernard", password: "second long pass phrase" };
  expect((await client.put(path, given)).status).toBe(200);
  expect((await client.delete(path)).status).toBe(200);
  const lines = (await auditLog(app)).filter(({ objectId }) => objectId === id);
  // Whoever adds a column decides here whether it may be told.
  expect(lines.map(({ changes }) => changes)).toEqual([
    { email: masked, name: masked, passwordHash: masked, role: { after: "editor" }, isActive: { after: 1 } },
    { email: changed, name: changed, passwordHash: changed },
    {
      email: { before: "[masked]" },
      name: { before: "[masked]" },
      passwordHash: { before: "[masked]" },
      role: { before: "editor" },
      isActive: { before: 1 },
      apiKeys: { before: 0 },
    },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/secret\.example|Benedict|Bernard|pass phrase|argon2/);
});

it("the log contains neither an API key nor its hash", async () => {
  const app = await startApp();
  const client = await app.admin();
  const { user } = (await client.get("/api/auth/session")).body;
  const { id, key, keyPrefix } = (await client.post("/api/admin/api-keys", { name: "Catalogue sync" })).body;
  expect((await client.delete(`/api/admin/api-keys/${id}`)).status).toBe(200);
  const lines = (await auditLog(app)).filter(({ objectId }) => objectId === id);
  expect(lines.map(({ changes }) => changes)).toEqual([
    {
      name: { after: "Catalogue sync" },
      keyHash: masked,
      keyPrefix: { after: keyPrefix },
      scopes: { after: "view_books edit_books" },
      ownerId: { after: user.id },
      expiresAt: { after: null },
      lastUsedAt: { after: null },
      revokedAt: { after: null },
    },
    { revokedAt: { before: null, after: app.clock.now() } },
  ]);
  expect(JSON.stringify(await auditLog(app))).not.toContain(key);
  expect(key.startsWith(keyPrefix)).toBe(true);
});

it("hidden fields aren't recorded, and an update that changes nothing adds no entry", async () => {
  const app = await startApp();
  const client = await app.admin();
  const book = await app.make.book("Well");
  const update = (body: object) => client.put(`/api/admin/books/${book.id}`, body);
  app.clock.advance(1000);
  expect((await update({ titleEn: "Well" })).status).toBe(200);
  expect((await update({ titleEn: "Tree" })).status).toBe(200);
  const lines = (await auditLog(app)).filter(({ objectId }) => objectId === book.id);
  expect(lines.map(({ changes }) => Object.keys(changes))).toEqual([
    expect.not.arrayContaining(["id", "searchText", "createdAt", "updatedAt"]),
    ["titleEn"],
  ]);
});

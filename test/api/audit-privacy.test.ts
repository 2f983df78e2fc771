/** What the audit log doesn't tell: secrets and personal data. */
import { expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { readAuditLog } from "../support/audit-log.ts";

const masked = { after: "[masked]" };

it("the audit log contains neither an API key nor its hash", async () => {
  const { app, client } = await startWithAdmin();
  const { user } = (await client.get("/api/auth/session")).body;
  const { id, key, keyPrefix } = (await client.post("/api/admin/api-keys", { name: "Catalogue sync" })).body;
  expect((await client.delete(`/api/admin/api-keys/${id}`)).status).toBe(200);
  const lines = (await readAuditLog(app)).filter(({ objectId }) => objectId === id);
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
  expect(JSON.stringify(await readAuditLog(app))).not.toContain(key);
  expect(key.startsWith(keyPrefix)).toBe(true);
});

it("the audit log has no hidden fields, and no entry for an update that changes nothing", async () => {
  const { app, client } = await startWithAdmin();
  const book = await app.make.book("Well");
  const update = (body: object) => client.put(`/api/admin/books/${book.id}`, body);
  app.clock.advance(1000);
  expect((await update({ titleEn: "Well" })).status).toBe(200);
  expect((await update({ titleEn: "Tree" })).status).toBe(200);
  const lines = (await readAuditLog(app)).filter(({ objectId }) => objectId === book.id);
  expect(lines.map(({ changes }) => Object.keys(changes))).toEqual([
    expect.not.arrayContaining(["id", "searchText", "createdAt", "updatedAt"]),
    ["titleEn"],
  ]);
});

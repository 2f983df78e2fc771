/** What the audit log doesn't tell: secrets and personal data. */
import { expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { readAuditLog } from "../support/audit-log.ts";

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

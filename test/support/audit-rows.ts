/** Rows of the audit log as they would be after years. */
import type { Insertable } from "kysely";
import type { Schema } from "../../src/db/schema.ts";
import { AuditRepository } from "../../src/repositories/audit.repository.ts";
import type { TestApp } from "./app.ts";

/** Adds rows, the oldest first; two always share their time. */
export async function addAuditRows(
  { container: { database, clock } }: TestApp,
  count: number,
  more: (index: number) => Partial<Insertable<Schema["audit_log"]>> = () => ({}),
): Promise<void> {
  const audit = new AuditRepository(database.writer);
  await database.commit(async () => {
    for (let index = 0; index < count; index += 1) {
      await audit.insert({
        at: clock.now() + Math.floor(index / 2),
        actorKind: "system",
        actorId: null,
        actorName: "test",
        ipAddress: null,
        requestId: null,
        action: "update",
        objectKind: "book",
        objectId: String(index),
        objectName: `Book ${index}`,
        changes: JSON.stringify({ sortOrder: { before: index, after: index + 1 } }),
        ...more(index),
      });
    }
  });
}

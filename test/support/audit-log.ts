/** The audit log as it is stored. */
import type { TestApp } from "./app.ts";

/** All rows in the order in which they were written, with the changes read. */
export async function readAuditLog({ container: { database } }: Pick<TestApp, "container">) {
  const rows = await database.read.selectFrom("audit_log").selectAll().orderBy("id").execute();
  return rows.map(({ changes, ...row }) => {
    const read: Record<string, { before?: unknown; after?: unknown }> = JSON.parse(changes);
    return { ...row, changes: read };
  });
}

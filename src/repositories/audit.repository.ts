/** The audit log. Rows are added by the writers and never changed. */
import type { Insertable } from "kysely";
import type { Db } from "../db/kysely.ts";
import type { AuditLogTable } from "../db/schema.ts";

export class AuditRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async insert(row: Insertable<AuditLogTable>): Promise<void> {
    await this.#db.insertInto("audit_log").values(row).execute();
  }
}

/** Imports that the service runs, and the bytes that are kept for them. */
import type { Insertable, Selectable, Updateable } from "kysely";
import { columnsOf, type Schema } from "../db/schema.ts";
import { splitIntoBatches } from "../lib/collections.ts";
import { Repository, ROWS_PER_STATEMENT } from "./repository.ts";

/** Columns that can have megabytes. */
type Long = "request" | "result";
export type ImportRow = Omit<Selectable<Schema["imports"]>, Long>;

const SHORT = columnsOf("imports").filter((column) => column !== "request" && column !== "result");

export class ImportsRepository extends Repository {
  async find(id: string): Promise<ImportRow | undefined> {
    return this.db.selectFrom("imports").select(SHORT).where("id", "=", id).executeTakeFirst();
  }

  /** Newest first. @param ownerId undefined: of all users */
  list(ownerId: string | undefined, since: number): Promise<ImportRow[]> {
    return this.db
      .selectFrom("imports")
      .select(SHORT)
      .$if(ownerId !== undefined, (query) => query.where("ownerId", "=", ownerId ?? ""))
      .where("createdAt", ">=", since)
      .orderBy("createdAt", "desc")
      .orderBy("id", "desc")
      .execute();
  }

  async readRequest(id: string): Promise<string | undefined> {
    return (await this.#selectOne(id).select("request").executeTakeFirst())?.request;
  }

  async readResult(id: string): Promise<string | null> {
    return (await this.#selectOne(id).select("result").executeTakeFirst())?.result ?? null;
  }

  #selectOne(id: string) {
    return this.db.selectFrom("imports").where("id", "=", id);
  }

  async insert(row: Insertable<Schema["imports"]>): Promise<void> {
    await this.db.insertInto("imports").values(row).execute();
  }

  async update(id: string, change: Updateable<Schema["imports"]>): Promise<void> {
    await this.db.updateTable("imports").set(change).where("id", "=", id).execute();
  }

  /** Of an import that the job runs; one that has ended stays as it is. */
  async updateRunning(id: string, jobId: string, change: Updateable<Schema["imports"]>): Promise<void> {
    await this.db
      .updateTable("imports")
      .set(change)
      .where("id", "=", id)
      .where("jobId", "=", jobId)
      .where("state", "=", "running")
      .execute();
  }

  async isAnyRunning(): Promise<boolean> {
    const query = this.db.selectFrom("imports").select("id").where("state", "=", "running").limit(1);
    return (await query.executeTakeFirst()) !== undefined;
  }

  /** Ends imports that are running without a job: their instance has died, or the database is a copy. */
  async failLost(error: string, finishedAt: number): Promise<void> {
    await this.db
      .updateTable("imports")
      .set({ state: "failed", error, finishedAt })
      .where("state", "=", "running")
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom("jobs")
              .select("jobs.id")
              .whereRef("jobs.id", "=", "imports.jobId")
              .where("jobs.status", "=", "running"),
          ),
        ),
      )
      .execute();
  }

  async deleteOld(createdBefore: number): Promise<void> {
    await this.db
      .deleteFrom("imports")
      .where("createdAt", "<", createdBefore)
      .where("state", "<>", "running")
      .execute();
  }

  async keepBytes(importId: string, hashes: readonly string[]): Promise<void> {
    for (const batch of splitIntoBatches([...new Set(hashes)], ROWS_PER_STATEMENT)) {
      await this.db
        .insertInto("import_bytes")
        .values(batch.map((sha256) => ({ importId, sha256 })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  }

  async releaseBytes(importId: string): Promise<void> {
    await this.db.deleteFrom("import_bytes").where("importId", "=", importId).execute();
  }

  /** Of imports that have got no bytes since an instant and don't run. */
  async releaseIdle(before: number): Promise<void> {
    await this.db
      .deleteFrom("import_bytes")
      .where("importId", "in", (eb) =>
        eb
          .selectFrom("imports")
          .select("imports.id")
          .where("lastByteAt", "<", before)
          .where("state", "<>", "running"),
      )
      .execute();
  }
}

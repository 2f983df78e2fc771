/** Jobs: long work with its progress and result. */
import type { Insertable, Selectable, Updateable } from "kysely";
import { allOf, type Schema } from "../db/schema.ts";
import { Repository } from "./repository.ts";

export type JobRow = Selectable<Schema["jobs"]>;
export type JobChange = Pick<
  Updateable<Schema["jobs"]>,
  "status" | "progressDone" | "progressOf" | "finishedAt" | "result" | "error"
>;

export class JobsRepository extends Repository {
  find(id: string): Promise<JobRow | undefined> {
    return this.#select().where("id", "=", id).executeTakeFirst();
  }

  /** There is at most one of a kind and a subject. */
  findRunning(kind: string, subject: string): Promise<JobRow | undefined> {
    return this.#select()
      .where("kind", "=", kind)
      .where("subject", "=", subject)
      .where("status", "=", "running")
      .executeTakeFirst();
  }

  listRunning(): Promise<Pick<JobRow, "id" | "kind">[]> {
    return this.db.selectFrom("jobs").select(["id", "kind"]).where("status", "=", "running").execute();
  }

  /** The job of a kind that started last, of those that reached their end. */
  findLastDone(kind: string): Promise<JobRow | undefined> {
    return this.#select()
      .where("kind", "=", kind)
      .where("status", "=", "done")
      .orderBy("sequence", "desc")
      .limit(1)
      .executeTakeFirst();
  }

  insert(row: Insertable<Schema["jobs"]>): Promise<JobRow> {
    return this.db.insertInto("jobs").values(row).returning(allOf("jobs")).executeTakeFirstOrThrow();
  }

  /** Changes a job that is running; one that has ended stays as it is. */
  async update(id: string, change: JobChange): Promise<void> {
    await this.#updateRunning(id, change).execute();
  }

  /** @returns the job, if it was running and this was not requested before */
  requestCancel(id: string): Promise<JobRow | undefined> {
    return this.#updateRunning(id, { isCancelRequested: 1 })
      .where("isCancelRequested", "=", 0)
      .returning(allOf("jobs"))
      .executeTakeFirst();
  }

  /** Deletes jobs that ended before, except the last one of each kind that reached its end. */
  async deleteEnded(before: number): Promise<void> {
    const last = this.db
      .selectFrom("jobs")
      .select((eb) => eb.fn.max("sequence").as("sequence"))
      .where("status", "=", "done")
      .groupBy("kind");
    await this.db
      .deleteFrom("jobs")
      .where("finishedAt", "<", before)
      .where("sequence", "not in", last)
      .execute();
  }
  #select() {
    return this.db.selectFrom("jobs").select(allOf("jobs"));
  }

  #updateRunning(id: string, change: Updateable<Schema["jobs"]>) {
    return this.db.updateTable("jobs").set(change).where("id", "=", id).where("status", "=", "running");
  }
}

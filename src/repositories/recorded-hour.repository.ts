/** The last hour in which the service was running. */
import { Repository } from "./repository.ts";

/** The table has a single row. */
const ID = "last";

export class RecordedHourRepository extends Repository {
  /** Epoch milliseconds; undefined if no hour was recorded yet. */
  async findLast(): Promise<number | undefined> {
    const row = await this.db
      .selectFrom("recorded_hour")
      .select("recordedAt")
      .where("id", "=", ID)
      .executeTakeFirst();
    return row?.recordedAt;
  }

  async record(recordedAt: number): Promise<void> {
    await this.db
      .insertInto("recorded_hour")
      .values({ id: ID, recordedAt })
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ recordedAt }))
      .execute();
  }
}

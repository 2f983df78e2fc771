/** The fingerprint with which the instances on one database check that they have the same secret. */
import { Repository } from "./repository.ts";

/** The table has a single row. */
const ID = "current";

export class SecretFingerprintRepository extends Repository {
  /** Undefined if none was recorded yet. */
  async find(): Promise<string | undefined> {
    const row = await this.db
      .selectFrom("secret_fingerprint")
      .select("fingerprint")
      .where("id", "=", ID)
      .executeTakeFirst();
    return row?.fingerprint;
  }

  async record(fingerprint: string): Promise<void> {
    await this.db
      .insertInto("secret_fingerprint")
      .values({ id: ID, fingerprint })
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ fingerprint }))
      .execute();
  }
}

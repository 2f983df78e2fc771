/** The id of the service, which is also recorded beside its files. */
import { Repository } from "./repository.ts";

/** The table has a single row. */
const ID = "current";

export class ServiceIdRepository extends Repository {
  /** Undefined if none was recorded yet. */
  async find(): Promise<string | undefined> {
    const row = await this.db
      .selectFrom("service_id")
      .select("serviceId")
      .where("id", "=", ID)
      .executeTakeFirst();
    return row?.serviceId;
  }

  async record(serviceId: string): Promise<void> {
    await this.db
      .insertInto("service_id")
      .values({ id: ID, serviceId })
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ serviceId }))
      .execute();
  }
}

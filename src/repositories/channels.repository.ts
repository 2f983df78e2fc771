/** Channels on which books are published. */
import type { Insertable, Selectable, Updateable } from "kysely";
import type { Db } from "../db/kysely.ts";
import type { ChannelsTable } from "../db/schema.ts";

export type ChannelRow = Selectable<ChannelsTable>;

export class ChannelsRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** All, in their order. */
  list(): Promise<ChannelRow[]> {
    return this.#db.selectFrom("channels").selectAll().orderBy("sortOrder").orderBy("id").execute();
  }

  find(id: string): Promise<ChannelRow | undefined> {
    return this.#db.selectFrom("channels").selectAll().where("id", "=", id).executeTakeFirst();
  }

  findBySlug(slug: string): Promise<ChannelRow | undefined> {
    return this.#db.selectFrom("channels").selectAll().where("slug", "=", slug).executeTakeFirst();
  }

  async lastSortOrder(): Promise<number> {
    const row = await this.#db
      .selectFrom("channels")
      .select((eb) => eb.fn.max("sortOrder").as("last"))
      .executeTakeFirst();
    return row?.last ?? 0;
  }

  insert(row: Insertable<ChannelsTable>): Promise<ChannelRow> {
    return this.#db.insertInto("channels").values(row).returningAll().executeTakeFirstOrThrow();
  }

  update(id: string, change: Updateable<ChannelsTable>): Promise<ChannelRow> {
    return this.#db
      .updateTable("channels")
      .set(change)
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
  }

  /** Its publications go with it. */
  async delete(id: string): Promise<void> {
    await this.#db.deleteFrom("channels").where("id", "=", id).execute();
  }
}

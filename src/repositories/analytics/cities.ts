/** From which cities were there downloads? */
import { sql } from "kysely";
import type { Db } from "../../db/kysely.ts";

export class CitiesQuery {
  readonly #db: Db;

  constructor(deps: { db: Db }) {
    this.#db = deps.db;
  }

  /**
   * Each once, in the small letters of the database, in which filters compare them. The index is asked for the next name,
   * again and again: of millions of events, the names of the cities alone are read.
   */
  async names(): Promise<string[]> {
    const { rows } = await sql<{ name: string }>`
      with recursive "cities" ("name") as (
        select min(lower("city")) from "download_events" where "city" is not null
        union all
        select (
          select min(lower("city")) from "download_events"
          where "city" is not null and lower("city") > "cities"."name"
        )
        from "cities" where "cities"."name" is not null
      )
      select "name" from "cities" where "name" is not null`.execute(this.#db);
    return rows.map(({ name }) => name);
  }
}

/** What the links of a channel have: a campaign, and an address of its own for books. */
import type { Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ["utmSource", "utmMedium", "utmCampaign", "bookUrl"])
    await db.schema.alterTable("channels").addColumn(column, "text").execute();
}

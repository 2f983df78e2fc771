/** Which contacts were there last? */
import type { Db } from "../../db/kysely.ts";
import type { ContactRow } from "../contacts.repository.ts";
import { type ContactFilter, filteredContacts } from "./contact-filter.ts";

interface Page {
  limit: number;
  offset: number;
}

export interface ListedContact extends ContactRow {
  /** How many there are on all pages, where finding this one has told it. */
  found?: number;
}

export class ContactsListQuery {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async count(filter: ContactFilter): Promise<number> {
    const row = await filteredContacts(this.#db, filter)
      .select((eb) => eb.fn.countAll<number>().as("total"))
      .executeTakeFirstOrThrow();
    return row.total;
  }

  /** Of all contacts. The index has them in this order: those on earlier pages are passed over in it. */
  latest({ limit, offset }: Page): Promise<ListedContact[]> {
    const page = this.#db
      .selectFrom("contacts")
      .select("id")
      .orderBy("lastDownloadAt", "desc")
      .orderBy("id", "desc")
      .limit(limit)
      .offset(offset);
    return this.#db
      .selectFrom("contacts")
      .selectAll()
      .where("id", "in", page)
      .orderBy("lastDownloadAt", "desc")
      .orderBy("id", "desc")
      .execute();
  }

  /** Of those that a filter leaves, which are looked for once: for the page and for their number. */
  find(filter: ContactFilter, { limit, offset }: Page): Promise<ListedContact[]> {
    return this.#db
      .with(
        (cte) => cte("found").materialized(),
        () => filteredContacts(this.#db, filter).select(["contacts.id", "contacts.lastDownloadAt"]),
      )
      .with("page", (db) =>
        db
          .selectFrom("found")
          .selectAll()
          .orderBy("lastDownloadAt", "desc")
          .orderBy("id", "desc")
          .limit(limit)
          .offset(offset),
      )
      .selectFrom("page")
      .innerJoin("contacts", "contacts.id", "page.id")
      .selectAll("contacts")
      .select((eb) => {
        const found = eb.selectFrom("found").select((all) => all.fn.countAll<number>().as("total"));
        return found.$asScalar().$notNull().as("found");
      })
      .orderBy("page.lastDownloadAt", "desc")
      .orderBy("page.id", "desc")
      .execute();
  }
}

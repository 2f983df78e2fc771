/** The contacts as CSV, the newest first, with what each has agreed to last. */
import type { CsvReader } from "../../db/csv-reader.ts";
import type { Db } from "../../db/kysely.ts";
import { type ContactFilter, filteredContacts } from "./contact-filter.ts";
import type { CsvExport, Stretch } from "./csv-export.ts";

/** Ids stay as they are: whoever downloads something meanwhile is neither left out nor told twice. */
export class ContactsExport implements CsvExport<ContactFilter, number> {
  readonly #db: Db;
  readonly #csv: CsvReader;

  constructor(uses: { db: Db; csv: CsvReader }) {
    this.#db = uses.db;
    this.#csv = uses.csv;
  }

  async lastOfNext(count: number, _: ContactFilter, after: number | undefined) {
    const row = await filteredContacts(this.#db, {}, { end: after })
      .select("contacts.id")
      .orderBy("contacts.id", "desc")
      .limit(1)
      .offset(count - 1)
      .executeTakeFirst();
    return row?.id;
  }

  /** In the columns of CONTACT_COLUMNS and their order. */
  records(filter: ContactFilter, { after, upTo }: Stretch<number>, options: { raw: boolean }) {
    const query = filteredContacts(this.#db, filter, { first: upTo, end: after })
      .leftJoin("consents", (join) =>
        join.on("consents.id", "=", (eb) =>
          eb
            .selectFrom("consents as given")
            .select("given.id")
            .whereRef("given.contactId", "=", "contacts.id")
            .orderBy("given.givenAt", "desc")
            .limit(1),
        ),
      )
      .select([
        ...(["contacts.publicId", "email", "firstName", "lastName", "phone", "country"] as const),
        ...(["firstDownloadAt", "lastDownloadAt", "totalDownloads"] as const),
      ])
      .select((eb) =>
        eb.case("consents.marketing").when(1).then("true").when(0).then("false").end().as("consentMarketing"),
      )
      .select(["consents.textVersion", "consents.languageCode", "consents.givenAt"])
      .orderBy("contacts.id", "desc");
    return this.#csv.read(query.compile(), { ...options, isLastFirst: false });
  }
}

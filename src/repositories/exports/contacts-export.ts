/** The contacts as CSV, the newest first, with what counts of each one's consents. */

import type { Db } from "../../db/kysely.ts";
import type { CsvReader } from "../../db/workers/csv-reader.ts";
import { consentStates } from "../consents.repository.ts";
import { type ContactFilter, filteredContacts } from "../contacts-list.ts";
import type { CsvExport, RecordsFormat, Stretch } from "./csv-export.ts";

/** Ids stay as they are: whoever downloads something meanwhile is neither left out nor told twice. */
export class ContactsExport implements CsvExport<ContactFilter, number> {
  readonly #db: Db;
  readonly #csv: CsvReader;
  readonly #textVersions: readonly string[];

  /** @param uses.textVersions whose yes counts; empty: of all texts */
  constructor(uses: { db: Db; csv: CsvReader; textVersions: readonly string[] }) {
    this.#db = uses.db;
    this.#csv = uses.csv;
    this.#textVersions = uses.textVersions;
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
  records(filter: ContactFilter, { after, upTo }: Stretch<number>, format: RecordsFormat) {
    const range = { first: upTo, end: after };
    const query = filteredContacts(this.#db, filter, range)
      .leftJoin(consentStates(this.#db, this.#textVersions, range).as("consent"), (join) =>
        join.onRef("consent.contactId", "=", "contacts.id"),
      )
      .select([
        "contacts.publicId",
        "email",
        "firstName",
        "lastName",
        "phone",
        "country",
        "firstDownloadAt",
        "lastDownloadAt",
        "totalDownloads",
      ])
      .select((eb) => [
        eb
          .case()
          .when("consent.state", "=", "agreed")
          .then("true")
          .when("consent.state", "is not", null)
          .then("false")
          .end()
          .as("consentMarketing"),
        "consent.textVersion",
        "consent.languageCode",
        "consent.givenAt",
        "consent.state",
      ])
      .orderBy("contacts.id", "desc");
    return this.#csv.read(query.compile(), { ...format, isLastFirst: false });
  }
}

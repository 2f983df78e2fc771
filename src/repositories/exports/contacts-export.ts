/** The contacts as CSV, newest first, with their consent states. */

import type { CsvReader } from "../../db/database.ts";
import type { Db } from "../../db/kysely.ts";
import { consentStates } from "../consents.repository.ts";
import { type ContactFilter, filteredContacts } from "../contacts-list.ts";
import type { CsvExport, RecordsFormat, RowRange } from "./csv-export.ts";

interface ContactsExportDeps {
  db: Db;
  csv: CsvReader;
  textVersions: readonly string[];
}

/**
 * Pages are ordered by id, which never changes: a contact who downloads during the export is neither omitted nor
 * repeated.
 */
export class ContactsExport implements CsvExport<ContactFilter, number> {
  readonly #deps: ContactsExportDeps;

  /** @param deps.textVersions text versions to which a consent is valid; empty: all */
  constructor(deps: ContactsExportDeps) {
    this.#deps = deps;
  }

  async findPageEnd(count: number, _: ContactFilter, after: number | undefined) {
    const row = await filteredContacts(this.#deps.db, {}, { end: after })
      .select("contacts.id")
      .orderBy("contacts.id", "desc")
      .limit(1)
      .offset(count - 1)
      .executeTakeFirst();
    return row?.id;
  }

  /** In the order of CONTACT_COLUMNS. */
  records(filter: ContactFilter, { after, upTo }: RowRange<number>, format: RecordsFormat) {
    const range = { first: upTo, end: after };
    const query = filteredContacts(this.#deps.db, filter, range)
      .leftJoin(consentStates(this.#deps.db, this.#deps.textVersions, range).as("consent"), (join) =>
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
    return this.#deps.csv.read(query.compile(), { ...format, isLastFirst: false });
  }
}

/** The contacts as CSV, newest first, with their consent states. */
import { sql } from "kysely";
import type { Db } from "../../db/kysely.ts";
import type { CsvReader } from "../../db/workers/csv-reader.ts";
import { CONSENT_STATES, MARKETING_BY_STATE, type Marketing } from "../../schemas/consents.schemas.ts";
import { LETTER_COLUMNS } from "../../schemas/contacts.schemas.ts";
import { type ConsentStateRow, selectConsentStates } from "../consents.repository.ts";
import type { ContactRow } from "../contacts.repository.ts";
import { type ContactFilter, selectFilteredContacts } from "../contacts-list.ts";
import type { CsvExport, RecordsFormat, RowRange } from "./csv-export.ts";

/** A contact who agreed to marketing, with the statement. */
export type Subscriber = Pick<
  ContactRow,
  "email" | "firstName" | "lastName" | "phone" | "country" | "verifiedAt"
> &
  Stated;

type Stated = Pick<ConsentStateRow, "textVersion" | "languageCode" | "givenAt">;

const STATED = CONSENT_STATES.map((state) => [state, MARKETING_BY_STATE[state]] as const);

/** The contacts of an export, and what it says of them. */
export interface ContactsExportFilter extends ContactFilter {
  /** What has waited for a confirmation since before doesn't wait any more. Epoch milliseconds. */
  pendingSince: number;
  /** Whether there are the columns of letters. */
  hasLetters: boolean;
}

interface ContactsExportDeps {
  pageEnds: Db;
  rows: Db;
  csv: CsvReader;
  textVersions: readonly string[];
}

/**
 * Pages are ordered by id, which never changes: a contact who downloads during the export is neither omitted nor
 * repeated.
 */
export class ContactsExport implements CsvExport<ContactsExportFilter, number> {
  readonly #deps: ContactsExportDeps;

  /** @param deps.textVersions text versions to which a consent is valid; empty: all */
  constructor(deps: ContactsExportDeps) {
    this.#deps = deps;
  }

  async findPageEnd(count: number, _: ContactsExportFilter, after: number | undefined) {
    const row = await selectFilteredContacts(this.#deps.pageEnds, {}, { end: after })
      .select("contacts.id")
      .orderBy("contacts.id", "desc")
      .limit(1)
      .offset(count - 1)
      .executeTakeFirst();
    return row?.id;
  }

  /** In the order of CONTACT_COLUMNS, and of LETTER_COLUMNS. */
  readRecords(filter: ContactsExportFilter, { after, upTo }: RowRange<number>, format: RecordsFormat) {
    const query = this.#withConsents(filter, { after, upTo })
      .select(["contacts.publicId", "email", "firstName", "lastName", "phone", "country"])
      .select(["firstDownloadAt", "lastDownloadAt", "totalDownloads"])
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
      .select((eb) => {
        const words = STATED.reduce(
          (cases, [state, marketing]) => cases.when("consent.state", "=", state).then(sql.lit(marketing)),
          eb.case().when("consent.state", "is", null).then(sql.lit<Marketing>("unknown")),
        );
        return [
          words.end().as("marketing"),
          eb.ref("consent.textVersion").as("marketingTextVersion"),
          eb.ref("consent.givenAt").as("marketingAt"),
        ];
      })
      .$if(filter.hasLetters, (rows) => rows.select(LETTER_COLUMNS))
      .orderBy("contacts.id", "desc");
    return this.#deps.csv.read(query.compile(), { ...format, isLastFirst: false });
  }

  /** The contacts of a range who agreed to marketing, as a newsletter program needs them. */
  subscribers(filter: ContactsExportFilter, range: RowRange<number>): Promise<Subscriber[]> {
    return this.#withConsents(filter, range)
      .where("consent.state", "=", "agreed")
      .select(["email", "firstName", "lastName", "phone", "country", "verifiedAt"])
      .select(["consent.textVersion", "consent.languageCode", "consent.givenAt"])
      .$narrowType<Stated>()
      .orderBy("contacts.id", "desc")
      .execute();
  }

  #withConsents(filter: ContactsExportFilter, { after, upTo }: RowRange<number>) {
    const range = { first: upTo, end: after };
    const { rows, textVersions } = this.#deps;
    const { pendingSince } = filter;
    const states = selectConsentStates(rows, { textVersions, pendingSince }, range);
    return selectFilteredContacts(rows, filter, range).leftJoin(states.as("consent"), (join) =>
      join.onRef("consent.contactId", "=", "contacts.id"),
    );
  }
}

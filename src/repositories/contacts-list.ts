/** Contacts by their latest download, with search and filters. */
import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Db } from "../db/kysely.ts";
import { hideFromIndex } from "../db/rows.ts";
import { allOf, type Schema } from "../db/schema.ts";
import type { CountryTerms } from "../lib/countries.ts";
import { listCases, type SearchWords } from "../lib/text.ts";
import {
  CONSENT_STATES,
  type ConsentState,
  MARKETING_BY_STATE,
  type Marketing,
} from "../schemas/consents.schemas.ts";
import {
  type ConsentRules,
  selectContactsInState,
  selectContactsWithStatements,
} from "./consents.repository.ts";
import type { ContactRange, ContactRow } from "./contacts.repository.ts";
import type { EventRow } from "./events.repository.ts";
import { deliversBook } from "./exports/download-log.ts";
import { countSelectedRows, type Page, Repository } from "./repository.ts";
import { matchContact } from "./search.ts";

interface FoundContact extends ContactRow {
  /** The total number of rows, if the statement for this page has determined it. */
  found?: number;
}

export class ContactsListQuery extends Repository {
  count(filter: ContactFilter): Promise<number> {
    return countSelectedRows(selectFilteredContacts(this.db, filter));
  }

  /** A page of all contacts. The index is in this order, so the rows of earlier pages are skipped in the index. */
  listLatest({ limit, offset }: Page): Promise<FoundContact[]> {
    const page = this.db
      .selectFrom("contacts")
      .select("id")
      .orderBy("lastDownloadAt", "desc")
      .orderBy("id", "desc")
      .limit(limit)
      .offset(offset);
    return this.db
      .selectFrom("contacts")
      .select(allOf("contacts"))
      .where("id", "in", page)
      .orderBy("lastDownloadAt", "desc")
      .orderBy("id", "desc")
      .execute();
  }

  /** A page of the matching contacts. The search runs once, for the page and for the total. */
  find(filter: ContactFilter, { limit, offset }: Page): Promise<FoundContact[]> {
    return this.db
      .with(
        (cte) => cte("found").materialized(),
        () => selectFilteredContacts(this.db, filter).select(["contacts.id", "contacts.lastDownloadAt"]),
      )
      .with("page", (db) =>
        db
          .selectFrom("found")
          .select(["id", "lastDownloadAt"])
          .orderBy("lastDownloadAt", "desc")
          .orderBy("id", "desc")
          .limit(limit)
          .offset(offset),
      )
      .selectFrom("page")
      .innerJoin("contacts", "contacts.id", "page.id")
      .select(allOf("contacts"))
      .select((eb) => {
        const found = eb.selectFrom("found").select((all) => all.fn.countAll<number>().as("total"));
        return found.$asScalar().$notNull().as("found");
      })
      .orderBy("page.lastDownloadAt", "desc")
      .orderBy("page.id", "desc")
      .execute();
  }
}

export interface MarketingFilter extends ConsentRules {
  state: Marketing;
}

/** The filter of a contact list. */
export interface ContactFilter {
  search?: SearchWords | undefined;
  /** The codes and names of a country; without codes if the name is unknown. */
  country?: CountryTerms | undefined;
  /** The cities that match the name, in the form of CitiesQuery; empty if there is none. */
  cities?: readonly string[] | undefined;
  languageId?: number | undefined;
  /** Delivered alone or within a whole language. */
  bookId?: string | undefined;
  utmCampaign?: string | undefined;
  marketing?: MarketingFilter | undefined;
  /** Whether the address is confirmed. */
  verified?: boolean | undefined;
  /** Epoch milliseconds, included. */
  from?: number | undefined;
  /** Epoch milliseconds, not included. */
  until?: number | undefined;
}

/**
 * The contacts that match the search and have one event that matches all event filters. The country is that of the
 * event or the one in the contact's form. Events aren't read if the contact row is sufficient: for a country from the
 * form, and for a single bound on the first or last download, if no other event filter is given.
 */
export function selectFilteredContacts(db: Db, filter: ContactFilter, range: ContactRange = {}) {
  const { search, country, from, until, marketing, verified } = filter;
  const { languageId, cities, bookId, utmCampaign } = filter;
  let query = db.selectFrom("contacts");
  if (range.first !== undefined) query = query.where("contacts.id", ">=", range.first);
  if (range.end !== undefined) query = query.where("contacts.id", "<", range.end);
  if (search !== undefined) query = query.where((eb) => matchContact(eb, search));
  if (verified !== undefined) query = query.where("contacts.verifiedAt", verified ? "is not" : "is", null);
  if (marketing !== undefined) query = query.where((eb) => hasMarketing(eb, db, marketing, range));
  const asked = [cities, languageId, bookId, utmCampaign, from, until].filter(
    (value) => value !== undefined,
  ).length;
  if (country !== undefined) {
    const there = selectEventsWithin(db, filter, range).where(isFrom(country, isRange(range)));
    const any = selectEvents(db, filter, true).where("contactId", "=", sql.ref<number>("contacts.id"));
    return query.where((eb) => {
      const isOwn = hasWritten(eb, country, isRange(range));
      return eb.or([asked > 0 ? eb.and([isOwn, eb.exists(any)]) : isOwn, eb("contacts.id", "in", there)]);
    });
  }
  if (asked === 1 && from !== undefined) return query.where("contacts.lastDownloadAt", ">=", from);
  if (asked === 1 && until !== undefined) return query.where("contacts.firstDownloadAt", "<", until);
  return asked > 0 ? query.where("contacts.id", "in", selectEventsWithin(db, filter, range)) : query;
}

/** A contact without a statement has no state. */
function hasMarketing(
  eb: ExpressionBuilder<Schema, "contacts">,
  db: Db,
  { state, ...rules }: MarketingFilter,
  range: ContactRange,
): Expression<SqlBool> {
  const statesOf = (matches: (marketing: Marketing) => boolean) =>
    CONSENT_STATES.filter((consent) => matches(MARKETING_BY_STATE[consent]));
  const contactsIn = (states: readonly ConsentState[]) => selectContactsInState(db, rules, range, states);
  // Without text versions, every statement counts.
  if (state === "unknown" && rules.textVersions.length === 0)
    return eb("contacts.id", "not in", selectContactsWithStatements(db, rules, range));
  return state === "unknown"
    ? eb("contacts.id", "not in", contactsIn(statesOf((marketing) => marketing !== "unknown")))
    : eb("contacts.id", "in", contactsIn(statesOf((marketing) => marketing === state)));
}

/** The contacts of the events that match a filter, without its country. */
function selectEventsWithin(db: Db, filter: ContactFilter, range: ContactRange) {
  let query = selectEvents(db, filter, isRange(range));
  if (range.first !== undefined) query = query.where("contactId", ">=", range.first);
  if (range.end !== undefined) query = query.where("contactId", "<", range.end);
  return query;
}

function selectEvents(
  db: Db,
  { cities, languageId, bookId, utmCampaign, from, until }: ContactFilter,
  isByContact: boolean,
) {
  let query = db
    .selectFrom("download_events")
    .select("contactId")
    .where("contactId", "is not", null)
    .$narrowType<{ contactId: number }>();
  // Uses the index of contacts with a city.
  if (cities !== undefined)
    query = query
      .where("city", "is not", null)
      .where(isOneOf(sql`lower(${field("city", isByContact)})`, cities));
  if (languageId !== undefined)
    query = query.where(field<number>("languageId", isByContact), "=", languageId);
  if (bookId !== undefined) query = query.where((eb) => deliversBook(eb, bookId));
  if (utmCampaign !== undefined) query = query.where("utmCampaign", "=", utmCampaign);
  if (from !== undefined) query = query.where(field<number>("downloadedAt", isByContact), ">=", from);
  if (until !== undefined) query = query.where(field<number>("downloadedAt", isByContact), "<", until);
  return query;
}

/** Matches the country of an event. Its name comes from the geolocation and can differ from ours. */
const isFrom = ({ codes, name }: CountryTerms, isByContact: boolean): RawBuilder<SqlBool> =>
  codes.length > 0
    ? sql<SqlBool>`${field("countryCode", isByContact)} in (${sql.join(codes)})`
    : isNamed(sql.ref("countryName"), name);

/** Matches the country in a contact's form. Uses the index of contacts with a country. */
function hasWritten(
  eb: ExpressionBuilder<Schema, "contacts">,
  { written, words }: CountryTerms,
  isByContact: boolean,
): Expression<SqlBool> {
  const isWhole = isOneOf(field("contacts.countryText", isByContact), written);
  const isCountry = words ? eb.or([isWhole, matchContact(eb, words, "contacts.countryText")]) : isWhole;
  return eb.and([eb("contacts.countryText", "<>", ""), isCountry]);
}

/**
 * Compares without regard to case. The database may fold only A to Z, so other letters are compared in the usual
 * spelling of names.
 */
const isNamed = (column: RawBuilder<string>, name: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`lower(${column}) in (${sql.join(listCases([name]).map((text) => sql`lower(${text})`))})`;

const isOneOf = (column: RawBuilder<string>, texts: readonly string[]): RawBuilder<SqlBool> =>
  texts.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`${column} in (${sql.join(texts)})`;

const field = <T = string>(name: string, isByContact: boolean): RawBuilder<T> =>
  isByContact ? hideFromIndex<T>(name) : sql.ref<T>(name);

const isRange = ({ first, end }: ContactRange): boolean => first !== undefined || end !== undefined;

/** The cities with downloads. */
export class CitiesQuery extends Repository {
  /**
   * Distinct names in the database's lower case, in which filters compare them. Each step asks the index for the next
   * name, so that only the names are read, not millions of events.
   */
  async listNames(): Promise<string[]> {
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
      select "name" from "cities" where "name" is not null`.execute(this.db);
    return rows.map(({ name }) => name);
  }
}

/** The downloads of a contact. */
export class ContactEventsQuery extends Repository {
  /** Newest first. */
  listLatest(contactId: number, limit: number): Promise<EventRow[]> {
    return this.#selectOfContact(contactId)
      .orderBy("downloadedAt", "desc")
      .orderBy("id", "desc")
      .limit(limit)
      .execute();
  }

  /** In descending order of id: the events before a given one, or the latest ones. */
  listBefore(contactId: number, id: number | undefined, limit: number): Promise<EventRow[]> {
    let query = this.#selectOfContact(contactId);
    if (id !== undefined) query = query.where("id", "<", id);
    return query.orderBy("id", "desc").limit(limit).execute();
  }

  #selectOfContact(contactId: number) {
    return this.db
      .selectFrom("download_events")
      .select(allOf("download_events"))
      .where("contactId", "=", contactId);
  }
}

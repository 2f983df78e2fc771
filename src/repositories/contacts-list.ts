/** Which contacts were there last? */
import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Db } from "../db/kysely.ts";
import { withoutIndex } from "../db/rows.ts";
import type { Schema } from "../db/schema.ts";
import type { CountryTerms } from "../lib/countries.ts";
import { casesOf, type SearchWords } from "../lib/text.ts";
import type { ContactRow } from "./contacts.repository.ts";
import type { EventRow } from "./events.repository.ts";
import { contactMentions } from "./search.ts";

interface Page {
  limit: number;
  offset: number;
}

export interface ListedContact extends ContactRow {
  /** The number of rows on all pages, if finding this page has determined it. */
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

/** Which contacts does a filter leave? */
export interface ContactFilter {
  search?: SearchWords | undefined;
  /** The codes and names of a country; without codes if no country has the name. */
  country?: CountryTerms | undefined;
  /** Those that the name means, as CitiesQuery has them; none when there is no such city. */
  cities?: readonly string[] | undefined;
  languageId?: number | undefined;
  /** Epoch milliseconds, included. */
  from?: number | undefined;
  /** Epoch milliseconds, not included. */
  until?: number | undefined;
}

/** Contacts by their ids; open where a bound isn't given. */
export interface ContactRange {
  /** Included. */
  first?: number | undefined;
  /** Not included. */
  end?: number | undefined;
}

/**
 * The contacts that are found by the search and of whom one event has all the rest. The country is that of the event or
 * what the contact wrote. What a contact tells is asked of no event: such a country, if nothing else is asked of events,
 * and whether the last download was after a time, or the first one before it, if that is all.
 */
export function filteredContacts(db: Db, filter: ContactFilter, range: ContactRange = {}) {
  const { search, country, from, until } = filter;
  let query = db.selectFrom("contacts");
  if (range.first !== undefined) query = query.where("contacts.id", ">=", range.first);
  if (range.end !== undefined) query = query.where("contacts.id", "<", range.end);
  if (search !== undefined) query = query.where((eb) => contactMentions(eb, search));
  const asked = [filter.cities, filter.languageId, from, until].filter((value) => value !== undefined).length;
  if (country !== undefined) {
    const there = eventsWithin(db, filter, range).where(isFrom(country, isRange(range)));
    const any = eventsOf(db, filter, true).where("contactId", "=", sql.ref<number>("contacts.id"));
    return query.where((eb) => {
      const isOwn = hasWritten(eb, country, isRange(range));
      return eb.or([asked > 0 ? eb.and([isOwn, eb.exists(any)]) : isOwn, eb("contacts.id", "in", there)]);
    });
  }
  if (asked === 1 && from !== undefined) return query.where("contacts.lastDownloadAt", ">=", from);
  if (asked === 1 && until !== undefined) return query.where("contacts.firstDownloadAt", "<", until);
  return asked > 0 ? query.where("contacts.id", "in", eventsWithin(db, filter, range)) : query;
}

/** The contacts of the events that a filter leaves, whatever their country. */
function eventsWithin(db: Db, filter: ContactFilter, range: ContactRange) {
  let query = eventsOf(db, filter, isRange(range));
  if (range.first !== undefined) query = query.where("contactId", ">=", range.first);
  if (range.end !== undefined) query = query.where("contactId", "<", range.end);
  return query;
}

function eventsOf(db: Db, { cities, languageId, from, until }: ContactFilter, isByContact: boolean) {
  let query = db
    .selectFrom("download_events")
    .select("contactId")
    .where("contactId", "is not", null)
    .$narrowType<{ contactId: number }>();
  // Its index has those who have a city.
  if (cities !== undefined)
    query = query
      .where("city", "is not", null)
      .where(isOneOf(sql`lower(${field("city", isByContact)})`, cities));
  if (languageId !== undefined)
    query = query.where(field<number>("languageId", isByContact), "=", languageId);
  if (from !== undefined) query = query.where(field<number>("downloadedAt", isByContact), ">=", from);
  if (until !== undefined) query = query.where(field<number>("downloadedAt", isByContact), "<", until);
  return query;
}

/** Of an event. Its name is the one that the geolocation gave, and needn't be the one by which we know the country. */
const isFrom = ({ codes, name }: CountryTerms, isByContact: boolean): RawBuilder<SqlBool> =>
  codes.length > 0
    ? sql<SqlBool>`${field("countryCode", isByContact)} in (${sql.join(codes)})`
    : isNamed(sql.ref("countryName"), name);

/** Of a contact. The index has those who have written something. */
function hasWritten(
  eb: ExpressionBuilder<Schema, "contacts">,
  { written, words }: CountryTerms,
  isByContact: boolean,
): Expression<SqlBool> {
  const isWhole = isOneOf(field("contacts.countryText", isByContact), written);
  const isSo = words ? eb.or([isWhole, contactMentions(eb, words, "contacts.countryText")]) : isWhole;
  return eb.and([eb("contacts.countryText", "<>", ""), isSo]);
}

/** In any case; for letters other than A to Z, the database may know none: they are looked for as names are written. */
const isNamed = (column: RawBuilder<string>, name: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`lower(${column}) in (${sql.join(casesOf([name]).map((text) => sql`lower(${text})`))})`;

const isOneOf = (column: RawBuilder<string>, texts: readonly string[]): RawBuilder<SqlBool> =>
  texts.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`${column} in (${sql.join(texts)})`;

const field = <T = string>(name: string, isByContact: boolean): RawBuilder<T> =>
  isByContact ? withoutIndex<T>(name) : sql.ref<T>(name);

const isRange = ({ first, end }: ContactRange): boolean => first !== undefined || end !== undefined;

/** From which cities were there downloads? */
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

/** What has a contact downloaded? */
export class ContactEventsQuery {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** The newest first. */
  latest(contactId: number, limit: number): Promise<EventRow[]> {
    return this.#ofContact(contactId)
      .orderBy("downloadedAt", "desc")
      .orderBy("id", "desc")
      .limit(limit)
      .execute();
  }

  /** In the order in which they came, the last first: those before an event, or the last of all. */
  listBefore(contactId: number, id: number | undefined, limit: number): Promise<EventRow[]> {
    let query = this.#ofContact(contactId);
    if (id !== undefined) query = query.where("id", "<", id);
    return query.orderBy("id", "desc").limit(limit).execute();
  }

  #ofContact(contactId: number) {
    return this.#db.selectFrom("download_events").selectAll().where("contactId", "=", contactId);
  }
}

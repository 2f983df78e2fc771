/** The download log, newest first. */
import { type Expression, type ExpressionBuilder, type Selectable, type SqlBool, sql } from "kysely";
import { selectIdentity } from "../../db/installation.ts";
import type { Db } from "../../db/kysely.ts";
import { hideFromIndex } from "../../db/rows.ts";
import { allOf, type Schema } from "../../db/schema.ts";
import { hasAny } from "../../db/searched-texts.ts";
import { countSelectedRows, type Page, Repository } from "../repository.ts";

export interface EventFilter {
  /** Epoch milliseconds, included. */
  from?: number | undefined;
  /** Epoch milliseconds, not included. */
  until?: number | undefined;
  languageId?: number | undefined;
  /** Events that delivered this book, alone or within a whole language. */
  bookId?: string | undefined;
  countryCode?: string | undefined;
  deviceType?: string | undefined;
  fileType?: string | undefined;
  utmSource?: string | undefined;
  utmMedium?: string | undefined;
  utmCampaign?: string | undefined;
  isRedeemed?: boolean | undefined;
  includeBots: boolean;
}

/** What an event must have in its title or the e-mail address of its contact. */
export interface SearchedWord {
  /** For `LIKE ... ESCAPE '\\'` over e-mail addresses. */
  patterns: readonly string[];
  /** The titles with the word; with `isExcluded`, those without it. */
  titles: readonly string[];
  isExcluded: boolean;
  /** Whether most addresses have it, as their domains can. Which events are found doesn't depend on this. */
  isFrequent: boolean;
}

/** The filter of the log and its export. */
export interface LogFilter extends EventFilter {
  /** The public id of the contact. */
  contactId?: string | undefined;
  words?: readonly SearchedWord[] | undefined;
}

export interface LoggedEvent extends Selectable<Schema["download_events"]> {
  contactPublicId: string | null;
  contactEmail: string | null;
  contactFirstName: string | null;
  contactLastName: string | null;
}

/** The position of an event in the log. */
export interface EventCursor {
  downloadedAt: number;
  id: number;
}

export interface EventSpan {
  first: number | null;
  last: number | null;
}

export class DownloadLogQuery extends Repository {
  /** Contacts are joined for this page only, not for the skipped rows. */
  list(filter: LogFilter, { limit, offset }: Page): Promise<LoggedEvent[]> {
    const page = selectFilteredEvents(this.db, filter)
      .select("download_events.id")
      .orderBy("downloadedAt", "desc")
      .orderBy("download_events.id", "desc")
      .limit(limit)
      .offset(offset);
    return selectLogged(this.db).where("download_events.id", "in", page).execute();
  }

  /**
   * Like `list` and `count`, for a filter with words, which reads all events and contacts: once, for the page and for the
   * total.
   */
  async find(filter: LogFilter, { limit, offset }: Page): Promise<{ rows: LoggedEvent[]; total: number }> {
    const page = await this.db
      .with(
        (cte) => cte("found").materialized(),
        () =>
          selectFilteredEvents(this.db, filter).select([
            "download_events.id",
            "download_events.downloadedAt",
          ]),
      )
      .selectFrom("found")
      .select("id")
      .select((eb) => {
        const found = eb.selectFrom("found as all").select((all) => all.fn.countAll<number>().as("total"));
        return found.$asScalar().$notNull().as("total");
      })
      .orderBy("downloadedAt", "desc")
      .orderBy("id", "desc")
      .limit(limit)
      .offset(offset)
      .execute();
    const [first] = page;
    // A page behind the last one has no row that could say it.
    if (first === undefined) return { rows: [], total: offset === 0 ? 0 : await this.count(filter) };
    const ids = page.map(({ id }) => id);
    const rows = await selectLogged(this.db).where("download_events.id", "in", ids).execute();
    return { rows, total: first.total };
  }

  count(filter: LogFilter): Promise<number> {
    return countSelectedRows(selectFilteredEvents(this.db, filter));
  }

  /** The times of the first and the last event in epoch milliseconds; nulls if there are none. */
  findSpan(): Promise<EventSpan> {
    const times = this.db.selectFrom("download_events");
    return this.db
      .selectNoFrom([
        times
          .select((eb) => eb.fn.min("downloadedAt").as("t"))
          .$asScalar()
          .as("first"),
        times
          .select((eb) => eb.fn.max("downloadedAt").as("t"))
          .$asScalar()
          .as("last"),
      ])
      .executeTakeFirstOrThrow();
  }
}

/** Events with their contacts, newest first. */
const selectLogged = (db: Db) =>
  db
    .selectFrom("download_events")
    .leftJoin("contacts", "contacts.id", "download_events.contactId")
    .select(allOf("download_events"))
    .select([
      "contacts.publicId as contactPublicId",
      "contacts.email as contactEmail",
      "contacts.firstName as contactFirstName",
      "contacts.lastName as contactLastName",
    ])
    .orderBy("download_events.downloadedAt", "desc")
    .orderBy("download_events.id", "desc");

/**
 * The events that match a filter.
 * @param isRange for a part of the events, whose contacts are looked up one by one; for all of them, the contacts with
 * a word are found once
 */
export function selectFilteredEvents(db: Db, filter: LogFilter, isRange = false) {
  let query = db.selectFrom("download_events");
  if (!filter.includeBots) query = query.where("isBot", "=", 0);
  if (filter.from !== undefined) query = query.where("downloadedAt", ">=", filter.from);
  if (filter.until !== undefined) query = query.where("downloadedAt", "<", filter.until);
  if (filter.languageId !== undefined) query = query.where("languageId", "=", filter.languageId);
  if (filter.countryCode !== undefined) query = query.where("countryCode", "=", filter.countryCode);
  if (filter.deviceType !== undefined) query = query.where("deviceType", "=", filter.deviceType);
  for (const column of ["fileType", "utmSource", "utmMedium", "utmCampaign"] as const) {
    const value = filter[column];
    if (value !== undefined) query = query.where(column, "=", value);
  }
  const { isRedeemed, contactId, words } = filter;
  if (isRedeemed !== undefined) query = query.where("redeemedAt", isRedeemed ? "is not" : "is", null);
  if (contactId !== undefined) {
    const contact = db.selectFrom("contacts").select("id").where("publicId", "=", contactId);
    query = query.where("contactId", "=", contact);
  }
  if (words !== undefined)
    query = query.where((eb) => eb.and(words.map((word) => mentions(eb, word, isRange))));
  const { bookId } = filter;
  if (bookId !== undefined) query = query.where((eb) => deliversBook(eb, bookId));
  return query;
}

/** Whether the event delivers the book, alone or within a whole language. */
export function deliversBook(eb: ExpressionBuilder<Schema, "download_events">, bookId: string) {
  const archives = eb
    .selectFrom("archive_books")
    .select("archiveId")
    .where("archive_books.bookId", "=", bookId);
  return eb.or([eb("download_events.bookId", "=", bookId), eb("archiveId", "in", archives)]);
}

function mentions(
  eb: ExpressionBuilder<Schema, "download_events">,
  { patterns, titles, isExcluded, isFrequent }: SearchedWord,
  isRange: boolean,
): Expression<SqlBool> {
  const contacts = eb.selectFrom("contacts").select("contacts.id");
  const hasWord = hasAny(sql.ref("contacts.email"), patterns);
  const isListed = titles.length === 0 ? eb.lit(false) : eb("bookTitle", "in", titles);
  // By the index, the events of all contacts with a frequent word would be looked up one by one.
  const contactId = hideFromIndex<number>("contactId");
  return eb.or([
    isExcluded ? eb.not(isListed) : isListed,
    isRange
      ? eb.exists(contacts.where(hasWord).whereRef("contacts.id", "=", "download_events.contactId"))
      : isFrequent
        ? eb.and([eb("contactId", "is not", null), eb(contactId, "not in", contacts.where(eb.not(hasWord)))])
        : eb(contactId, "in", contacts.where(hasWord)),
  ]);
}

/** The e-mail addresses of contacts. */
export class AddressesQuery extends Repository {
  /** Whether most of the newest addresses have one of the patterns. */
  async areMostLike(patterns: readonly string[]): Promise<boolean> {
    const newest = this.db.selectFrom("contacts").select("email").orderBy("id", "desc").limit(SAMPLE);
    const { all, matching } = await this.db
      .selectFrom(newest.as("newest"))
      .select((eb) => [
        eb.fn.countAll<number>().as("all"),
        eb.fn
          .countAll<number>()
          .filterWhere(hasAny(eb.ref("newest.email"), patterns))
          .as("matching"),
      ])
      .executeTakeFirstOrThrow();
    return 2 * matching > all;
  }
}

/** Enough for a share of half. */
const SAMPLE = 1000;

/** The newest event whose title was read. */
export interface TitlesMark {
  /** Of the database. */
  identity: string;
  /** 0 if there is no event. */
  id: number;
  downloadedAt: number | null;
}

/** The titles of events, as they were when the downloads were requested. */
export class EventTitlesQuery extends Repository {
  /** The distinct titles of the events after those of the mark, or of all if the table isn't the one that was read. */
  async after(mark: TitlesMark | undefined): Promise<{ titles: string[]; mark: TitlesMark }> {
    const { newest, newestAt, identity, markedAt } = await this.db
      .selectNoFrom((eb) => {
        const events = eb.selectFrom("download_events");
        return [
          events.select("id").orderBy("id", "desc").limit(1).as("newest"),
          events.select("downloadedAt").orderBy("id", "desc").limit(1).as("newestAt"),
          events
            .select("downloadedAt")
            .where("id", "=", mark?.id ?? 0)
            .as("markedAt"),
          selectIdentity(this.db).as("identity"),
        ];
      })
      .executeTakeFirstOrThrow();
    // Of a deleted event, all titles are read again, too.
    const continues = mark?.identity === identity && mark.downloadedAt === markedAt;
    const after = continues ? mark.id : 0;
    const titles = newest === null || newest <= after ? [] : await this.#list(after, newest);
    return { titles, mark: { identity, id: newest ?? 0, downloadedAt: newestAt } };
  }

  async #list(after: number, newest: number): Promise<string[]> {
    const rows = await this.db
      .selectFrom("download_events")
      .select("bookTitle")
      .distinct()
      .where("id", ">", after)
      .where("id", "<=", newest)
      .execute();
    return rows.map(({ bookTitle }) => bookTitle);
  }
}

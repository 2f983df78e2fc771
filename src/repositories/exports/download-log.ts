/** The download log, newest first. */
import type { Selectable } from "kysely";
import { allOf } from "../../db/columns.ts";
import type { Db } from "../../db/kysely.ts";
import type { DownloadEventsTable } from "../../db/schema.ts";
import { type Page, Repository } from "../repository.ts";

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
  includeBots: boolean;
}

export interface LoggedEvent extends Selectable<DownloadEventsTable> {
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
  list(filter: EventFilter, { limit, offset }: Page): Promise<LoggedEvent[]> {
    const page = filteredEvents(this.db, filter)
      .select("download_events.id")
      .orderBy("downloadedAt", "desc")
      .orderBy("download_events.id", "desc")
      .limit(limit)
      .offset(offset);
    return this.db
      .selectFrom("download_events")
      .leftJoin("contacts", "contacts.id", "download_events.contactId")
      .where("download_events.id", "in", page)
      .select(allOf("download_events"))
      .select([
        "contacts.email as contactEmail",
        "contacts.firstName as contactFirstName",
        "contacts.lastName as contactLastName",
      ])
      .orderBy("download_events.downloadedAt", "desc")
      .orderBy("download_events.id", "desc")
      .execute();
  }

  /** The times of the first and the last event in epoch milliseconds; nulls if there are none. */
  span(): Promise<EventSpan> {
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

/** The events that match a filter. */
export function filteredEvents(db: Db, filter: EventFilter) {
  let query = db.selectFrom("download_events");
  if (!filter.includeBots) query = query.where("isBot", "=", 0);
  if (filter.from !== undefined) query = query.where("downloadedAt", ">=", filter.from);
  if (filter.until !== undefined) query = query.where("downloadedAt", "<", filter.until);
  if (filter.languageId !== undefined) query = query.where("languageId", "=", filter.languageId);
  if (filter.countryCode !== undefined) query = query.where("countryCode", "=", filter.countryCode);
  if (filter.deviceType !== undefined) query = query.where("deviceType", "=", filter.deviceType);
  const { bookId } = filter;
  if (bookId !== undefined) {
    query = query.where((eb) =>
      eb.or([
        eb("bookId", "=", bookId),
        eb(
          "archiveId",
          "in",
          db.selectFrom("archive_books").select("archiveId").where("bookId", "=", bookId),
        ),
      ]),
    );
  }
  return query;
}

/** The event log as CSV, newest first. */
import { sql } from "kysely";
import type { Db } from "../../db/kysely.ts";
import { hideFromIndex } from "../../db/rows.ts";
import type { CsvReader } from "../../db/workers/csv-reader.ts";
import { DOWNLOAD_COLUMNS } from "../../schemas/analytics.schemas.ts";
import type { CsvExport, RecordsFormat, RowRange } from "./csv-export.ts";
import { type EventCursor, type LogFilter, selectFilteredEvents } from "./download-log.ts";

interface EventExportDeps {
  db: Db;
  csv: CsvReader;
}

/** The columns of the database for those of the export that have another name. */
const COLUMNS = new Map<string, string>([
  ["id", "download_events.id"],
  ["contactEmail", "contacts.email"],
  ["contactFirstName", "contacts.firstName"],
  ["contactLastName", "contacts.lastName"],
]);

/** Built once: for each page of a million events, this took most of the garbage on the event loop. */
const SELECTED = DOWNLOAD_COLUMNS.map((column) => sql.ref(COLUMNS.get(column) ?? column).as(column));

/** Rows that are written during the export may or may not be included. */
export class EventExport implements CsvExport<LogFilter, EventCursor> {
  readonly #deps: EventExportDeps;

  constructor(deps: EventExportDeps) {
    this.#deps = deps;
  }

  findPageEnd(count: number, { from, until }: LogFilter, after: EventCursor | undefined) {
    return this.#selectEvents({ from, until, includeBots: true }, { after, upTo: undefined }, "desc")
      .select(["downloadedAt", "download_events.id"])
      .limit(1)
      .offset(count - 1)
      .executeTakeFirst();
  }

  /**
   * In the order of DOWNLOAD_COLUMNS. Each range is read oldest first, because SQLite scans faster in this
   * direction.
   */
  readRecords(filter: LogFilter, range: RowRange<EventCursor>, format: RecordsFormat) {
    const { languageId, countryCode, contactId, ...others } = filter;
    let query = this.#selectEvents(others, range, "asc")
      .leftJoin("contacts", "contacts.id", "download_events.contactId")
      .select(SELECTED);
    // Otherwise all events of a language, country or contact would be read for each range.
    if (languageId !== undefined) query = query.where(hideFromIndex<number>("languageId"), "=", languageId);
    if (countryCode !== undefined) query = query.where(hideFromIndex("countryCode"), "=", countryCode);
    if (contactId !== undefined) {
      const contact = this.#deps.db.selectFrom("contacts").select("id").where("publicId", "=", contactId);
      query = query.where(hideFromIndex<number>("contactId"), "=", contact);
    }
    return this.#deps.csv.read(query.compile(), { ...format, isLastFirst: true });
  }

  #selectEvents(filter: LogFilter, { after, upTo }: RowRange<EventCursor>, order: "asc" | "desc") {
    const from = upTo?.downloadedAt ?? filter.from;
    const until = after ? after.downloadedAt + 1 : filter.until;
    let query = selectFilteredEvents(this.#deps.db, { ...filter, from, until }, true);
    // The bounds on the time let the index scan begin and end there; these conditions separate events with equal times.
    if (after) {
      const { downloadedAt, id } = after;
      query = query.where((eb) =>
        eb(eb.refTuple("downloadedAt", "download_events.id"), "<", eb.tuple(downloadedAt, id)),
      );
    }
    if (upTo) {
      const { downloadedAt, id } = upTo;
      query = query.where((eb) =>
        eb(eb.refTuple("downloadedAt", "download_events.id"), ">=", eb.tuple(downloadedAt, id)),
      );
    }
    return query.orderBy("downloadedAt", order).orderBy("download_events.id", order);
  }
}

/** Reads pages of counted events, as rows or as columns, and the campaigns of some. */
import { sql } from "kysely";
import type { Db } from "../../db/kysely.ts";
import { splitIntoBatches } from "../../lib/collections.ts";
import type { EventRow } from "../events.repository.ts";
import type { Campaign } from "./origins.ts";

/** The columns of an event that are counted. */
export interface CountedEvent extends Pick<EventRow, (typeof OF_EVENTS)[number]> {
  /** The time at which the archive was created. */
  archivedAt: number | null;
}

export const selectCountedEvents = (db: Db) =>
  db
    .selectFrom("download_events as event")
    .leftJoin("archives as archive", "archive.id", "event.archiveId")
    .select(OF_EVENTS.map((column) => `event.${column}` as const))
    .select("archive.createdAt as archivedAt");

export type EventQuery = ReturnType<typeof selectCountedEvents>;
export type ReadEvents = (db: Db, events: EventQuery) => Promise<CountedEvent[]>;

export const readRows: ReadEvents = (_db, events) => events.execute();

/**
 * Reads each column as one text with commas between the values; those within campaigns are escaped. From a server this
 * takes half of the processor time of rows; from SQLite it would take longer.
 */
export const readColumns: ReadEvents = async (db, events) => {
  const texts = await db
    .selectFrom(events.as("page"))
    .select((eb) => {
      const joinColumn = (column: keyof CountedEvent) => {
        const value = CAMPAIGN.has(column) ? escaped(column) : eb.cast<string | null>(column, "text");
        const text = eb.fn.coalesce(value, sql.lit(""));
        return eb.fn.agg<string | null>("string_agg", [text, sql.lit(",")]).as(column);
      };
      return COLUMNS.map(joinColumn);
    })
    .executeTakeFirstOrThrow();
  return parseEvents(texts);
};

const CAMPAIGN: ReadonlySet<string> = new Set(["utmSource", "utmMedium", "utmCampaign"]);

const escaped = (column: string) =>
  sql<string | null>`replace(replace(${sql.ref(column)}, '%', '%25'), ',', '%2C')`;
const unescaped = (text: string | undefined): string | null =>
  text ? text.replaceAll("%2C", ",").replaceAll("%25", "%") : null;

const OF_EVENTS = [
  "id",
  "downloadedAt",
  "redeemedAt",
  "contactId",
  "bookId",
  "archiveId",
  "booksCount",
  "languageId",
  "countryCode",
  "deviceType",
  "isBot",
  "fileType",
  "utmSource",
  "utmMedium",
  "utmCampaign",
] as const;
const COLUMNS = [...OF_EVENTS, "archivedAt"] as const;

function parseEvents(texts: Record<keyof CountedEvent, string | null>): CountedEvent[] {
  const valuesOf = (column: keyof CountedEvent) => texts[column]?.split(",") ?? [];
  const downloadedAt = valuesOf("downloadedAt");
  const redeemedAt = valuesOf("redeemedAt");
  const contactId = valuesOf("contactId");
  const bookId = valuesOf("bookId");
  const archiveId = valuesOf("archiveId");
  const archivedAt = valuesOf("archivedAt");
  const booksCount = valuesOf("booksCount");
  const languageId = valuesOf("languageId");
  const countryCode = valuesOf("countryCode");
  const deviceType = valuesOf("deviceType");
  const isBot = valuesOf("isBot");
  const fileType = valuesOf("fileType");
  const utmSource = valuesOf("utmSource");
  const utmMedium = valuesOf("utmMedium");
  const utmCampaign = valuesOf("utmCampaign");
  return valuesOf("id").map((id, row) => ({
    id: Number(id),
    downloadedAt: Number(downloadedAt[row]),
    redeemedAt: parseNumberOrNull(redeemedAt[row]),
    contactId: parseNumberOrNull(contactId[row]),
    bookId: bookId[row] || null,
    archiveId: archiveId[row] || null,
    archivedAt: parseNumberOrNull(archivedAt[row]),
    booksCount: Number(booksCount[row]),
    languageId: Number(languageId[row]),
    countryCode: countryCode[row] || null,
    deviceType: deviceType[row] ?? "",
    isBot: isBot[row] === "1" ? 1 : 0,
    fileType: fileType[row] ?? "",
    utmSource: unescaped(utmSource[row]),
    utmMedium: unescaped(utmMedium[row]),
    utmCampaign: unescaped(utmCampaign[row]),
  }));
}

const parseNumberOrNull = (text: string | undefined): number | null => (text ? Number(text) : null);

/** Limits the number of parameters of a statement. */
export const IDS_PER_STATEMENT = 500;

/** By event; those that were deleted are missing. */
export async function readCampaigns(db: Db, ids: readonly number[]): Promise<Map<number, Campaign>> {
  const campaigns = new Map<number, Campaign>();
  for (const some of splitIntoBatches(ids, IDS_PER_STATEMENT)) {
    const rows = await db
      .selectFrom("download_events")
      .select(["id", "utmSource", "utmMedium", "utmCampaign"])
      .where("id", "in", some)
      .execute();
    for (const { id, ...campaign } of rows) campaigns.set(id, campaign);
  }
  return campaigns;
}

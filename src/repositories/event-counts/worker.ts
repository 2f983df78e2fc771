/** The worker thread of the counts: holds all events in memory, and reads new ones before each response. */
import { workerData } from "node:worker_threads";
import type { DatabaseSource } from "../../db/database.ts";
import { openReaders } from "../../db/open-database.ts";
import { workerHandler } from "../../db/workers/worker-handler.ts";
import { type CountQuestion, type CountResponse, responseTo } from "./count-query.ts";
import { EventFeed, KeptEvents } from "./event-feed.ts";

/** An update takes five round trips to a server. */
const SERVER = { eventsAPage: 10_000, readsColumns: true };

let events: KeptEvents | undefined;

/** Opened by the first query, so that a failure only affects that query. */
async function openEvents(): Promise<KeptEvents> {
  const source: DatabaseSource = workerData;
  const options = source.kind === "postgres" ? SERVER : {};
  const { db, initial } = await openReaders(source);
  return new KeptEvents(new EventFeed(db, { ...options, initial }));
}

export default workerHandler(async (questions: readonly CountQuestion[]): Promise<CountResponse[]> => {
  events ??= await openEvents();
  const columns = await events.upToDate();
  return questions.map((question) => responseTo(columns, question));
});

/** The worker thread of the counts: holds all events in memory, and reads new ones before each response. */
import { workerData } from "node:worker_threads";
import { openReader } from "../../db/sqlite/connection.ts";
import { kyselyOver } from "../../db/kysely.ts";
import { withStatementCache } from "../../db/sqlite/statement-cache.ts";
import { workerHandler } from "../../db/workers/worker-handler.ts";
import { type CountQuestion, type CountResponse, responseTo } from "./count-query.ts";
import { EventFeed, KeptEvents } from "./event-feed.ts";

/** Each page is read once and in order, so a larger cache would only use memory. */
const CACHE_KIBIBYTES = 2048;

let events: KeptEvents | undefined;

/** Opened by the first query, so that a failure only affects that query. */
const openEvents = (): KeptEvents =>
  new KeptEvents(
    new EventFeed(kyselyOver(withStatementCache(openReader(String(workerData), CACHE_KIBIBYTES)))),
  );

export default workerHandler(async (questions: readonly CountQuestion[]): Promise<CountResponse[]> => {
  events ??= openEvents();
  const columns = await events.upToDate();
  return questions.map((question) => responseTo(columns, question));
});

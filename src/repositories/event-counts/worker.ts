/** The worker thread of the counts: holds all events in memory, and reads new ones before each response. */
import { workerData } from "node:worker_threads";
import { openReader } from "../../db/open-database.ts";
import { workerHandler } from "../../db/workers/worker-handler.ts";
import { type CountQuestion, type CountResponse, responseTo } from "./count-query.ts";
import { EventFeed, KeptEvents } from "./event-feed.ts";

let events: KeptEvents | undefined;

/** Opened by the first query, so that a failure only affects that query. */
const openEvents = async (): Promise<KeptEvents> =>
  new KeptEvents(new EventFeed(await openReader(workerData)));

export default workerHandler(async (questions: readonly CountQuestion[]): Promise<CountResponse[]> => {
  events ??= await openEvents();
  const columns = await events.upToDate();
  return questions.map((question) => responseTo(columns, question));
});

/** The worker thread of the counts: holds all events in memory, and reads new ones before each response. */
import { workerData } from "node:worker_threads";
import type { DatabaseSource } from "../../db/database.ts";
import { openReaders } from "../../db/open-database.ts";
import { lowerThreadPriority } from "../../db/workers/thread-priority.ts";
import { createWorkerHandler } from "../../db/workers/worker-handler.ts";
import { type CountQuestion, type CountResponse, createResponse } from "./count-query.ts";
import { EventFeed, KeptEvents } from "./event-feed.ts";
import { ReadingProgress } from "./reading-progress.ts";

export interface CountsData {
  source: DatabaseSource;
  /** Of the ReadingProgress. */
  progress: SharedArrayBuffer;
}

/** All events are to be read, or counts are wanted. */
export type CountsTask = "read" | readonly CountQuestion[];

/** An update takes five round trips to a server. */
const SERVER = { eventsAPage: 10_000, readsColumns: true };

let events: KeptEvents | undefined;

/** Opened by the first task, so that a failure only affects that task. */
async function openEvents(): Promise<KeptEvents> {
  const { source, progress }: CountsData = workerData;
  const options = source.kind === "postgres" ? SERVER : {};
  const { db, initial } = await openReaders(source);
  return new KeptEvents(new EventFeed(db, { ...options, initial }), {}, new ReadingProgress(progress));
}

/**
 * The response to `read` is empty. Undefined if all events have to be read before these counts. The reading has the
 * priority of the event loop, because a report may come to wait for it; what follows has a lower one.
 */
export default createWorkerHandler(async (task: CountsTask): Promise<CountResponse[] | undefined> => {
  if (task === "read") {
    events ??= await openEvents();
    await events.readUpToDate();
    lowerThreadPriority();
    return [];
  }
  const columns = await events?.updated();
  return columns && task.map((question) => createResponse(columns, question));
});

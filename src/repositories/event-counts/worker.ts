/** The worker thread of the counts: holds all events in memory, and reads new ones before each response. */
import { workerData } from "node:worker_threads";
import type { DatabaseSource } from "../../db/database.ts";
import type { Db } from "../../db/kysely.ts";
import { openReaders } from "../../db/open-database.ts";
import { lowerThreadPriority } from "../../db/workers/thread-priority.ts";
import { createWorkerHandler } from "../../db/workers/worker-handler.ts";
import type { CountQuestion, CountResponse } from "./count-query.ts";
import { EventFeed, KeptEvents } from "./event-feed.ts";
import { readCampaigns } from "./event-pages.ts";
import { ReadingProgress } from "./reading-progress.ts";
import { respondToAll } from "./responses.ts";

export interface CountsData {
  source: DatabaseSource;
  /** Of the ReadingProgress. */
  progress: SharedArrayBuffer;
}

/** All events are to be read, or counts are wanted. */
export type CountsTask = "read" | readonly CountQuestion[];

/** An update takes five round trips to a server. */
const SERVER = { eventsAPage: 10_000, readsColumns: true };

interface Opened {
  events: KeptEvents;
  db: Db;
}

let opened: Opened | undefined;

/** Opened by the first task, so that a failure only affects that task. */
async function open(): Promise<Opened> {
  const { source, progress }: CountsData = workerData;
  const options = source.kind === "postgres" ? SERVER : {};
  const { db, initial } = await openReaders(source);
  const feed = new EventFeed(db, { ...options, initial });
  return { events: new KeptEvents(feed, {}, new ReadingProgress(progress)), db };
}

/**
 * The response to `read` is empty. Undefined if all events have to be read before these counts. The reading has the
 * priority of the event loop, because a report may come to wait for it; what follows has a lower one.
 */
export default createWorkerHandler(async (task: CountsTask): Promise<CountResponse[] | undefined> => {
  if (task === "read") {
    opened ??= await open();
    await opened.events.readUpToDate();
    lowerThreadPriority();
    return [];
  }
  if (!opened) return undefined;
  const { events, db } = opened;
  const columns = await events.updated();
  return columns && respondToAll(columns, task, (ids) => readCampaigns(db, ids));
});

/** The worker thread of the counts: holds all events in memory, and reads new ones before each response. */
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

interface Opened extends AsyncDisposable {
  events: KeptEvents;
  db: Db;
}

async function open({ source, progress }: CountsData): Promise<Opened> {
  const options = source.kind === "postgres" ? SERVER : {};
  const { db, initial } = await openReaders(source);
  const feed = new EventFeed(db, { ...options, initial });
  return {
    events: new KeptEvents(feed, {}, new ReadingProgress(progress)),
    db,
    async [Symbol.asyncDispose]() {
      await Promise.all([...new Set([db, initial])].map((each) => each.destroy()));
    },
  };
}

/**
 * The response to `read` is empty. Undefined if all events have to be read before these counts.
 */
export default createWorkerHandler((data: CountsData) => {
  let opened: Opened | undefined;
  return {
    async respond(task: CountsTask): Promise<CountResponse[] | undefined> {
      if (task === "read") {
        opened ??= await open(data);
        await opened.events.readUpToDate();
        // Not before: a report may come to wait for the reading.
        lowerThreadPriority();
        return [];
      }
      if (!opened) return undefined;
      const { events, db } = opened;
      const columns = await events.updated();
      return columns && respondToAll(columns, task, (ids) => readCampaigns(db, ids));
    },
    close: () => opened?.[Symbol.asyncDispose](),
  };
});

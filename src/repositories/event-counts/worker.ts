/** The worker thread of the counts: it has all events in memory, and looks for new ones before it answers. */
import { z } from "zod";
import { openReader } from "../../db/connection.ts";
import { kyselyOver, withStatementCache } from "../../db/kysely.ts";
import { AskedWorker } from "../../db/workers/asked-worker.ts";
import { lowerThreadPriority, serveQuestions } from "../../db/workers/serve-questions.ts";
import { responseTo, taskOf } from "./answers.ts";
import { count } from "./counts.ts";
import { EventFeed } from "./event-feed.ts";
import { EventCountsKeeper } from "./keeper.ts";
import { type CountResponse, countQuestions } from "./protocol.ts";

/** Each page is read once, one after the other: more would only be memory. */
const CACHE_KIBIBYTES = 2048;

const deps = z.object({ database: z.string(), snapshot: z.string() });

// Its helper too: a thread begins with the priority of the one that starts it.
lowerThreadPriority();
serveQuestions((given) => {
  const { database, snapshot } = deps.parse(given);
  const reader = openReader(database, CACHE_KIBIBYTES);
  const feed = new EventFeed(kyselyOver(withStatementCache(reader)));
  const keeper = new EventCountsKeeper({ feed, snapshot });
  const helper = new AskedWorker(new URL("./helper.ts", import.meta.url));
  return {
    async response(message) {
      const questions = countQuestions.parse(message);
      const columns = await keeper.upToDate();
      const responses: CountResponse[] = [];
      for (const question of questions) {
        const task = taskOf(columns, question);
        const counted = task && (await count(task, (part) => helper.ask(part)));
        responses.push(responseTo(columns, question, counted));
      }
      return responses;
    },
    afterwards: () => keeper.save(),
  };
});

/** The priority of worker threads. Only Linux gives each thread its own; what same-priority.mjs takes from other tests, these have. */
import { readdirSync } from "node:fs";
import { constants, getPriority } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openSqlite } from "../../src/db/sqlite/database.ts";
import { EventCounts } from "../../src/repositories/event-counts/event-counts.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const { PRIORITY_BELOW_NORMAL: LOW } = constants.priority;

const lowPriorityThreads = (): number =>
  readdirSync("/proc/self/task").filter((thread) => getPriority(Number(thread)) === LOW).length;

it.runIf(process.platform === "linux")(
  "lowers the priority of threads for exports, and for reports when all events are read",
  async () => {
    const folder = createTempFolder();
    const file = join(folder, "database.sqlite");
    const database = await openSqlite(file, folder);
    const counts = new EventCounts({ kind: "sqlite", file });
    const unread = new EventCounts({ kind: "sqlite", file: `${file}-missing` });
    onTestFinished(async () => {
      await unread.close();
      await counts.close();
      await database.close();
    });
    const read = () =>
      database.csv.read(
        { sql: "select 1", parameters: [] },
        { raw: false, delimiter: "comma", isLastFirst: false },
      );
    await read();
    await read();
    expect(lowPriorityThreads()).toBe(2);
    // A report may come to wait for the reading of all events; here it fails.
    await expect(unread.countTotals({ includeBots: true })).rejects.toThrow("unable to open database file");
    expect(lowPriorityThreads()).toBe(2);
    await counts.countTotals({ includeBots: true });
    expect(lowPriorityThreads()).toBe(3);
    expect(getPriority()).toBe(constants.priority.PRIORITY_NORMAL);
  },
);

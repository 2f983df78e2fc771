/** The counts as the service asks for them: of worker threads, on a database that is written to in the meantime. */
import { renameSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { EventCounts } from "../../../src/repositories/event-counts/event-counts.ts";
import { givenEvent } from "../../support/event-rows.ts";
import { createEventsDatabase } from "../../support/events-database.ts";
import { watchStartedThreads } from "../../support/started-threads.ts";

const NOON = Date.UTC(2026, 2, 1, 12);
const all = { includeBots: true };

const event = givenEvent("2026-03-01T12:00Z", {
  contactId: 1,
  bookId: "book-1",
  countryCode: "KE",
  deviceType: "mobile",
});

async function setUp() {
  const { file, rows } = await createEventsDatabase();
  const counts = new EventCounts({ kind: "sqlite", file });
  onTestFinished(() => counts.close());
  return { file, rows, counts };
}

const downloadsOf = async (counts: EventCounts): Promise<number> => (await counts.countTotals(all)).downloads;

const messageOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => "It was answered",
    (error: Error) => error.message,
  );

it("the event counts of queries in one event-loop turn are of one state, also during writes", async () => {
  const { rows, counts } = await setUp();
  await counts.countTotals(all);
  let isAsking = true;
  const writing = (async () => {
    for (let written = 0; isAsking; written += 1) {
      await rows.insert({ ...event, languageId: written % 3, countryCode: written % 2 ? "KE" : "DE" });
      await nextTurn();
    }
  })();
  const seen: number[] = [];
  for (let round = 0; round < 30; round += 1) {
    const [{ downloads }, ...groupings] = await Promise.all([
      counts.countTotals(all),
      counts.countByLanguage(all),
      counts.countByCountry(all),
      counts.countByDevice(all),
      counts.countByBook(all),
      counts.countByPeriod(all, [NOON, NOON + 1]),
    ]);
    const sums = groupings.map((groups) => groups.reduce((sum, group) => sum + group.downloads, 0));
    expect(sums).toEqual(sums.map(() => downloads));
    seen.push(downloads);
  }
  isAsking = false;
  await writing;
  expect(seen).toEqual(seen.toSorted((one, other) => one - other));
  expect(new Set(seen).size).toBeGreaterThan(1);
});

it("a start reads the events before the first query if there are many", async () => {
  const { rows, counts } = await setUp();
  const threads = watchStartedThreads();
  await rows.insert(event);
  await counts.warmUp({ findNewestId: async () => 99_999 });
  expect(threads).toHaveLength(0);
  await counts.warmUp({ findNewestId: async () => 100_000 });
  expect(threads).toHaveLength(1);
  await rows.insert(event);
  expect(await downloadsOf(counts)).toBe(2);
  expect(threads).toHaveLength(1);
});

it("when the thread has crashed without a database all callers get an error, and the next query succeeds when it exists", async () => {
  const { file, rows, counts } = await setUp();
  await rows.insert(event);
  const missing = new EventCounts({ kind: "sqlite", file: `${file}-missing` });
  onTestFinished(() => missing.close());
  const asked = [
    missing.countTotals(all),
    missing.countByBook(all),
    nextTurn().then(() => missing.countTotals(all)),
  ];
  expect(await Promise.all(asked.map(messageOf))).toEqual(asked.map(() => "unable to open database file"));
  await counts.close();
  renameSync(file, `${file}-missing`);
  for (const end of ["-wal", "-shm"]) renameSync(file + end, `${file}-missing${end}`);
  expect(await downloadsOf(missing)).toBe(1);
});

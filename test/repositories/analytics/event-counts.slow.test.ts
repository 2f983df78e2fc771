/** The counts as the service asks for them: of worker threads, on a database that is written to in the meantime. */
import { renameSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { EventCounts } from "../../../src/repositories/event-counts/event-counts.ts";
import { givenEvent } from "../../support/event-rows.ts";
import { createEventsDatabase } from "../../support/events-database.ts";
import { readPrinted } from "../../support/run-cli.ts";
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

/** Of so many parts that something may happen before the response. */
const longQuestion = (counts: EventCounts): Promise<unknown>[] =>
  Array.from({ length: 1000 }, () => counts.countByBook(all));

describe("the event counts", () => {
  it("are those of each query, and zero without events", async () => {
    const { rows, counts } = await setUp();
    expect(await counts.countTotals(all)).toEqual({ downloads: 0, books: 0, redeemed: 0, contacts: 0 });
    expect(await counts.countByBook(all)).toEqual([]);
    await rows.insertArchive("archive", ["book-1", "book-2"]);
    await rows.insert({ ...event, redeemedAt: NOON });
    await rows.insert({ ...event, archiveId: "archive", booksCount: 2, countryCode: null, deviceType: "tv" });
    await rows.insert({ ...event, contactId: null, languageId: 2, isBot: 1, downloadedAt: NOON + 1000 });
    const one = { downloads: 1, books: 1, redeemed: 0, contacts: 1 };
    const two = { downloads: 2, books: 3, redeemed: 1, contacts: 1 };
    const filter = { includeBots: false };
    expect(await counts.countTotals(filter)).toEqual(two);
    expect(await counts.countByLanguage(filter)).toEqual([{ languageId: 1, ...two }]);
    expect(await counts.countByCountry(filter)).toEqual([
      { countryCode: "KE", ...one, redeemed: 1 },
      { countryCode: null, ...one, books: 2 },
    ]);
    expect(await counts.countByDevice(filter)).toEqual([
      { deviceType: "mobile", ...one, redeemed: 1 },
      { deviceType: "tv", ...one, books: 2 },
    ]);
    expect(await counts.countByPeriod(all, [NOON - 1000, NOON, NOON + 1000, NOON + 2000])).toEqual([
      { start: NOON, ...two },
      { start: NOON + 1000, ...one, contacts: 0 },
    ]);
    expect(await counts.countByBook(filter)).toEqual([
      { bookId: "book-1", downloads: 1, books: 2, redeemed: 1, contacts: 1 },
      { bookId: "book-2", downloads: 0, books: 1, redeemed: 0, contacts: 1 },
    ]);
  });

  it("include everything that is committed before a query", async () => {
    const { rows, counts } = await setUp();
    for (let round = 1; round <= 10; round += 1) {
      await rows.insert(event);
      await rows.change([round], { redeemedAt: NOON });
      expect(await counts.countTotals(all)).toMatchObject({ downloads: round, redeemed: round });
    }
    await rows.remove(await rows.findIds(({ id }) => id > 2));
    expect(await counts.countTotals(all)).toMatchObject({ downloads: 2, redeemed: 2 });
  });

  it("of queries in one event-loop turn are of one state, also during writes", async () => {
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
});

describe("a start", () => {
  it("reads the events before the first query if there are many", async () => {
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
});

describe("when the thread has crashed", () => {
  it("waiting callers get an error, and the next query succeeds", async () => {
    const { rows, counts } = await setUp();
    const threads = watchStartedThreads();
    await rows.insert(event);
    expect(await downloadsOf(counts)).toBe(1);
    const waiting = Promise.all(longQuestion(counts).map(messageOf));
    await nextTurn();
    await threads[0]?.terminate();
    for (const message of await waiting) expect(message).toContain("worker exited");
    await rows.insert(event);
    expect(await downloadsOf(counts)).toBe(2);
  });

  it("without a database all callers get an error, and the next query succeeds when it exists", async () => {
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
});

describe("when the counts are closed,", () => {
  it("waiting and later callers get an error", async () => {
    const { counts } = await setUp();
    await counts.countTotals(all);
    const sent = Promise.all(longQuestion(counts).map(messageOf));
    await nextTurn();
    const unsent = messageOf(counts.countByBook(all));
    await counts.close();
    for (const message of await sent) expect(message).toContain("Terminating worker thread");
    expect(await unsent).toBe("The thread has been closed");
    await expect(counts.countTotals(all)).rejects.toThrow("The thread has been closed");
    await counts.close();
  });
});

describe("the process", () => {
  it("waits for a result, and isn't kept alive by the counts afterwards", async () => {
    const { file, rows } = await setUp();
    await rows.insert(event);
    const module = new URL("../../../src/repositories/event-counts/event-counts.ts", import.meta.url);
    const script = `import { EventCounts } from ${JSON.stringify(module.href)};
      const counts = new EventCounts({ kind: "sqlite", file: ${JSON.stringify(file)} });
      counts.countTotals({ includeBots: true }).then(({ downloads }) => console.log(downloads));`;
    expect(await readPrinted(script)).toBe("1\n");
  });
});

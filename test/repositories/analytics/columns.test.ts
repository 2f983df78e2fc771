/** The parts of the model that only large or strange numbers reach. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CountedEvent, EventColumns } from "../../../src/repositories/event-counts/event-columns.ts";
import { Dictionary } from "../../../src/repositories/event-counts/items.ts";
import { responseOf } from "../../support/column-responses.ts";

const event: CountedEvent = {
  id: 1,
  downloadedAt: Date.UTC(2026, 0),
  redeemedAt: null,
  contactId: 1,
  bookId: "book-1",
  archiveId: null,
  archivedAt: null,
  booksCount: 1,
  languageId: 1,
  countryCode: "KE",
  deviceType: "mobile",
  isBot: 0,
};

function columnsOf(events: readonly Partial<CountedEvent>[]): EventColumns {
  const columns = new EventColumns();
  for (const [index, each] of events.entries()) columns.add({ ...event, id: index + 1, ...each }, () => []);
  return columns;
}

interface Page {
  added: number;
  changed: readonly number[];
  gone: readonly number[];
  isMerged: boolean;
}

/** Columns, and which events are in them. */
class LiveEvents {
  readonly #columns = new EventColumns();
  readonly #live = new Set<number>();
  #newest = 0;

  take({ added, changed, gone, isMerged }: Page): void {
    this.#columns.remove(new Set([...changed, ...gone].filter((id) => id <= this.#newest)));
    for (const id of gone) this.#live.delete(id);
    for (const id of changed) if (this.#live.has(id)) this.#add(id);
    for (let count = 0; count < added; count += 1) this.#add(++this.#newest);
    if (isMerged) this.#columns.merge();
  }

  async expectAll(): Promise<void> {
    const rows = await responseOf(this.#columns, { by: "language", filter: { includeBots: true } });
    const found = rows.map(({ key, downloads }) => `${key}: ${downloads}`);
    expect(found.toSorted()).toEqual(Array.from(this.#live, (id) => `${id}: 1`).toSorted());
  }

  /** By language each event is told from the others. */
  #add(id: number): void {
    this.#live.add(id);
    const archiveId = id % 2 === 0 ? null : "archive";
    this.#columns.add({ ...event, id, languageId: id, contactId: 1 + (id % 3), archiveId }, () => []);
  }
}

describe("events that change and go", () => {
  const some = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 4 });
  const page = fc.record({ added: fc.nat(3), changed: some, gone: some, isMerged: fc.boolean() });

  it("are counted once or not at all, wherever their rows are", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(page, fc.boolean()), { maxLength: 12 }), async (pages) => {
        const events = new LiveEvents();
        for (const [page, isAsked] of pages) {
          events.take(page);
          if (isAsked) await events.expectAll();
        }
        await events.expectAll();
      }),
      { numRuns: 500 },
    );
  });
});

describe("columns with many words", () => {
  it.each([
    ["language", (number: number) => ({ languageId: number })],
    ["country", (number: number) => ({ countryCode: `${number}` })],
    ["device", (number: number) => ({ deviceType: `${number}` })],
    ["book", (number: number) => ({ bookId: `${number}` })],
  ] as const)("tell events apart by %s, wherever their rows are", (by, wordOf) => {
    const columns = new EventColumns();
    const addTo = (from: number, until: number) => {
      for (let id = from; id < until; id += 1) columns.add({ ...event, id, ...wordOf(id) }, () => []);
    };
    const expectEach = (count: number) => {
      const rows = responseOf(columns, { by, filter: { includeBots: false } });
      const found = rows.map(({ key, downloads }) => [Number(key), downloads]);
      expect(found).toEqual(Array.from({ length: count }, (_, index) => [index + 1, 1]));
    };
    addTo(1, 200);
    columns.merge();
    addTo(200, 300);
    expectEach(299);
  });

  it("know more whole languages than there are numbers of two bytes", () => {
    const LAST = 2 ** 16 + 1;
    const columns = new EventColumns();
    for (let id = 1; id <= LAST; id += 1) {
      const books = id === LAST ? ["book-1"] : [];
      columns.add({ ...event, id, bookId: null, archiveId: `${id}`, booksCount: id }, () => books);
    }
    const filter = { bookId: "book-1", includeBots: false };
    expect(responseOf(columns, { by: "everything", filter })).toMatchObject([{ downloads: 1, books: LAST }]);
  });
});

describe("columns reject what they can't hold:", () => {
  it("more words than a column has numbers for", () => {
    const languages = new Dictionary<number>();
    for (let language = 0; language < 2 ** 16; language += 1) languages.numberOf(language);
    expect(() => languages.numberOf(2 ** 16)).toThrow("can't tell more than 65536 words apart");
    expect(languages.numberOf(2 ** 16 - 1)).toBe(2 ** 16 - 1);
    expect(languages.find(2 ** 16)).toBe(undefined);
  });

  it.each([
    ["an event's number", { id: 2 ** 32 }, { id: 2 ** 32 - 1 }],
    ["a contact's number", { contactId: 2 ** 29 }, { contactId: 2 ** 29 - 1 }],
    ["a time before 1970", { downloadedAt: -1 }, { downloadedAt: 0 }],
    ["a time after 2106", { downloadedAt: 2 ** 32 * 1000 }, { downloadedAt: 2 ** 32 * 1000 - 1 }],
  ])("%s", async (_, rejected, held) => {
    expect(() => columnsOf([rejected])).toThrow("has no place in the columns");
    const all = await responseOf(columnsOf([held]), { by: "everything", filter: { includeBots: false } });
    expect(all).toMatchObject([{ downloads: 1 }]);
  });
});

describe("a clock that has gone astray", () => {
  const HALF = 2 ** 31 * 1000;
  const times = [0, 1, 1999, HALF - 1000, HALF - 1, HALF, HALF + 1000, 2 * HALF - 1000, 2 * HALF - 1];
  const ends = [...times, 2 * HALF, -HALF, 3 * HALF].toSorted((one, other) => one - other);
  const columns = columnsOf(
    times.map((downloadedAt) => ({ downloadedAt, isBot: downloadedAt === 1999 ? 1 : 0 })),
  );
  columns.remove(new Set([2]));
  const counted = times.filter((time) => time !== 1 && time !== 1999);
  const within = (from: number, until: number) =>
    counted.filter((time) => from <= time && time < until).length;

  it.each(ends)("finds a time from %i on", async (from) => {
    for (const until of ends) {
      const filter = { from, until, includeBots: false };
      const [all = { downloads: 0 }] = await responseOf(columns, { by: "everything", filter });
      expect(all.downloads).toBe(within(from, until));
    }
  });

  it("leaves each time in its period", async () => {
    const filter = { includeBots: false };
    const starts = [0, 1000, HALF, HALF + 500, 2 * HALF - 500, 2 * HALF];
    const response = await responseOf(columns, { by: "period", filter, starts: Float64Array.from(starts) });
    const expected = starts.map((start, index) => [start, within(start, starts[index + 1] ?? start)]);
    expect(response.map(({ key, downloads }) => [key, downloads])).toEqual(
      expected.filter(([, count]) => count !== 0),
    );
  });
});

/** The parts of the model that only large or strange numbers reach. */
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

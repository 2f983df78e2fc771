/** The parts of the model that only large or strange numbers reach. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ContactNumbers,
  NOBODY,
  roomForIds,
} from "../../../src/repositories/analytics/columns/contact-numbers.ts";
import { Dictionary } from "../../../src/repositories/analytics/columns/dictionary.ts";
import {
  type CountedEvent,
  EventColumns,
} from "../../../src/repositories/analytics/columns/event-columns.ts";
import { EventRows, MOST_ROWS } from "../../../src/repositories/analytics/columns/rows.ts";
import { answerOf } from "../../support/column-answers.ts";

const event: CountedEvent = {
  ...{ id: 1, downloadedAt: Date.UTC(2026, 0), redeemedAt: null, contactId: "Sara", bookId: "book-1" },
  ...{ archiveId: null, archivedAt: null, booksCount: 1, languageId: 1, countryCode: "KE" },
  ...{ deviceType: "mobile", isBot: 0 },
};

function columnsOf(events: readonly Partial<CountedEvent>[]): EventColumns {
  const columns = new EventColumns();
  for (const [index, each] of events.entries()) columns.add({ ...event, id: index + 1, ...each }, () => []);
  return columns;
}

describe("the numbers of contacts", () => {
  const digit = (digits: string) => fc.constantFrom(...digits);
  /** Few of their digits differ, and those all over: many have parts in common. */
  const uuid = fc
    .array(digit("01f"), { minLength: 4, maxLength: 4 })
    .map(([one, two, three, four]) => `${one}0000000-0000-000${two}-0000-000${three}0000000${four}`);
  const other = fc.constantFrom("", "Sara", "0", "0".repeat(36), `${"f".repeat(36)}`);
  const spelling = fc
    .tuple(uuid, fc.constantFrom("F", "g", "é", "-", "0"))
    .map(([id, letter]) => letter + id.slice(1));
  const dashless = fc
    .tuple(uuid, fc.constantFrom(8, 13, 18, 23))
    .map(([id, place]) => `${id.slice(0, place)}0${id.slice(place + 1)}`);
  const longer = uuid.map((id) => `${id}0`);
  const ids = fc.array(fc.option(fc.oneof(uuid, uuid, other, spelling, dashless, longer)), { maxLength: 60 });

  it("are the same for the same contact only, also after they were written and read", () => {
    fc.assert(
      fc.property(ids, ids, (before, after) => {
        const known = new Map<string | null, number>([[null, NOBODY]]);
        const numbers = new ContactNumbers();
        const expectNumber = (numbers: ContactNumbers, id: string | null) => {
          if (!known.has(id)) known.set(id, known.size);
          expect(numbers.numberOf(id)).toBe(known.get(id));
        };
        for (const id of before) expectNumber(numbers, id);
        const written = roomForIds(numbers.size);
        written.set(numbers.ids);
        const restored = new ContactNumbers(written, numbers.others);
        for (const id of [...before, ...after]) expectNumber(restored, id);
        expect(restored.size).toBe(known.size);
      }),
      { numRuns: 300 },
    );
  });

  it.each<[string, (hex: string) => string]>([
    ["begin", (hex) => `${hex}-1a34-772b-a309-dba157e20a81`],
    ["go on", (hex) => `01a1fb60-${hex.slice(0, 4)}-${hex.slice(4)}-a309-dba157e20a81`],
    ["go on later", (hex) => `01a1fb60-1a34-772b-${hex.slice(0, 4)}-${hex.slice(4)}57e20a81`],
    ["end", (hex) => `01a1fb60-1a34-772b-a309-dba1${hex}`],
  ])("stay while there are more and more contacts whose ids differ in how they %s", (_, idOf) => {
    const numbers = new ContactNumbers();
    const all = Array.from({ length: 5000 }, (_, index) => idOf(index.toString(16).padStart(8, "0")));
    expect(all.map((id) => numbers.numberOf(id))).toEqual(all.map((_, index) => index + 1));
    expect(all.map((id) => numbers.numberOf(id))).toEqual(all.map((_, index) => index + 1));
    const restored = new ContactNumbers(numbers.ids, numbers.others);
    expect(all.map((id) => restored.numberOf(id))).toEqual(all.map((_, index) => index + 1));
    expect(numbers.ids).toHaveLength(4 * 5001);
  });

  it("stay when their places at the end of a table are taken", () => {
    for (let table = 0; table < 50; table += 1) {
      const numbers = new ContactNumbers();
      const ids = Array.from(
        { length: 500 },
        (_, index) => `01a1fb60-1a34-772b-a309-${1e11 + table * 1e6 + index}`,
      );
      for (let round = 0; round < 2; round += 1) for (const id of ids) numbers.numberOf(id);
      expect(numbers.size).toBe(501);
    }
  });
});

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
    const rows = await answerOf(this.#columns, { by: "language", filter: { includeBots: true } });
    const found = rows.map(({ key, downloads }) => `${key}: ${downloads}`);
    expect(found.toSorted()).toEqual(Array.from(this.#live, (id) => `${id}: 1`).toSorted());
  }

  /** By language each event is told from the others. */
  #add(id: number): void {
    this.#live.add(id);
    const archiveId = id % 2 === 0 ? null : "archive";
    this.#columns.add({ ...event, id, languageId: id, contactId: `contact-${id % 3}`, archiveId }, () => []);
  }
}

describe("events that change and go", () => {
  const some = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 4 });
  const page = fc.record({ added: fc.nat(3), changed: some, gone: some, isMerged: fc.boolean() });

  it("are there once or not at all, wherever their rows are and whoever counts them", async () => {
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

describe("columns refuse what they can't hold:", () => {
  it("more words than a column has numbers for", () => {
    const languages = new Dictionary<number>();
    for (let language = 0; language < 2 ** 16; language += 1) languages.numberOf(language);
    expect(() => languages.numberOf(2 ** 16)).toThrow("can't tell more than 65536 words apart");
    expect(languages.numberOf(2 ** 16 - 1)).toBe(2 ** 16 - 1);
    expect(languages.find(2 ** 16)).toBe(undefined);
  });

  it("more rows than there is room for", () => {
    expect(() => new EventRows(MOST_ROWS).reserve(MOST_ROWS + 1)).toThrow(RangeError);
  });

  it.each([
    ["an event's number", { id: 2 ** 32 }, { id: 2 ** 32 - 1 }],
    ["a time before 1970", { downloadedAt: -1 }, { downloadedAt: 0 }],
    ["a time after 2106", { downloadedAt: 2 ** 32 * 1000 }, { downloadedAt: 2 ** 32 * 1000 - 1 }],
  ])("%s", async (_, refused, held) => {
    expect(() => columnsOf([refused])).toThrow("has no place in the columns");
    const all = await answerOf(columnsOf([held]), { by: "everything", filter: { includeBots: false } });
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

  it.each(ends)("doesn't keep a time from being found from %i on", async (from) => {
    for (const until of ends) {
      const filter = { from, until, includeBots: false };
      const [all = { downloads: 0 }] = await answerOf(columns, { by: "everything", filter });
      expect(all.downloads).toBe(within(from, until));
    }
  });

  it("leaves each time in its period", async () => {
    const filter = { includeBots: false };
    const starts = [0, 1000, HALF, HALF + 500, 2 * HALF - 500, 2 * HALF];
    const answer = await answerOf(columns, { by: "period", filter, starts: Float64Array.from(starts) });
    const expected = starts.map((start, index) => [start, within(start, starts[index + 1] ?? start)]);
    expect(answer.map(({ key, downloads }) => [key, downloads])).toEqual(
      expected.filter(([, count]) => count !== 0),
    );
  });
});

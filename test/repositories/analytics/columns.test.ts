/** What the model holds at most. */
import { describe, expect, it } from "vitest";
import { countCampaigns } from "../../../src/repositories/event-counts/campaign-counts.ts";
import { NONE } from "../../../src/repositories/event-counts/counts.ts";
import { EventColumns } from "../../../src/repositories/event-counts/event-columns.ts";
import type { CountedEvent } from "../../../src/repositories/event-counts/event-pages.ts";
import { Dictionary } from "../../../src/repositories/event-counts/items.ts";
import { respondToAll } from "../../../src/repositories/event-counts/responses.ts";
import { countInColumns } from "../../support/column-responses.ts";

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
  fileType: "epub",
  utmSource: null,
  utmMedium: null,
  utmCampaign: null,
};

function columnsOf(events: readonly Partial<CountedEvent>[]): EventColumns {
  const columns = new EventColumns();
  for (const [index, each] of events.entries()) columns.add({ ...event, id: index + 1, ...each }, () => []);
  return columns;
}

it("columns distinguish more ZIPs of languages than two bytes can number", () => {
  const LAST = 2 ** 16 + 1;
  const columns = new EventColumns();
  for (let id = 1; id <= LAST; id += 1) {
    const books = id === LAST ? ["book-1"] : [];
    columns.add({ ...event, id, bookId: null, archiveId: `${id}`, booksCount: id }, () => books);
  }
  const filter = { bookId: "book-1", includeBots: false };
  expect(countInColumns(columns, { by: "everything", filter })).toMatchObject([
    { downloads: 1, books: LAST },
  ]);
});

it("keep the totals of a filter once for all pages of the event log", () => {
  const columns = columnsOf([{}, { countryCode: "DE" }]);
  const pages = [1, 2, 3].map((page) => ({ includeBots: false, countryCode: "KE", page, limit: 50 }));
  for (const filter of pages)
    expect(countInColumns(columns, { by: "everything", filter })).toMatchObject([{ downloads: 1 }]);
  expect(columns.keptTotals.size).toBe(1);
  countInColumns(columns, { by: "everything", filter: { includeBots: true, countryCode: "KE" } });
  expect(columns.keptTotals.size).toBe(2);
});

/** Of seven contacts. */
const columnsOfCampaigns = (campaigns: readonly (string | null)[]): EventColumns =>
  columnsOf(campaigns.map((utmCampaign, index) => ({ utmCampaign, contactId: 1 + (index % 7) })));

it("answer a question by campaign with no more rows than it asks for, and the sums of the others", () => {
  const columns = columnsOfCampaigns(["rare", "many", "some", "many", "some", "many", "last", null]);
  const filter = { includeBots: false };
  expect(countCampaigns(columns, { by: "campaign", limit: 3, filter })).toEqual({
    keys: [1, 2, 3],
    downloads: Float64Array.of(1, 3, 2),
    books: Float64Array.of(1, 3, 2),
    redeemed: Float64Array.of(0, 0, 0),
    contacts: Float64Array.of(1, 3, 2),
    others: { groups: 2, downloads: 2, books: 2, contacts: 2 },
  });
});

it("count all again without events that are deleted before their campaigns are read", async () => {
  const columns = columnsOfCampaigns(["gone", "news", "gone", "news", "gone"]);
  const there = new Map(
    [2, 4, 5].map((id) => [id, { utmSource: null, utmMedium: null, utmCampaign: `${id}` }]),
  );
  const filter = { includeBots: false };
  const [all, byCampaign] = await respondToAll(
    columns,
    [
      { by: "everything", filter },
      { by: "campaign", limit: 10, filter },
    ],
    async (ids) => new Map(ids.flatMap((id) => ofEntry(id, there.get(id)))),
  );
  expect(all?.downloads).toEqual(Float64Array.of(3));
  expect(byCampaign?.keys).toEqual(["\n\n2", "\n\n5"]);
  expect(byCampaign?.downloads).toEqual(Float64Array.of(2, 1));
});

const ofEntry = <V>(key: number, value: V | undefined): [number, V][] => (value ? [[key, value]] : []);

it("hold no more of the questions that were asked than 32 MiB", () => {
  const columns = columnsOf([{}]);
  const MILLION = 2 ** 20;
  const totals = (length: number) => {
    const values = new Float64Array(length);
    return { downloads: values, redeemed: values, contacts: values, books: values, furtherContacts: NONE };
  };
  for (const question of ["one", "two", "three"]) columns.keptTotals.set(question, totals(MILLION / 2 - 1));
  expect([...columns.keptTotals.keys()]).toEqual(["three", "two"]);
  columns.keptTotals.set("large", totals(MILLION));
  expect(columns.keptTotals.has("large")).toBe(false);
});

describe("columns reject values that they can't hold:", () => {
  it("more values than a column has numbers for", () => {
    const languages = new Dictionary<number>();
    for (let language = 0; language < 2 ** 16; language += 1) languages.addWord(language);
    expect(() => languages.addWord(2 ** 16)).toThrow("has room for 65536 different values");
    expect(languages.addWord(2 ** 16 - 1)).toBe(2 ** 16 - 1);
    expect(languages.find(2 ** 16)).toBe(undefined);
  });

  it.each([
    ["an event's number", { id: 2 ** 32 }, { id: 2 ** 32 - 1 }],
    ["a contact's number", { contactId: 2 ** 29 }, { contactId: 2 ** 29 - 1 }],
    ["a time before 1970", { downloadedAt: -1 }, { downloadedAt: 0 }],
    ["a time after 2106", { downloadedAt: 2 ** 32 * 1000 }, { downloadedAt: 2 ** 32 * 1000 - 1 }],
  ])("%s", async (_, rejected, held) => {
    expect(() => columnsOf([rejected])).toThrow("has no place in the columns");
    const all = await countInColumns(columnsOf([held]), { by: "everything", filter: { includeBots: false } });
    expect(all).toMatchObject([{ downloads: 1 }]);
  });
});

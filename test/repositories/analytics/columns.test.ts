/** What the model holds at most. */
import { describe, expect, it } from "vitest";
import { NONE } from "../../../src/repositories/event-counts/counts.ts";
import { EventColumns } from "../../../src/repositories/event-counts/event-columns.ts";
import type { CountedEvent } from "../../../src/repositories/event-counts/event-pages.ts";
import { Dictionary } from "../../../src/repositories/event-counts/items.ts";
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

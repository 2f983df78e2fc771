/** What the overview works out by itself. */
import { expect, it } from "vitest";
import { isOldCityDatabase } from "../../console/src/lib/city-database.ts";
import { writeCsv } from "../../console/src/lib/csv.ts";
import { chooseIncomplete, chooseLanguages } from "../../console/src/overview/attention-queries.ts";

it("a table as CSV quotes what needs it and keeps spreadsheets from running formulas", () => {
  const rows = [
    ["name", "count"],
    ['A "deep", well', 3],
    [" =HYPERLINK(1)", -2],
    ["two\nlines", 0],
  ];
  expect(writeCsv(rows)).toBe(
    '\uFEFFname,count\r\n"A ""deep"", well",3\r\n\' =HYPERLINK(1),-2\r\n"two\nlines",0\r\n',
  );
});

it("looks for gaps in the ten languages with the most books", () => {
  const languages = Array.from({ length: 12 }, (_, booksCount) => ({ booksCount }));
  expect(chooseLanguages(languages).map(({ booksCount }) => booksCount)).toEqual([
    11, 10, 9, 8, 7, 6, 5, 4, 3, 2,
  ]);
});

it("names the channels that have a part of the available books, those with the fewest first", () => {
  const publishable = 12;
  const channels = [
    { name: "Website", published: 11, publishable },
    { name: "All", published: 12, publishable },
    { name: "Radio", published: 3, publishable },
    { name: "For another language", published: 0, publishable },
  ];
  expect(chooseIncomplete(channels).map(({ name }) => name)).toEqual(["Radio", "Website"]);
});

it("calls a City database old after 30 days, as the doctor and the licence do", () => {
  const now = Date.parse("2026-03-31T12:00:00Z");
  expect(isOldCityDatabase("2026-03-01T12:00:00Z", now)).toBe(false);
  expect(isOldCityDatabase("2026-02-28T12:00:00Z", now)).toBe(true);
  expect(isOldCityDatabase(null, now)).toBe(false);
});

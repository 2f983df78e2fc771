/** Times in the zone of the browser, as fields of the console have them. */
import { expect, it } from "vitest";
import { fromLocalTime, toLocalTime } from "../../console/src/books/local-time.ts";

it("are those of the API, there and back", () => {
  for (const iso of ["2026-04-01T12:00:00.000Z", "2026-10-25T00:30:15.000Z", "1970-01-01T00:00:00.000Z"])
    expect(fromLocalTime(toLocalTime(iso)), iso).toBe(iso);
});

it("have seconds only where there are some", () => {
  expect(toLocalTime("2026-04-01T12:00:00.000Z")).toMatch(/^2026-04-\d\dT\d\d:\d\d$/);
  expect(toLocalTime("2026-04-01T12:00:07.000Z")).toMatch(/:07$/);
});

it("are empty for none", () => {
  expect([toLocalTime(null), toLocalTime(undefined)]).toEqual(["", ""]);
  expect([fromLocalTime(""), fromLocalTime("tomorrow")]).toEqual([null, null]);
});

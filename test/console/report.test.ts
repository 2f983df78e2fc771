/** The ranges of reports. */
import { describe, expect, it } from "vitest";
import { nameItself } from "../../console/src/report/name-itself.ts";
import {
  chooseGranularity,
  completeRange,
  findComparison,
  listPeriods,
  namePeriod,
} from "../../console/src/report/periods.ts";

const range = (startDate: string, endDate: string) => ({ startDate, endDate });

describe("the periods of reports", () => {
  it("are the last eight quarters and three years", () => {
    const periods = listPeriods("2026-02-15");
    expect(periods).toHaveLength(11);
    expect(periods.slice(0, 3)).toEqual([
      range("2026-01-01", "2026-03-31"),
      range("2025-10-01", "2025-12-31"),
      range("2025-07-01", "2025-09-30"),
    ]);
    expect(periods.slice(8)).toEqual([
      range("2026-01-01", "2026-12-31"),
      range("2025-01-01", "2025-12-31"),
      range("2024-01-01", "2024-12-31"),
    ]);
  });

  it("have the names of their months or their year", () => {
    const [quarter] = listPeriods("2026-02-15");
    expect(quarter && namePeriod(quarter, "en")).toMatch(/^January\s–\sMarch 2026$/);
    expect(namePeriod(range("2025-01-01", "2025-12-31"), "es")).toBe("2025");
    expect(namePeriod(range("2025-11-10", "2026-02-03"), "fr")).toMatch(/^novembre 2025\s–\sfévrier 2026$/);
  });
});

it.each([
  [range("", ""), range("2025-10-01", "2025-12-31")],
  [range("2026-01-10", ""), range("2026-01-10", "2026-02-15")],
  [range("", "2025-05-31"), range("2025-01-01", "2025-05-31")],
  [range("2026-03-01", ""), range("2026-03-01", "2026-03-01")],
  [range("2025-03-01", "2024-03-01"), range("2025-03-01", "2025-03-01")],
])("%j is completed to %j", (given, complete) => {
  expect(completeRange(given, "2026-02-15")).toEqual(complete);
});

it("a range is compared with as many days before it, unless the service knows none of them", () => {
  expect(findComparison(range("2026-01-01", "2026-03-31"))).toEqual(range("2025-10-03", "2025-12-31"));
  expect(findComparison(range("1970-01-01", "2026-03-31"))).toBeUndefined();
});

it("two years are shown by month, longer ranges by year", () => {
  expect(chooseGranularity(range("2024-01-01", "2025-12-31"))).toBe("month");
  expect(chooseGranularity(range("2024-01-01", "2026-01-01"))).toBe("year");
});

it("a language is named in its own words where they are known", () => {
  expect(nameItself("es")).toBe("español");
  expect(nameItself("not a code")).toBeUndefined();
});

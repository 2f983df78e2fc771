/** The time zone of the console in browsers that don't know theirs. */
import { afterEach, expect, it, vi } from "vitest";
import { findEndOfDay, findToday } from "../../console/src/dates/range.ts";
import { findBrowserZone, isZone } from "../../console/src/messages/browser-zone.ts";

function stubZone(timeZone: unknown): void {
  const { resolvedOptions } = Intl.DateTimeFormat.prototype;
  vi.spyOn(Intl.DateTimeFormat.prototype, "resolvedOptions").mockImplementation(function stubbed(
    this: Intl.DateTimeFormat,
  ) {
    return Object.assign(resolvedOptions.call(this), { timeZone });
  });
}

afterEach(() => vi.restoreAllMocks());

it.each(["Etc/Unknown", "", undefined, "nonsense", "+03:00", "-0330"])(
  "is UTC in a browser that says %j",
  (timeZone) => {
    stubZone(timeZone);
    expect(findBrowserZone()).toBe("UTC");
    expect(findEndOfDay("2026-12-31", findBrowserZone()).toISOString()).toBe("2026-12-31T23:59:59.999Z");
    expect(findToday(findBrowserZone(), Date.UTC(2026, 11, 31, 23))).toBe("2026-12-31");
  },
);

it.each(["Africa/Nairobi", "UTC", "Asia/Calcutta"])("is the browser's own zone %s", (timeZone) => {
  stubZone(timeZone);
  expect(findBrowserZone()).toBe(timeZone);
  expect(isZone(timeZone)).toBe(true);
});

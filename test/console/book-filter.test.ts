/** The filters of the console's list of books, between the address and the request. */
import { describe, expect, it } from "vitest";
import { needsMissingIn, readFilter, writeRequest } from "../../console/src/books/book-filter.ts";

const read = (query: string) => readFilter(new URLSearchParams(query));

describe("the filter in the address", () => {
  it("has defaults for what is absent or unknown", () => {
    expect(read("updatedSince=0020-01-01&status=gone&sort=size&missing=soul&page=-3")).toEqual(read(""));
    expect(writeRequest(read(""), "UTC")).toEqual({ status: "active", sort: "sortOrder" });
  });

  it("is sent as it stands there", () => {
    const query = "search=well&status=all&publishedIn=es&channel=web&tag=water&author=Ana&series=Tales";
    const filter = read(`${query}&updatedSince=2026-01-01&sort=title&languageCode=ar`);
    expect(writeRequest(filter, "Africa/Nairobi")).toEqual({
      search: "well",
      status: "all",
      publishedIn: "es",
      channel: "web",
      tag: "water",
      author: "Ana",
      series: "Tales",
      updatedSince: "2025-12-31T21:00:00.000Z",
      sort: "title",
      languageCode: "ar",
    });
  });

  it.each([
    ["missing=file", {}, true],
    ["missing=translation&missingIn=es", { missing: "translation", missingIn: "es" }, false],
    ["missing=cover", { missing: "cover" }, false],
    ["missingIn=es", {}, false],
  ])("asks of %s only for what the service takes", (query, sent, isIncomplete) => {
    expect(writeRequest(read(query), "UTC")).toEqual({ status: "active", sort: "sortOrder", ...sent });
    expect(needsMissingIn(read(query))).toBe(isIncomplete);
  });
});

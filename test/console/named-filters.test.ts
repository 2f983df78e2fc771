/** Filters that have a name: what is kept of an address, and what is read of a browser's memory. */
import { describe, expect, it } from "vitest";
import {
  addFilter,
  describeFilter,
  MAX_NAME,
  MAX_NAMED,
  readNamedFilters,
} from "../../console/src/lists/named-filters.ts";

const NOTHING = { overview: [], books: [], publications: [], contacts: [], downloads: [], audit: [] };
const write = (query: string) => describeFilter(new URLSearchParams(query));

describe("what an address filters by", () => {
  it("is written in one way, without the page and what is empty", () => {
    expect(write("search=well&missing=cover&page=3&tag=")).toBe("missing=cover&search=well");
    expect(write("missing=cover&search=well")).toBe(write("search=well&missing=cover"));
  });

  it("keeps a range that is relative to today, with the time zone of its days", () => {
    expect(write("timezone=UTC&range=last30Days")).toBe("range=last30Days&timezone=UTC");
    expect(write("timezone=UTC&marketing=yes")).toBe("marketing=yes");
  });
});

describe("the memory of a browser", () => {
  it.each([null, "", "{", "null", "7", '"text"', "[]", '{"books":7}', '{"books":{"name":"a"}}'])(
    "with %j holds no filters",
    (stored) => {
      expect(readNamedFilters(stored)).toEqual(NOTHING);
    },
  );

  it("is read without what isn't a filter, is too long or has a name that another one has", () => {
    const good = { name: "Without cover", query: "missing=cover" };
    const others = [null, 7, {}, { name: "", query: "" }, { name: 1, query: "" }, { name: "No query" }];
    const long = [
      { name: "n".repeat(MAX_NAME + 1), query: "" },
      { name: "Long", query: "q".repeat(2001) },
    ];
    const same = { name: good.name, query: "missing=file" };
    const stored = JSON.stringify({ books: [...others, ...long, good, same], eggs: [good] });
    expect(readNamedFilters(stored)).toEqual({ ...NOTHING, books: [good] });
  });

  it("is read up to a bound, and by the names of lists alone", () => {
    const many = Array.from({ length: MAX_NAMED + 5 }, (_, n) => ({
      name: `Filter ${n}`,
      query: `tag=${n}`,
    }));
    const stored = `{"__proto__": {"books": []}, "audit": ${JSON.stringify(many)}}`;
    const { audit, books } = readNamedFilters(stored);
    expect([audit.length, books.length]).toEqual([MAX_NAMED, 0]);
  });

  it("has a filter of the same name replaced in its place", () => {
    const [one, two] = [
      { name: "One", query: "tag=1" },
      { name: "Two", query: "tag=2" },
    ];
    expect(addFilter([one, two], { name: "One", query: "tag=3" })).toEqual([
      { name: "One", query: "tag=3" },
      two,
    ]);
    expect(addFilter([one], two)).toEqual([one, two]);
  });
});

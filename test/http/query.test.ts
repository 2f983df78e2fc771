/** The query of an address: read as browsers write it, and refused where it could mean two things. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseQuery } from "../../src/http/requests/body.ts";
import { isPlainAddress } from "../../src/http/requests/query.ts";

describe("a query", () => {
  it("is text by name; a repeated name gives a list", () => {
    expect(parseQuery(null)).toEqual({});
    expect(parseQuery("")).toEqual({});
    expect(parseQuery("a=1&&b=x+y%20z&c&=d&a=2&e==f&")).toEqual({
      a: ["1", "2"],
      b: "x y z",
      c: "",
      "": "d",
      e: "=f",
    });
    expect(Object.entries(parseQuery("__proto__=1&constructor=2"))).toEqual([
      ["__proto__", "1"],
      ["constructor", "2"],
    ]);
  });

  it("is returned as written, for any text", () => {
    const text = fc.string({ unit: "grapheme" });
    const pairs = fc.uniqueArray(fc.tuple(text, text), { selector: ([name]) => name });
    fc.assert(
      fc.property(pairs, (given) => {
        const written = new URLSearchParams(given).toString();
        expect(parseQuery(written)).toEqual(Object.fromEntries(given));
      }),
    );
  });

  it("that isn't percent-encoded UTF-8 returns 400", () => {
    const malformed = expect.objectContaining({ status: 400, code: "malformed_query" });
    for (const bad of [
      "a=%",
      "a=%zz",
      "%ff=1",
      "a=%ed%a0%80",
      "a=%c3&b=%a9",
      "a=\u00e9",
      "a=b c",
      "a=\u007f",
    ])
      expect(() => parseQuery(bad), bad).toThrow(malformed);
  });
});

describe("an address whose response is kept", () => {
  const isKept = (address: string) => isPlainAddress(address, new Set(["page", "limit"]));

  it("has known parameters, each once and with a value", () => {
    for (const plain of [
      "/api/books",
      "/api/books?page=2",
      "/api/books?page=2&limit=10",
      "/a?limit=10&page=2",
    ])
      expect(isKept(plain), plain).toBe(true);
    for (const other of [
      "/api/books?page=2&page=2",
      "/api/books?page=1&limit=2&page=3",
      "/api/books?page=",
      "/api/books?page",
      "/api/books?page=1&",
      "/api/books?page=1=2",
      "/api/books?other=1",
      "/api/books?page=1&other=1",
      "/api/books?",
    ])
      expect(isKept(other), other).toBe(false);
  });

  it("has nothing that is percent-encoded", () => {
    for (const encoded of [
      "/api/b%6foks",
      "/api/books?page=%32",
      "/api/books?p%61ge=2",
      "/api/books?page=1+1",
    ])
      expect(isKept(encoded), encoded).toBe(false);
  });
});

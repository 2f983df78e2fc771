/** The query of an address: read as browsers write it, and refused where it could mean two things. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { isPlainAddress, parseQuery, readQuery } from "../../src/http/requests/query.ts";

describe("a query", () => {
  it("is text by name; a repeated name gives a list", () => {
    expect(readQuery(null)).toEqual({});
    expect(readQuery("")).toEqual({});
    expect(readQuery("a=1&&b=x+y%20z&c&=d&a=2&e==f&")).toEqual({
      a: ["1", "2"],
      b: "x y z",
      c: "",
      "": "d",
      e: "=f",
    });
    expect(Object.entries(readQuery("__proto__=1&constructor=2"))).toEqual([
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
        expect(readQuery(written)).toEqual(Object.fromEntries(given));
      }),
    );
  });

  const malformed = expect.objectContaining({ status: 400, code: "malformed_query" });
  const schema = z.object({
    a: z.string().optional(),
    b: z.string().optional(),
    utm_source: z.string().optional(),
  });
  const names = new Set(Object.keys(schema.shape));
  const isPublic = true;
  const damaged = ["%", "%zz", "%ed%a0%80", "\u00e9", "b c", "\u007f", "%c3&b=%a9"];

  it("that isn't percent-encoded UTF-8 returns 400", () => {
    for (const text of damaged)
      for (const rules of [
        { names, isPublic },
        { names, isPublic: false },
      ])
        expect(() => parseQuery(schema, readQuery(`a=${text}`), rules), text).toThrow(malformed);
    for (const name of ["%ff", "utm_%ff", "\u00e9"])
      expect(() => readQuery(`${name}=1`), name).toThrow(malformed);
  });

  it("is read where only what sites have added isn't percent-encoded UTF-8, on public operations", () => {
    const read = (text: string) => parseQuery(schema, readQuery(text), { names, isPublic });
    for (const text of damaged.filter((each) => !each.includes("b=")))
      expect(read(`a=1&fbclid=${text}&b=2`), text).toEqual({ ok: true, value: { a: "1", b: "2" } });
    for (const [text, value] of [
      ["Fr%FChling", "Frühling"],
      ["Fr\u00c3\u00bchling+1", "Frühling 1"],
      ["%C2%E5%F1%ED%E0%2D%EB%E5%F2%EE", "Весна-лето"],
      ["100%", "100%"],
    ])
      expect(read(`a=%41&utm_source=${text}`), text).toEqual({
        ok: true,
        value: { a: "A", utm_source: value },
      });
    expect(() => read("fbclid=%ff&a=%ff")).toThrow(malformed);
    for (const name of ["fbclid", "utm_source"])
      expect(() => parseQuery(schema, readQuery(`${name}=%ff`), { names, isPublic: false })).toThrow(
        malformed,
      );
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

/** From paths to what stands there: which one is meant, and what its placeholders hold. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PathIndex } from "../../src/http/path-index.ts";
import { routes } from "../../src/routes/index.ts";

function indexOf(...paths: string[]): PathIndex<string> {
  const index = new PathIndex<string>();
  for (const path of paths) index.add(path, path);
  return index;
}

describe("a path", () => {
  it("is found by its one spelling: case, slashes and encoding count", () => {
    const index = indexOf("/api/books", "/api/books/{bookId}");
    expect(index.find("/api/books")).toEqual({ value: "/api/books", params: {} });
    for (const other of [
      "/API/books",
      "/api/books/",
      "/api//books",
      "api/books",
      "/api/b%6Foks",
      "/api",
      "/",
      "",
      "*",
    ])
      expect(index.find(other), other).toBeUndefined();
  });

  it("is no part of another one", () => {
    const index = indexOf("/api/books/{bookId}/cover");
    for (const other of ["/api/books/1", "/api/books/1/cover/2", "/api/books//cover", "/api/books/1/2/cover"])
      expect(index.find(other), other).toBeUndefined();
  });

  it("with a literal goes before one with a placeholder, whichever comes first, and only if it leads on", () => {
    const paths = [
      "/books/{id}",
      "/books/bulk",
      "/books/{id}/cover",
      "/books/bulk/{part}/end",
      "/{any}/bulk",
    ];
    for (const index of [indexOf(...paths), indexOf(...paths.toReversed())]) {
      expect(index.find("/books/bulk")).toEqual({ value: "/books/bulk", params: {} });
      expect(index.find("/books/bulk2")).toEqual({ value: "/books/{id}", params: { id: "bulk2" } });
      expect(index.find("/books/bulk/cover")).toEqual({ value: "/books/{id}/cover", params: { id: "bulk" } });
      expect(index.find("/book/bulk")).toEqual({ value: "/{any}/bulk", params: { any: "book" } });
    }
  });

  it("has values that are decoded once, whatever they spell", () => {
    const index = indexOf("/{first}/x/{second}");
    const found = (first: string, second: string) => index.find(`/${first}/x/${second}`)?.params;
    expect(found("%D9%83%20a", "%252F")).toEqual({ first: "ك a", second: "%2F" });
    expect(found("..%2f..", "a+b%00")).toEqual({ first: "../..", second: "a+b\0" });
    expect(found("constructor", "__proto__")).toEqual({ first: "constructor", second: "__proto__" });
    expect(indexOf("/a").find("/__proto__")).toBeUndefined();
  });

  it("with a value that isn't percent-encoded UTF-8 is 400, and 404 where nothing would take it", () => {
    const index = indexOf("/books/{id}/cover");
    for (const bad of ["%", "%zz", "%ff", "%ed%a0%80", "%c0%af"]) {
      const malformed = expect.objectContaining({ status: 400, code: "malformed_address" });
      expect(() => index.find(`/books/${bad}/cover`)).toThrow(malformed);
      expect(index.find(`/books/${bad}`)).toBeUndefined();
    }
  });

  it("is looked at no deeper than the table goes", () => {
    const index = indexOf("/{a}", "/{a}/{b}", "/x/{b}", "/x/y/{c}");
    expect(index.find("/x".repeat(8000))).toBeUndefined();
  });
});

describe("a table", () => {
  it("can't have two paths for the same addresses", () => {
    expect(() => indexOf("/books/{id}", "/books/{slug}")).toThrow(
      "/books/{slug} and /books/{id} take the same",
    );
    expect(() => indexOf("/books", "/books")).toThrow("take the same addresses");
  });

  it("has placeholders that are whole segments", () => {
    expect(() => indexOf("/books/{id}.pdf")).toThrow("isn't a whole segment");
  });
});

it("finds in the whole table what trying all patterns would find", () => {
  const paths = [...new Set(routes.map(({ path }) => path))];
  const index = indexOf(...paths);
  const patterns = paths.map((path) => ({
    path,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
  }));
  const segment = fc.constantFrom(...new Set(paths.flatMap((path) => path.split("/"))), "x", "%41", "");
  const addresses = fc.array(segment, { maxLength: 7 }).map((segments) => segments.join("/"));
  const ofTheTable = fc.constantFrom(...paths);
  fc.assert(
    fc.property(fc.oneof(ofTheTable, addresses), (address) => {
      const wanted = patterns.filter(({ pattern }) => pattern.test(address)).map(({ path }) => path);
      const found = index.find(address)?.value;
      if (wanted.length === 0) expect(found).toBeUndefined();
      else expect(wanted).toContain(found);
      // Braces are no part of an address; without them, a path of the table is itself.
      if (paths.includes(address) && !address.includes("{")) expect(found).toBe(address);
    }),
    { numRuns: 2000 },
  );
});

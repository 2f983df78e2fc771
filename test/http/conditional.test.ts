import type { IncomingHttpHeaders } from "node:http";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseResponse } from "../../src/http/requests/conditional.ts";

const ETAG = '"abc"';
const MODIFIED = Date.UTC(2024, 1, 29, 12, 0, 0, 789);
const SAME_SECOND = "Thu, 29 Feb 2024 12:00:00 GMT";
const SECOND_BEFORE = "Thu, 29 Feb 2024 11:59:59 GMT";
const SECOND_AFTER = "Thu, 29 Feb 2024 12:00:01 GMT";

const ask = (headers: IncomingHttpHeaders, method = "GET", sizeBytes = 100) =>
  chooseResponse({ method, headers, etag: ETAG, lastModified: MODIFIED, sizeBytes });

describe("If-Match and If-Unmodified-Since", () => {
  it.each([
    ['"abc"', "full"],
    ['"x", "abc"', "full"],
    ["*", "full"],
    ['"x"', "precondition-failed"],
    ['W/"abc"', "precondition-failed"],
    ["abc", "precondition-failed"],
    ["", "precondition-failed"],
  ])("If-Match %s results in %s", (ifMatch, kind) => {
    expect(ask({ "if-match": ifMatch })).toEqual({ kind });
  });

  it.each([
    [SECOND_BEFORE, "precondition-failed"],
    [SAME_SECOND, "full"],
    [SECOND_AFTER, "full"],
    ["yesterday", "full"],
  ])("If-Unmodified-Since %s results in %s", (since, kind) => {
    expect(ask({ "if-unmodified-since": since })).toEqual({ kind });
  });

  it("use the date only if no tag is given", () => {
    expect(ask({ "if-match": ETAG, "if-unmodified-since": SECOND_BEFORE })).toEqual({ kind: "full" });
  });

  it("take precedence over every other condition", () => {
    const response = ask({ "if-match": '"x"', "if-none-match": ETAG, range: "bytes=0-0" });
    expect(response).toEqual({ kind: "precondition-failed" });
  });
});

describe("If-None-Match and If-Modified-Since", () => {
  it.each([
    ['"abc"', "not-modified"],
    ['W/"abc"', "not-modified"],
    ['"x" , W/"abc"', "not-modified"],
    ['"with, comma","abc"', "not-modified"],
    ["*", "not-modified"],
    ['"x"', "full"],
    ['"ABC"', "full"],
    ["abc", "full"],
    ['"abc', "full"],
  ])("If-None-Match %s results in %s", (ifNoneMatch, kind) => {
    expect(ask({ "if-none-match": ifNoneMatch })).toEqual({ kind });
    expect(ask({ "if-none-match": ifNoneMatch }, "HEAD")).toEqual({ kind });
  });

  it("fail methods other than GET and HEAD", () => {
    expect(ask({ "if-none-match": "*" }, "PUT")).toEqual({ kind: "precondition-failed" });
  });

  it.each([
    [SECOND_BEFORE, "full"],
    [SAME_SECOND, "not-modified"],
    [SECOND_AFTER, "not-modified"],
  ])("If-Modified-Since %s results in %s", (since, kind) => {
    expect(ask({ "if-modified-since": since })).toEqual({ kind });
  });

  it("use the date only if no tag is given, and never for a write", () => {
    expect(ask({ "if-none-match": '"x"', "if-modified-since": SECOND_AFTER })).toEqual({ kind: "full" });
    expect(ask({ "if-modified-since": SECOND_AFTER }, "PUT")).toEqual({ kind: "full" });
  });

  it("take precedence over a range", () => {
    expect(ask({ "if-none-match": ETAG, range: "bytes=0-0" })).toEqual({ kind: "not-modified" });
  });
});

describe("Range", () => {
  const partial = (start: number, end: number) => ({ kind: "partial", start, end });

  it.each([
    ["bytes=0-0", partial(0, 0)],
    ["bytes=0-", partial(0, 99)],
    ["bytes=99-", partial(99, 99)],
    ["bytes=10-19", partial(10, 19)],
    ["bytes=90-1000", partial(90, 99)],
    ["bytes=0-99999999999999999999999", partial(0, 99)],
    ["bytes=-1", partial(99, 99)],
    ["bytes=-100", partial(0, 99)],
    ["bytes=-101", partial(0, 99)],
    ["bytes=-99999999999999999999999", partial(0, 99)],
    ["BYTES=5-6", partial(5, 6)],
    ["bytes=0-4,5-9", partial(0, 9)],
    ["bytes=0-50,10-60,20-30", partial(0, 60)],
    ["bytes=0-0,1000-", partial(0, 0)],
  ])("%s selects one part", (range, response) => {
    expect(ask({ range })).toEqual(response);
  });

  it.each([
    "bytes=0-0,2-2",
    "bytes=0-10,-5",
    "bytes=",
    "bytes",
    "bytes=-",
    "bytes=a-b",
    "bytes=1e1-",
    "bytes=0x1-",
  ])("%s results in the whole file", (range) => {
    expect(ask({ range })).toEqual({ kind: "full" });
  });

  it.each(["lines=0-1", "bytes 0-1", "bytes=0-1=2", "bytes=--1", "", "=0-1", "bytes=１-２"])(
    "%s isn't a range of bytes and results in the whole file",
    (range) => {
      expect(ask({ range })).toEqual({ kind: "full" });
    },
  );

  it.each(["bytes=100-", "bytes=100-200", "bytes=5-2", "bytes=-0", "bytes=99999999999999999999-"])(
    "%s can't be satisfied",
    (range) => {
      expect(ask({ range })).toEqual({ kind: "unsatisfiable" });
    },
  );

  it("is evaluated for GET only", () => {
    expect(ask({ range: "bytes=0-0" }, "HEAD")).toEqual({ kind: "full" });
    expect(ask({ range: "bytes=1000-" }, "HEAD")).toEqual({ kind: "full" });
  });

  it("can't be satisfied by an empty file", () => {
    expect(ask({ range: "bytes=0-" }, "GET", 0)).toEqual({ kind: "unsatisfiable" });
    expect(ask({ range: "bytes=-5" }, "GET", 0)).toEqual({ kind: "unsatisfiable" });
  });

  it("with four thousand ranges is evaluated fast", () => {
    const range = `bytes=${Array.from({ length: 4000 }, (_, index) => `${index * 2}-${index * 2}`).join(",")}`;
    expect(ask({ range }, "GET", 10_000)).toEqual({ kind: "full" });
  });

  it("never exceeds the file, regardless of the header", () => {
    const number = fc.oneof(
      fc.nat(130).map(String),
      fc.constantFrom("", " ", "-", "1e9", "99999999999999999999"),
    );
    const item = fc.tuple(number, fc.constantFrom("-", "", "--"), number).map((parts) => parts.join(""));
    const header = fc.array(item, { maxLength: 6 }).map((items) => `bytes=${items.join(",")}`);
    fc.assert(
      fc.property(fc.oneof(header, fc.string()), fc.nat(120), (range, sizeBytes) => {
        const response = ask({ range }, "GET", sizeBytes);
        if (response.kind !== "partial") return;
        expect(response.start).toBeGreaterThanOrEqual(0);
        expect(response.end).toBeGreaterThanOrEqual(response.start);
        expect(response.end).toBeLessThan(sizeBytes);
      }),
    );
  });
});

describe("If-Range", () => {
  it.each([
    [ETAG, "partial"],
    [SAME_SECOND, "partial"],
    ["Thursday, 29-Feb-24 12:00:00 GMT", "partial"],
    ['"x"', "full"],
    ['W/"abc"', "full"],
    [SECOND_BEFORE, "full"],
    [SECOND_AFTER, "full"],
    ["*", "full"],
    ["", "full"],
  ])("If-Range %s results in %s", (ifRange, kind) => {
    expect(ask({ range: "bytes=0-9", "if-range": ifRange }).kind).toBe(kind);
  });

  it("for another version results in the whole file, even if the range couldn't be satisfied", () => {
    expect(ask({ range: "bytes=1000-", "if-range": '"x"' })).toEqual({ kind: "full" });
  });
});

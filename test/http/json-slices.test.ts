/** Long JSON, read in slices: as strictly as short JSON, and with the same result. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonPieceTooLong, parseJsonInSlices } from "../../src/http/requests/json-slices.ts";
import { JsonError, parseJson } from "../../src/http/requests/json-text.ts";

const MEBIBYTE = 1024 * 1024;

/** What a reader makes of a text, or that it refuses it. */
async function resultOf(read: () => unknown): Promise<unknown> {
  try {
    return { value: await read() };
  } catch (error) {
    return error instanceof JsonError ? "malformed" : error;
  }
}

/** The value with every element read that was left for later. */
function whole(value: unknown): unknown {
  if (typeof value === "function") return value();
  if (Array.isArray(value)) return value.map(whole);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, whole(inner)]));
}

const readInSlices = async (text: string) => whole(await parseJsonInSlices(Buffer.from(text), 1000));

async function expectSame(text: string): Promise<void> {
  const bytes = Buffer.from(text);
  const inSlices = await resultOf(() => readInSlices(text));
  expect(inSlices, text).toEqual(await resultOf(() => parseJson(bytes)));
}

describe("reading in slices gives what reading at one go gives", () => {
  it("for every value", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue({ maxDepth: 6 }),
        fc.boolean(),
        fc.boolean(),
        async (value, isSpaced, isIn) => {
          await expectSame(
            JSON.stringify(isIn ? { a: [value, value], b: value } : value, null, isSpaced ? " " : 0),
          );
        },
      ),
    );
  });

  it("for texts with something broken in them", async () => {
    const change = fc.constantFrom(
      "",
      ",",
      ":",
      "[",
      "]",
      "{",
      "}",
      '"',
      "\\",
      " ",
      "1",
      "\ufeff",
      '"a":1,',
      "//",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue({ maxDepth: 4 }),
        fc.nat(),
        change,
        fc.nat({ max: 3 }),
        async (value, place, put, cut) => {
          const text = JSON.stringify({ a: [value, value], b: [value] });
          const at = place % (text.length + 1);
          await expectSame(text.slice(0, at) + put + text.slice(at + cut));
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each([
    '{"a":[]}',
    '{"a":[ \t\n]}',
    '{"a":[ , ]}',
    '{"a":[1,]}',
    '{"a":[,1]}',
    "[[1,2],[3]]",
    "[1,[2,[3]]]",
    "[]",
    "{}",
    '{"2":[1],"1":[2]}',
    '{"__proto__":[1]}',
    '{"a":["[","]","\\"]"]}',
    '{"a":[1],"a":[2]}',
    '{"a":[{"b":1,"b":2}]}',
    "",
    " ",
    "]]]",
    "{}[]",
    '"',
    '{"a":[',
    '{"a":["',
    '\ufeff{"a":[1]}',
    '{"a":[\ufeff1]}',
    '{"a":[1 2]}',
    "null",
    `{"a":[${"[".repeat(30)}${"]".repeat(30)}]}`,
    `{"a":[${"[".repeat(31)}${"]".repeat(31)}]}`,
  ])("for %s", expectSame);
});

describe("what it doesn't read at one go, it doesn't read", () => {
  it.each([
    ["an element", `{"a":[1,"${"x".repeat(MEBIBYTE)}"]}`],
    ["a string without end", `{"a":["${'\\"'.repeat(MEBIBYTE)}`],
    ["space", " ".repeat(2 * MEBIBYTE)],
    ["nesting without end", `{"a":[${"{".repeat(2 * MEBIBYTE)}`],
    ["empty lists", `[${"[],".repeat(MEBIBYTE)}[]]`],
    ["what isn't in a list", `{"a":[1],"b":"${"x".repeat(MEBIBYTE)}"}`],
  ])("more than a mebibyte of %s", async (_, text) => {
    await expect(readInSlices(text)).rejects.toThrow(JsonPieceTooLong);
  });

  it("elements by the thousand that nobody takes: one tells that there are too many", async () => {
    const elements = Array.from({ length: 5000 }, (_, index) => index);
    expect(await readInSlices(JSON.stringify({ a: elements }))).toEqual({ a: elements.slice(0, 1001) });
    await expect(readInSlices(`{"a":[${"1,".repeat(5000)}1]`)).rejects.toThrow(JsonError);
  });
});

it("lets others have their turn", async () => {
  const element = JSON.stringify({ text: "x".repeat(20_000), list: Array(2000).fill({ a: "b" }) });
  const text = Buffer.from(`{"a":[${Array(500).fill(element).join(",")}]}`);
  let turns = 0;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await parseJsonInSlices(text, 1000);
  clearImmediate(next);
  expect(turns).toBeGreaterThan(1);
});

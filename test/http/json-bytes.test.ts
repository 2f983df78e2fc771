/** Answers as JSON: long lists are written in pieces, and read as if they were not. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonBytes } from "../../src/http/responses/send-reply.ts";

const written = async (value: unknown) => (await jsonBytes(value)).toString();

describe("jsonBytes", () => {
  it("writes what JSON.stringify writes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        expect(await written(value)).toBe(JSON.stringify(value));
      }),
    );
  });

  it.each([0, 1, 499, 500, 501, 1000, 1001])("writes a list of %i like any other", async (length) => {
    const items = Array.from({ length }, (_, id) => ({ id, title: `Título “${id}”\n`, left: undefined }));
    for (const value of [{ items }, { before: 1, items, gone: undefined, after: [null], more: items }]) {
      expect(await written(value)).toBe(JSON.stringify(value));
    }
  });

  it("lets others have their turn while it writes", async () => {
    const items = Array.from({ length: 200_000 }, (_, id) => ({ id, title: `Title ${id}`.repeat(10) }));
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    await jsonBytes({ items });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(0);
  });
});

/** Parsing lists of thousands of items. */
import { expect, it } from "vitest";
import { z } from "zod";
import { parseInTurns } from "../../src/schemas/parse.ts";
import { blockEventLoop } from "../support/block-event-loop.ts";

const LIST = { place: "body", path: "list" } as const;

it("returns the items of a list, and the errors of all items by their index", async () => {
  const item = z.strictObject({ a: z.int(), b: z.object({ c: z.string() }).optional() });
  expect(await parseInTurns(item, [{ a: 1 }, { a: 2, b: { c: "c", d: 1 } }], LIST)).toEqual({
    ok: true,
    value: [{ a: 1 }, { a: 2, b: { c: "c" } }],
  });
  const parsed = await parseInTurns(item, [{ a: 1 }, null, { a: 1, b: {}, e: 1 }], LIST);
  expect(parsed).toMatchObject({
    ok: false,
    errors: [{ path: "list.1" }, { path: "list.2.b.c" }, { path: "list.2.e", code: "unknown_field" }],
  });
});

it("lets other work run meanwhile", async () => {
  const order: string[] = [];
  const item = z.int().transform((number) => {
    if (order.push("item") === 1) {
      setImmediate(() => order.push("others"));
      blockEventLoop(15);
    }
    return number + 1;
  });
  expect(await parseInTurns(item, [1, 2, 3], LIST)).toEqual({ ok: true, value: [2, 3, 4] });
  expect(order).toEqual(["item", "others", "item", "item"]);
});

it("doesn't look for more errors than a response has", async () => {
  let read = 0;
  const item = z.unknown().refine(() => {
    read += 1;
    return false;
  });
  const parsed = await parseInTurns(item, Array(10_000).fill({}), LIST);
  expect(parsed.ok ? [] : parsed.errors).toHaveLength(100);
  expect(read).toBe(100);
});

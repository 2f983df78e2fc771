/** Parsing lists of thousands of items. */
import { expect, it } from "vitest";
import { z } from "zod";
import { importCreation, importCreationEnvelope } from "../../src/schemas/import-runs.schemas.ts";
import { importPlanEnvelope, importPlanRequest, listedItems } from "../../src/schemas/imports.schemas.ts";
import { parse, parseInTurns, parseLists } from "../../src/schemas/parse.ts";
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

const FILES = [
  { path: "a.txt", sha256: "0".repeat(64) },
  { path: "b.txt", sha256: "1".repeat(64) },
];
const CORRECTION = { path: "a.txt", languageCode: "PT-br", title: " Um ", leaveOut: null };

it.each<[string, unknown]>([
  ["files alone", { files: FILES }],
  ["corrections, which become canonical", { files: FILES, corrections: [CORRECTION], rules: {} }],
  ["null for what is missing", { files: FILES, corrections: null, catalogue: null }],
  ["no object", [FILES]],
  ["no list", { files: "a", corrections: {} }],
  ["nothing", {}],
  ["no files", { files: [] }],
  ["a path twice", { files: [FILES[0], FILES[0]] }],
  ["wrong items", { files: [{ path: "", sha256: "A" }, 1], corrections: [{ line: 1 }, { path: "a", x: 1 }] }],
  ["wrong fields beside wrong items", { files: [{}], rules: { grouping: "x" }, more: 1 }],
  ["too many corrections", { files: FILES, corrections: Array(20_001).fill(CORRECTION) }],
])("reads the lists of an import as its schema does: %s", async (_, given) => {
  const both = [
    [importPlanRequest, importPlanEnvelope],
    [importCreation, importCreationEnvelope],
  ] as const;
  const sort = (parsed: Awaited<ReturnType<typeof parseLists>>) =>
    parsed.ok ? parsed : parsed.errors.map((error) => JSON.stringify(error)).sort();
  for (const [schema, envelope] of both)
    expect(sort(await parseLists({ envelope, items: listedItems }, given))).toEqual(
      sort(parse(schema, given, "body")),
    );
});

it("lets others run while it checks the items of lists", async () => {
  const slow = z.custom(() => {
    blockEventLoop(5);
    return true;
  });
  const envelope = z.object({ a: z.array(z.unknown()), b: z.array(z.unknown()) });
  let turns = 0;
  const counting = setInterval(() => {
    turns += 1;
  }, 0);
  const list = Array(20).fill(1);
  await parseLists({ envelope, items: { a: slow, b: slow } }, { a: list, b: list });
  clearInterval(counting);
  expect(turns).toBeGreaterThan(5);
});

/** Yielding to the event loop during long work. */
import { expect, it } from "vitest";
import { createYielder, sortInTurns, stringifyInTurns } from "../../src/lib/event-loop.ts";
import { blockEventLoop } from "../support/block-event-loop.ts";

it("yields to other work when the time limit is reached, and then continues", async () => {
  const yieldToEventLoop = createYielder();
  const order: string[] = [];
  blockEventLoop(15);
  setImmediate(() => order.push("others"));
  const turn = yieldToEventLoop();
  expect(turn).toBeInstanceOf(Promise);
  await turn;
  order.push("work");
  expect(order).toEqual(["others", "work"]);
  blockEventLoop(15);
  expect(yieldToEventLoop()).toBeInstanceOf(Promise);
});

it("continues immediately before the time limit is reached", () => {
  // Most of many calls: the machine may take a break in the middle of some.
  const yieldToEventLoop = createYielder();
  const waits = Array.from({ length: 1000 }, () => yieldToEventLoop() !== undefined);
  expect(waits.filter(Boolean).length).toBeLessThan(1000);
});

it("sorts as toSorted does, also equal items, and lets other work run meanwhile", async () => {
  for (const length of [0, 1, 1000, 1001, 7345]) {
    const items = Array.from({ length }, (_, index) => ({ key: (index * 7919) % 1013, index }));
    const compare = (one: { key: number }, other: { key: number }) => one.key - other.key;
    expect(await sortInTurns(items, compare)).toEqual(items.toSorted(compare));
  }
  const order: string[] = [];
  await sortInTurns(
    Array.from({ length: 3000 }, (_, index) => index),
    (one, other) => {
      if (order.push("sort") === 1) {
        setImmediate(() => order.push("others"));
        blockEventLoop(15);
      }
      return other - one;
    },
  );
  expect(order.indexOf("others")).toBeGreaterThan(0);
  expect(order.at(-1)).toBe("sort");
});

it("writes long lists in an object as JSON.stringify does, and lets other work run meanwhile", async () => {
  const row = (index: number) =>
    index % 3 === 0 ? undefined : { index, title: "“Ⓐ”\u2028", gone: undefined };
  const rows = Array.from({ length: 2001 }, (_, index) => row(index));
  const bodies = [
    { data: rows, 'other "rows"': { rows: 1 }, gone: undefined, date: new Date(0), none: [] },
    { data: rows, more: rows.slice(0, 1000) },
    { data: rows.slice(0, 1000) },
    rows,
    null,
    "text",
  ];
  for (const body of bodies) expect(await stringifyInTurns(body)).toBe(JSON.stringify(body));
  const order: string[] = [];
  const slow = {
    toJSON() {
      if (order.push("text") === 1) {
        setImmediate(() => order.push("others"));
        blockEventLoop(15);
      }
      return 0;
    },
  };
  await stringifyInTurns({ data: Array.from({ length: 3000 }, () => slow) });
  expect(order.indexOf("others")).toBe(1000);
  expect(order.at(-1)).toBe("text");
});

/** Yielding to the event loop during long work. */
import { expect, it } from "vitest";
import { createYielder } from "../../src/lib/event-loop.ts";
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

/** Yielding to the event loop during long work. */
import { expect, it } from "vitest";
import { createYielder } from "../../src/lib/event-loop.ts";
import { beBusy } from "../support/be-busy.ts";

it("yields to other work when the time limit is reached, and then continues", async () => {
  const yieldToEventLoop = createYielder();
  const order: string[] = [];
  beBusy(15);
  setImmediate(() => order.push("others"));
  const turn = yieldToEventLoop();
  expect(turn).toBeInstanceOf(Promise);
  await turn;
  order.push("work");
  expect(order).toEqual(["others", "work"]);
  beBusy(15);
  expect(yieldToEventLoop()).toBeInstanceOf(Promise);
});

it("continues immediately before the time limit is reached", () => {
  // Most of many calls: the machine may take a break in the middle of some.
  const yieldToEventLoop = createYielder();
  const waits = Array.from({ length: 1000 }, () => yieldToEventLoop() !== undefined);
  expect(waits.filter(Boolean).length).toBeLessThan(1000);
});

/** Work in turns. */
import { expect, it } from "vitest";
import { turns } from "../../src/lib/turns.ts";
import { beBusy } from "../support/be-busy.ts";

it("lets everybody else go first when a turn is over, and then begins another", async () => {
  const nextTurn = turns();
  const order: string[] = [];
  beBusy(15);
  setImmediate(() => order.push("others"));
  const turn = nextTurn();
  expect(turn).toBeInstanceOf(Promise);
  await turn;
  order.push("work");
  expect(order).toEqual(["others", "work"]);
  beBusy(15);
  expect(nextTurn()).toBeInstanceOf(Promise);
});

it("goes on at once as long as a turn lasts", () => {
  // Most of many calls: the machine may take a break in the middle of some.
  const nextTurn = turns();
  const waits = Array.from({ length: 1000 }, () => nextTurn() !== undefined);
  expect(waits.filter(Boolean).length).toBeLessThan(1000);
});

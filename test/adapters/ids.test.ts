import { expect, it } from "vitest";
import { createIdSource } from "../../src/adapters/system.ts";
import { FakeClock } from "../support/clock.ts";

const manyOf = (newId: () => string, count: number) => Array.from({ length: count }, newId);

it("ids are ordered by creation, within a millisecond and when the clock is set back", () => {
  const clock = new FakeClock();
  const newId = createIdSource(clock);
  const ids = manyOf(newId, 2000);
  clock.advance(1);
  ids.push(...manyOf(newId, 10));
  clock.advance(-60_000);
  ids.push(...manyOf(newId, 10));
  clock.advance(120_000);
  ids.push(...manyOf(newId, 10));
  expect(new Set(ids).size).toBe(2030);
  expect(ids).toEqual(ids.toSorted());
});

it("ids are UUIDs of version 7 that contain the time and can't be guessed", () => {
  const clock = new FakeClock();
  const [one = "", other = ""] = [createIdSource(clock)(), createIdSource(clock)()];
  const time = clock.now().toString(16).padStart(12, "0");
  const shape = new RegExp(
    `^${time.slice(0, 8)}-${time.slice(8)}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`,
  );
  expect(one).toMatch(shape);
  expect(other).toMatch(shape);
  expect(one.slice(14)).not.toBe(other.slice(14));
});

/** Locks within this process. */
import { expect, it } from "vitest";
import { KeyedLocks } from "../../src/db/keyed-locks.ts";

it("runs work of the same key in order, also after an error, and work of other keys beside it", async () => {
  const locks = new KeyedLocks();
  const steps: string[] = [];
  const opened = Promise.withResolvers<void>();
  const first = locks.runExclusively("a", async () => {
    await opened.promise;
    steps.push("first");
    throw new Error("fails");
  });
  const second = locks.runExclusively("a", async () => steps.push("second"));
  await locks.runExclusively("b", async () => steps.push("other"));
  opened.resolve();
  await expect(first).rejects.toThrow("fails");
  await second;
  expect(steps).toEqual(["other", "first", "second"]);
});

it("rejects instead of waiting for the lock of a key on demand", async () => {
  const locks = new KeyedLocks();
  const opened = Promise.withResolvers<void>();
  const held = locks.runExclusively("a", () => opened.promise);
  expect(await locks.tryRunExclusively("a", async () => expect.unreachable())).toBeUndefined();
  expect(await locks.tryRunExclusively("b", async () => "ran")).toBe("ran");
  opened.resolve();
  await held;
  expect(await locks.tryRunExclusively("a", async () => "ran")).toBe("ran");
});

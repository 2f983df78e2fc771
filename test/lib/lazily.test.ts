/** Objects that are created by the first call of a method. */
import { describe, expect, it } from "vitest";
import { lazily, loadOnce } from "../../src/lib/lazily.ts";

class Counter {
  #count = 0;

  async add(number: number): Promise<number> {
    this.#count += number;
    return this.#count;
  }

  async fail(): Promise<never> {
    throw new Error("failed itself");
  }
}

const createPair = async () => ({ one: new Counter(), other: new Counter() });

function setUp(create = createPair) {
  let created = 0;
  const lazy = lazily(
    () => {
      created += 1;
      return create();
    },
    "one",
    "other",
  );
  return { ...lazy, created: () => created };
}

describe("objects that are created lazily", () => {
  it("are created by the first call, all at once and only once, and keep their state", async () => {
    const { one, other, created } = setUp();
    expect(created()).toBe(0);
    expect(await Promise.all([one.add(1), one.add(2), other.add(5)])).toEqual([1, 3, 5]);
    expect(await one.add(1)).toBe(4);
    expect(created()).toBe(1);
  });

  it("can be the result of a promise without being created", async () => {
    const { one, created } = setUp();
    expect(await Promise.resolve(one)).toBe(one);
    expect(created()).toBe(0);
  });

  it("pass errors of their methods on", async () => {
    const { one } = setUp();
    await expect(one.fail()).rejects.toThrow("failed itself");
  });

  it("that can't be created make the calls fail until they can", async () => {
    let isBroken = true;
    const { one, other, created } = setUp(async () => {
      if (isBroken) throw new Error("a file is missing");
      return createPair();
    });
    const failed = await Promise.allSettled([one.add(1), other.add(1)]);
    expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await expect(one.add(1)).rejects.toThrow("a file is missing");
    isBroken = false;
    expect(await one.add(2)).toBe(2);
    expect(created()).toBe(3);
  });
});

it("what is loaded once is loaded again only after an error", async () => {
  let tries = 0;
  const load = loadOnce(async () => {
    tries += 1;
    if (tries === 1) throw new Error("not there");
    return tries;
  });
  await expect(load()).rejects.toThrow("not there");
  expect(await Promise.all([load(), load()])).toEqual([2, 2]);
  expect(await load()).toBe(2);
});

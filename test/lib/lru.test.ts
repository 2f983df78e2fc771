/** The bounded map: order of use, weight, and the same behaviour as a slow model. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Lru } from "../../src/lib/lru.ts";

const letters = (maxWeight: number): Lru<string> => new Lru({ maxWeight, weigh: (text) => text.length });

describe("Lru", () => {
  it("gives back what was set, and undefined for the rest", () => {
    const lru = letters(10);
    lru.set("a", "one");
    expect(lru.get("a")).toBe("one");
    expect(lru.get("b")).toBeUndefined();
    expect([lru.size, lru.weight]).toEqual([1, 3]);
  });

  it("lets the longest unused go first, where reading counts as use", () => {
    const lru = letters(9);
    lru.set("a", "one");
    lru.set("b", "two");
    lru.set("c", "six");
    lru.get("a");
    lru.set("d", "ten");
    expect(["a", "b", "c", "d"].map((key) => lru.get(key))).toEqual(["one", undefined, "six", "ten"]);
  });

  it("lets several go for one heavy value", () => {
    const lru = letters(6);
    for (const key of ["a", "b", "c"]) lru.set(key, "xx");
    lru.set("d", "xxxx");
    expect([lru.get("a"), lru.get("b"), lru.get("c"), lru.get("d")]).toEqual([
      undefined,
      undefined,
      "xx",
      "xxxx",
    ]);
  });

  it("weighs a replaced value once", () => {
    const lru = letters(10);
    lru.set("a", "12345678");
    lru.set("a", "12");
    expect([lru.size, lru.weight, lru.get("a")]).toEqual([1, 2, "12"]);
  });

  it("doesn't keep a value above the bound, nor the one it was to replace, but spares the others", () => {
    const lru = letters(5);
    lru.set("a", "12");
    lru.set("b", "12");
    lru.set("a", "123456");
    expect([lru.get("a"), lru.get("b"), lru.weight]).toEqual([undefined, "12", 2]);
  });

  it("deletes and clears", () => {
    const lru = letters(10);
    lru.set("a", "12");
    lru.set("b", "123");
    expect([lru.delete("a"), lru.delete("a"), lru.weight]).toEqual([true, false, 3]);
    lru.clear();
    expect([lru.size, lru.weight, lru.get("b")]).toEqual([0, 0, undefined]);
  });

  it("behaves like a plain list in order of use, and never exceeds the bound", () => {
    const step = fc.record({
      act: fc.constantFrom("set", "get", "delete"),
      key: fc.constantFrom("a", "b", "c", "d", "e"),
      value: fc.integer({ min: 1, max: 12 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const lru = new Lru<number>({ maxWeight: 10, weigh: (value) => value });
        const list = new PlainList(10);
        for (const { act, key, value } of steps) {
          expect(response(lru, act, key, value)).toBe(response(list, act, key, value));
          expect([lru.weight, lru.size]).toEqual([list.weight, list.entries.length]);
          expect(lru.weight).toBeLessThanOrEqual(10);
        }
      }),
    );
  });
});

function response(map: Lru<number> | PlainList, act: string, key: string, value: number): unknown {
  if (act === "get") return map.get(key);
  return act === "set" ? map.set(key, value) : map.delete(key);
}

/** The same in its simplest form: a list, the longest unused first, of values that are their own weight. */
class PlainList {
  entries: { key: string; value: number }[] = [];
  readonly #maxWeight: number;

  constructor(maxWeight: number) {
    this.#maxWeight = maxWeight;
  }

  get weight(): number {
    return this.entries.reduce((sum, { value }) => sum + value, 0);
  }

  get(key: string): number | undefined {
    const held = this.entries.find((entry) => entry.key === key);
    if (held !== undefined) this.entries = [...this.entries.filter((entry) => entry !== held), held];
    return held?.value;
  }

  set(key: string, value: number): void {
    this.delete(key);
    if (value > this.#maxWeight) return;
    this.entries.push({ key, value });
    while (this.weight > this.#maxWeight) this.entries.shift();
  }

  delete(key: string): boolean {
    const before = this.entries.length;
    this.entries = this.entries.filter((entry) => entry.key !== key);
    return this.entries.length < before;
  }
}

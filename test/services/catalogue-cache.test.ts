/** What is kept of a catalogue that changes. */
import { describe, expect, it } from "vitest";
import { encodeJson } from "../../src/lib/entity-tag.ts";
import { CachedResponses, CatalogueCache } from "../../src/services/shared/catalogue-cache.ts";

const at = (version: number, epoch = "one", losses = 0, dueSince = 0) => ({
  version,
  epoch,
  losses,
  dueSince,
  at: 0,
  dueNext: Infinity,
});

const start = () => {
  const cache = new CatalogueCache<string | undefined>({
    maxSize: 100,
    sizeCalculation: (text) => text.length,
  });
  let composed = 0;
  const ask = (version: number, key: string) =>
    cache.getOrCompose(at(version), key, async () => `${key} ${++composed}`);
  return { cache, ask };
};

it("computes once per version and key", async () => {
  const { ask } = start();
  expect([await ask(1, "a"), await ask(1, "b"), await ask(1, "a")]).toEqual(["a 1", "b 2", "a 1"]);
  expect([await ask(2, "a"), await ask(2, "a")]).toEqual(["a 3", "a 3"]);
});

it("computes again after the date of a book, and keeps nothing of the time before it", async () => {
  const { cache } = start();
  const askAt = (dueSince: number, value: string) =>
    cache.getOrCompose(at(1, "one", 0, dueSince), "a", async () => value);
  expect([await askAt(10, "first"), await askAt(10, "second")]).toEqual(["first", "first"]);
  expect([await askAt(20, "third"), await askAt(20, "fourth")]).toEqual(["third", "third"]);
  expect([await askAt(10, "late"), await askAt(20, "fifth")]).toEqual(["late", "third"]);
});

it("computes once for all concurrent callers, also on failure", async () => {
  const { cache, ask } = start();
  expect(await Promise.all([ask(1, "a"), ask(1, "a"), ask(1, "b"), ask(1, "a")])).toEqual([
    "a 1",
    "a 1",
    "b 2",
    "a 1",
  ]);
  let tries = 0;
  const fail = () => cache.getOrCompose(at(1), "c", async () => Promise.reject(new Error(`try ${++tries}`)));
  const results = await Promise.allSettled([fail(), fail()]);
  expect(results).toEqual([1, 1].map((n) => ({ status: "rejected", reason: new Error(`try ${n}`) })));
  await expect(fail()).rejects.toThrow("try 2");
});

it("composes for a caller with an older version, and caches nothing that may lack a change", async () => {
  const { cache, ask } = start();
  const { promise, resolve } = Promise.withResolvers<string>();
  const early = cache.getOrCompose(at(1), "a", () => promise);
  expect(await ask(2, "b")).toBe("b 1");
  resolve("before the change");
  expect(await early).toBe("before the change");
  expect(await ask(2, "a")).toBe("a 2");
  expect(await ask(1, "a")).toBe("a 3");
  expect(await ask(2, "a")).toBe("a 2");
  expect([await ask(1, "c"), await ask(2, "c")]).toEqual(["c 4", "c 5"]);
});

it("caches neither failures nor missing values", async () => {
  const { cache, ask } = start();
  await expect(cache.getOrCompose(at(1), "a", () => Promise.reject(new Error("not yet")))).rejects.toThrow(
    "not yet",
  );
  expect(await cache.getOrCompose(at(1), "a", async () => undefined)).toBeUndefined();
  expect(await ask(1, "a")).toBe("a 1");
});

describe("a value of a version", () => {
  const scene = () => {
    const cache = new CatalogueCache<string>({ maxSize: 100, sizeCalculation: () => 1 });
    return (scope: ReturnType<typeof at>, text: string) => cache.getOrCompose(scope, "a", async () => text);
  };

  it.each([
    ["in another epoch", at(5, "two")],
    ["in another epoch with a lower number", at(4, "two")],
    ["with a number that is used again after a loss", at(5, "one", 1)],
  ])("isn't the one %s", async (_, scope) => {
    const ask = scene();
    expect(await ask(at(5), "lost")).toBe("lost");
    expect(await ask(scope, "there")).toBe("there");
  });

  it("that is composed before a loss and ends after it isn't kept", async () => {
    const cache = new CatalogueCache<string>({ maxSize: 100, sizeCalculation: () => 1 });
    const { promise, resolve } = Promise.withResolvers<string>();
    const early = cache.getOrCompose(at(5), "a", () => promise);
    expect(await cache.getOrCompose(at(4, "one", 1), "b", async () => "b")).toBe("b");
    resolve("lost");
    expect(await early).toBe("lost");
    expect(await cache.getOrCompose(at(5), "a", async () => "there")).toBe("there");
  });
});

it("evicts the least recently used response when the bytes exceed the bound", async () => {
  const responses = new CachedResponses<number>({ maxBytes: 10_000 });
  let composed = 0;
  const ask = (key: string) => responses.getOrCompose(at(1), key, async () => ++composed);
  for (let key = 0; key < 100; key++) await ask(`key ${key}`);
  await ask("key 99");
  expect(composed).toBe(100);
  await ask("key 0");
  expect(composed).toBe(101);
  // Otherwise the bound would count less than the memory in use.
  const { bytes } = encodeJson({ title: "بئر" });
  expect(bytes.buffer.byteLength).toBe(bytes.length);
});

describe("during a computation,", () => {
  function scene() {
    const cache = new CatalogueCache<string>({ maxSize: 100, sizeCalculation: (text) => text.length });
    const running: { version: number; done: PromiseWithResolvers<string> }[] = [];
    const ask = (version: number) =>
      cache.getOrCompose(at(version), "a", () => {
        const done = Promise.withResolvers<string>();
        running.push({ version, done });
        return done.promise;
      });
    return { ask, running };
  }

  it("callers with newer versions wait for one computation after it, for the newest of them", async () => {
    const { ask, running } = scene();
    const first = ask(1);
    const later = [ask(2), ask(4), ask(3), ask(4)];
    expect(running.map(({ version }) => version)).toEqual([1]);
    running[0]?.done.resolve("as of 1");
    expect(await first).toBe("as of 1");
    expect(running.map(({ version }) => version)).toEqual([1, 4]);
    const joined = ask(4);
    running[1]?.done.resolve("as of 4");
    expect(await Promise.all([...later, joined])).toEqual(Array(5).fill("as of 4"));
    expect(await ask(4)).toBe("as of 4");
    expect(running).toHaveLength(2);
  });

  it("a failure concerns its own callers only", async () => {
    const { ask, running } = scene();
    const first = ask(1);
    const later = ask(2);
    running[0]?.done.reject(new Error("lost"));
    await expect(first).rejects.toThrow("lost");
    running[1]?.done.resolve("found");
    expect(await later).toBe("found");
  });
});

/** What is kept of a catalogue that changes. */
import { describe, expect, it } from "vitest";
import {
  CachedResponses,
  CatalogueCache,
  CatalogueVersions,
  cachedJson,
} from "../../src/services/catalogue/catalogue-cache.ts";

const start = () => {
  const cache = new CatalogueCache<string | undefined>({
    maxSize: 100,
    sizeCalculation: (text) => text.length,
  });
  let composed = 0;
  const ask = (version: number, key: string) => cache.of(version, key, async () => `${key} ${++composed}`);
  return { cache, ask };
};

it("computes once per version and key", async () => {
  const { ask } = start();
  expect([await ask(1, "a"), await ask(1, "b"), await ask(1, "a")]).toEqual(["a 1", "b 2", "a 1"]);
  expect([await ask(2, "a"), await ask(2, "a")]).toEqual(["a 3", "a 3"]);
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
  const fail = () => cache.of(1, "c", async () => Promise.reject(new Error(`try ${++tries}`)));
  const results = await Promise.allSettled([fail(), fail()]);
  expect(results).toEqual([1, 1].map((n) => ({ status: "rejected", reason: new Error(`try ${n}`) })));
  await expect(fail()).rejects.toThrow("try 2");
});

it("serves a cached value to a caller with an older version, and caches nothing that may lack a change", async () => {
  const { cache, ask } = start();
  const { promise, resolve } = Promise.withResolvers<string>();
  const early = cache.of(1, "a", () => promise);
  expect(await ask(2, "b")).toBe("b 1");
  resolve("before the change");
  expect(await early).toBe("before the change");
  expect(await ask(2, "a")).toBe("a 2");
  expect(await ask(1, "a")).toBe("a 2");
  expect([await ask(1, "c"), await ask(2, "c")]).toEqual(["c 3", "c 4"]);
});

it("caches neither failures nor missing values", async () => {
  const { cache, ask } = start();
  await expect(cache.of(1, "a", () => Promise.reject(new Error("not yet")))).rejects.toThrow("not yet");
  expect(await cache.of(1, "a", async () => undefined)).toBeUndefined();
  expect(await ask(1, "a")).toBe("a 1");
});

it("evicts the least recently used response when the bytes exceed the bound", async () => {
  const responses = new CachedResponses<number>({ maxBytes: 10_000 });
  let composed = 0;
  const ask = (key: string) => responses.of(1, key, async () => ++composed);
  for (let key = 0; key < 100; key++) await ask(`key ${key}`);
  await ask("key 99");
  expect(composed).toBe(100);
  await ask("key 0");
  expect(composed).toBe(101);
  // Otherwise the bound would count less than the memory in use.
  const { bytes } = cachedJson({ title: "بئر" });
  expect(bytes.buffer.byteLength).toBe(bytes.length);
});

describe("the version", () => {
  function scene() {
    let version = 1;
    let questions = 0;
    const publication = {
      async catalogueVersion() {
        questions += 1;
        if (version < 0) throw new Error("no database");
        return version;
      },
    };
    const versions = new CatalogueVersions({ publication });
    return { versions, set: (to: number) => (version = to), questions: () => questions };
  }

  it("is asked once for all callers of a turn, after the last of them", async () => {
    const { versions, set, questions } = scene();
    const first = versions.catalogueVersion();
    await Promise.resolve();
    set(2);
    const last = versions.catalogueVersion();
    expect(await Promise.all([first, last])).toEqual([2, 2]);
    expect(questions()).toBe(1);
    set(3);
    expect(await versions.catalogueVersion()).toBe(3);
  });

  it("is asked again while an earlier question isn't answered: that answer may be older than the caller", async () => {
    const answers: PromiseWithResolvers<number>[] = [];
    const catalogueVersion = () => {
      const answer = Promise.withResolvers<number>();
      answers.push(answer);
      return answer.promise;
    };
    const versions = new CatalogueVersions({ publication: { catalogueVersion } });
    const early = versions.catalogueVersion();
    await new Promise(setImmediate);
    const late = versions.catalogueVersion();
    await new Promise(setImmediate);
    answers.forEach(({ resolve }, index) => {
      resolve(index);
    });
    expect(await Promise.all([early, late])).toEqual([0, 1]);
  });

  it("is asked again after an error, which all callers of the turn get", async () => {
    const { versions, set } = scene();
    set(-1);
    const asked = [versions.catalogueVersion(), versions.catalogueVersion()];
    for (const each of asked) await expect(each).rejects.toThrow("no database");
    set(4);
    expect(await versions.catalogueVersion()).toBe(4);
  });
});

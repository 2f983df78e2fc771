/** What is kept of a catalogue that changes while it is read: no response lacks a change that came before its request. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { RequestScope, runRequest } from "../../src/db/request-scope.ts";
import { CatalogueCache } from "../../src/services/shared/catalogue-cache.ts";
import { CatalogueVersions } from "../../src/services/shared/catalogue-versions.ts";

const NO_DATES = { dueSince: 0, dueNext: Infinity };
const clock = { now: () => 0 };
const at = (version: number) => ({ version, epoch: "one", losses: 0, at: 0, ...NO_DATES });

const start = () => {
  const cache = new CatalogueCache<string>({ maxSize: 100, sizeCalculation: (text) => text.length });
  let composed = 0;
  const ask = (version: number, key: string) =>
    cache.getOrCompose(at(version), key, async () => `${key} ${++composed}`);
  return { cache, ask };
};

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

describe("the versions", () => {
  it("are queried again while an earlier query is pending, whose result may be older than the caller", async () => {
    const answers: PromiseWithResolvers<number>[] = [];
    const readCatalogueVersion = () => {
      const answer = Promise.withResolvers<number>();
      answers.push(answer);
      return answer.promise.then((version) => ({ epoch: "one", version }));
    };
    const readCatalogueVersions = async () => ({
      epoch: "one",
      version: answers.length,
      forAll: 0,
      byLanguage: new Map(),
      ...NO_DATES,
    });
    const onLoss = () => expect.unreachable();
    const versions = new CatalogueVersions({
      publication: { readCatalogueVersion, readCatalogueVersions },
      clock,
      onLoss,
    });
    const read = async () => (await versions.readCurrent()).version;
    const early = read();
    await new Promise(setImmediate);
    answers[0]?.resolve(1);
    expect(await early).toBe(1);
    const another = read();
    await new Promise(setImmediate);
    const late = read();
    await new Promise(setImmediate);
    answers[2]?.resolve(3);
    expect(await late).toBe(3);
    answers[1]?.resolve(2);
    expect(await another).toBe(3);
  });

  it("take time of each request that waits for them", async () => {
    const answer = Promise.withResolvers<number>();
    const readCatalogueVersion = () => answer.promise.then((version) => ({ epoch: "one", version }));
    const readCatalogueVersions = async () => ({
      epoch: "one",
      version: 1,
      forAll: 1,
      byLanguage: new Map(),
      ...NO_DATES,
    });
    const versions = new CatalogueVersions({
      publication: { readCatalogueVersion, readCatalogueVersions },
      clock,
    });
    const [one, another] = [new RequestScope(10_000), new RequestScope(5000)];
    const asked = [one, another].map((request) => runRequest(request, () => versions.readCurrent()));
    await sleep(300);
    answer.resolve(1);
    await Promise.all(asked);
    expect(one.remainingMs).toBeLessThanOrEqual(9800);
    expect(another.remainingMs).toBeLessThanOrEqual(4800);
  });
});

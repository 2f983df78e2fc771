/** The versions of the catalogue, which many requests ask for together. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { RequestScope, runRequest } from "../../src/db/request-scope.ts";
import { CatalogueState, CatalogueVersions } from "../../src/services/shared/catalogue-versions.ts";

const NO_DATES = { dueSince: 0, dueNext: Infinity };
const clock = { now: () => 0 };

describe("the state of the catalogue", () => {
  const state = (version: number, forAll: number, byLanguage: [number, number][] = []) =>
    new CatalogueState({
      epoch: "one",
      version,
      forAll,
      byLanguage: new Map(byLanguage),
      ...NO_DATES,
      at: 0,
    });

  it("has a version of each language, which changes of others don't affect", () => {
    const before = state(5, 4, [[1, 1]]);
    const after = state(6, 4, [
      [1, 1],
      [2, 1],
    ]);
    expect(after.scopeOf(1)).toEqual(before.scopeOf(1));
    expect(after.scopeOf(3)).toEqual(before.scopeOf(3));
    expect(after.scopeOf(2)).not.toEqual(before.scopeOf(2));
    expect(after.scopeOf()).not.toEqual(before.scopeOf());
  });

  it("has another version of each language after a change for all", () => {
    const before = state(5, 4, [[1, 1]]);
    const after = state(6, 5, [[1, 1]]);
    for (const languageId of [undefined, 1, 2])
      expect(after.scopeOf(languageId), `${languageId}`).not.toEqual(before.scopeOf(languageId));
  });
});

describe("the dates of books", () => {
  function scene(dates: readonly number[]) {
    let now = 100;
    let reads = 0;
    const publication = {
      readCatalogueVersion: async () => ({ epoch: "one", version: 1 }),
      async readCatalogueVersions(at: number) {
        reads += 1;
        const dueSince = Math.max(0, ...dates.filter((date) => date <= at));
        const dueNext = Math.min(...dates.filter((date) => date > at));
        return {
          epoch: "one",
          version: 1,
          forAll: 1,
          byLanguage: new Map<number, number>(),
          dueSince,
          dueNext,
        };
      },
    };
    const versions = new CatalogueVersions({ publication, clock: { now: () => now } });
    const readAt = async (time: number) => {
      now = time;
      const { dueSince } = (await versions.readCurrent()).scopeOf(7);
      return [dueSince, reads];
    };
    return { readAt, versions };
  }

  it("make another scope of each language when one has passed, and are read only then", async () => {
    const { readAt } = scene([150, 200]);
    expect(await readAt(100)).toEqual([0, 1]);
    expect(await readAt(149)).toEqual([0, 1]);
    expect(await readAt(150)).toEqual([150, 2]);
    expect(await readAt(199)).toEqual([150, 2]);
    expect(await readAt(1000)).toEqual([200, 3]);
    expect(await readAt(9000)).toEqual([200, 3]);
  });

  it("count again after the clock was set back", async () => {
    const { readAt } = scene([150]);
    expect(await readAt(160)).toEqual([150, 1]);
    expect(await readAt(140)).toEqual([0, 2]);
    expect(await readAt(150)).toEqual([150, 3]);
  });

  it("bound how long the response of a request is valid", async () => {
    const { versions } = scene([150]);
    const request = new RequestScope(1000);
    expect(request.validUntil).toBe(Infinity);
    await runRequest(request, () => versions.readCurrent());
    expect(request.validUntil).toBe(150);
  });
});

describe("the versions", () => {
  function scene() {
    let version = 1;
    let epoch = "one";
    const reasons: string[] = [];
    const questions = { version: 0, versions: 0 };
    const publication = {
      async readCatalogueVersion() {
        questions.version += 1;
        if (version < 0) throw new Error("no database");
        return { epoch, version };
      },
      async readCatalogueVersions() {
        questions.versions += 1;
        return { epoch, version, forAll: version, byLanguage: new Map<number, number>(), ...NO_DATES };
      },
    };
    const versions = new CatalogueVersions({ publication, clock, onLoss: (reason) => reasons.push(reason) });
    const set = (to: number, inEpoch = epoch) => {
      version = to;
      epoch = inEpoch;
    };
    const read = async () => (await versions.readCurrent()).version;
    return { versions, read, set, questions, reasons };
  }

  it("are queried once for all callers of an event-loop turn, after the last of them", async () => {
    const { read, set, questions } = scene();
    const first = read();
    await Promise.resolve();
    set(2);
    const last = read();
    expect(await Promise.all([first, last])).toEqual([2, 2]);
    expect(questions).toEqual({ version: 1, versions: 1 });
    set(3);
    expect(await read()).toBe(3);
  });

  it("include those of languages only after a change", async () => {
    const { versions, set, questions } = scene();
    for (let times = 0; times < 3; times += 1) await versions.readCurrent();
    expect(questions).toEqual({ version: 3, versions: 1 });
    set(2);
    expect((await versions.readCurrent()).scopeOf(7)).toMatchObject({ languageId: 7, version: 2 });
    expect(questions).toEqual({ version: 4, versions: 2 });
  });

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

  it("are queried again after an error, which all callers of the turn get", async () => {
    const { read, set } = scene();
    set(-1);
    const asked = [read(), read()];
    for (const each of asked) await expect(each).rejects.toThrow("no database");
    set(4);
    expect(await read()).toBe(4);
  });

  it("say once that numbers are lower than before, or of another epoch: then earlier ones mean nothing", async () => {
    const { versions, set, reasons } = scene();
    set(5);
    const before = await versions.readCurrent();
    set(3);
    const lost = await Promise.all([versions.readCurrent(), versions.readCurrent()]);
    expect(lost.map(({ version, losses }) => [version, losses])).toEqual([
      [3, 1],
      [3, 1],
    ]);
    set(5);
    expect(await versions.readCurrent()).toMatchObject({ version: 5, losses: 1 });
    expect(before).toMatchObject({ version: 5, losses: 0 });
    expect(reasons).toEqual(["lower version"]);
    set(5, "two");
    expect(await versions.readCurrent()).toMatchObject({ epoch: "two", version: 5, losses: 2 });
    set(6);
    await versions.readCurrent();
    expect(reasons).toEqual(["lower version", "another database"]);
  });
});

import { describe, expect, it } from "vitest";
import { findExceeded, type Measure, measure, type Sample } from "../../tools/cluster/gaps.ts";

const SPAN = { fromMs: 0, repairedMs: 10_000, toMs: 20_000 };

/** A list at `place`, by default with success. */
const sample = (begunMs: number, endedMs: number, more: Partial<Sample> = {}): Sample => ({
  place: "instance0",
  kind: "list",
  outcome: "success",
  begunMs,
  endedMs,
  ...more,
});

const everySecond = (until = 20) =>
  Array.from({ length: until }, (_, second) => sample(second * 1000, second * 1000 + 100));

function measured(samples: readonly Sample[]): Measure {
  const [only, ...others] = measure(samples, SPAN);
  if (!only || others.length > 0) throw new Error("One place and kind was expected");
  return only;
}

describe("measure", () => {
  it("finds the longest time without a success", () => {
    expect(measured(everySecond()).gap).toBe(1000);
    const without = everySecond().filter(({ begunMs }) => begunMs < 3000 || begunMs >= 7000);
    expect(measured(without).gap).toBe(5000);
  });

  it("counts the time before the first success and after the last one", () => {
    expect(measured([sample(5000, 6000)]).gap).toBe(14_000);
    expect(measured([sample(18_000, 19_000)]).gap).toBe(19_000);
  });

  it("counts a place without any success as one gap", () => {
    const { gap, well } = measured([sample(0, 60_000, { outcome: "failed" })]);
    expect(gap).toBe(20_000);
    expect(well).toBeUndefined();
  });

  it("doesn't count a rejection as success", () => {
    const samples = everySecond().map((each) =>
      each.begunMs >= 3000 && each.begunMs < 7000 ? { ...each, outcome: "refused" as const } : each,
    );
    expect(measured(samples)).toMatchObject({ gap: 5000, failures: 4 });
  });

  it("finds the slowest request, with any outcome", () => {
    const late = [sample(1000, 9000), sample(2000, 11_500, { outcome: "refused" })];
    expect(measured([...everySecond(), ...late]).slowest).toBe(9500);
  });

  it("measures from the repair to the first success after which nothing fails", () => {
    expect(measured(everySecond()).well).toBe(100);
    const failure = sample(9000, 13_000, { outcome: "failed" });
    expect(measured([...everySecond(), failure]).well).toBe(3100);
  });

  it("has no time of recovery if requests fail at the end", () => {
    const failure = sample(19_500, 25_000, { outcome: "failed" });
    expect(measured([...everySecond(), failure]).well).toBeUndefined();
  });

  it("measures hosts and kinds of probes separately", () => {
    const other = [sample(0, 100, { place: "balancer" }), sample(0, 100, { kind: "form" })];
    const all = measure([...everySecond(), ...other], SPAN);
    expect(all.map(({ place, kind, gap }) => [place, kind, gap])).toEqual([
      ["instance0", "list", 1000],
      ["balancer", "list", 19_900],
      ["instance0", "form", 19_900],
    ]);
  });
});

describe("exceeded", () => {
  const form: Measure = {
    place: "instance1",
    kind: "form",
    gap: 10_100,
    slowest: 12_000,
    well: 16_000,
    failures: 2,
    broken: 1,
  };

  it("reports each limit that was exceeded, with the place", () => {
    expect(
      findExceeded(form, { form: { gap: 4500, slowest: 10_500, well: 15_000, failures: 0 } }, 1),
    ).toEqual([
      "form at instance1: no success for 10.1 s (4.5 s allowed)",
      "form at instance1: ended after 12.0 s (10.5 s allowed)",
      "form at instance1: recovered after 16.0 s (15.0 s allowed)",
      "form at instance1: 2 without a success (0 allowed)",
    ]);
  });

  it("accepts exactly the limit, and values without a limit", () => {
    expect(findExceeded(form, { form: { gap: 10_100, well: 16_000 } }, 1)).toEqual([]);
    expect(findExceeded(form, { list: { gap: 1 } }, 1)).toEqual([]);
  });

  it("multiplies times by the slack, but not numbers", () => {
    expect(findExceeded(form, { form: { gap: 5050, well: 8000, failures: 0 } }, 2)).toEqual([
      "form at instance1: 2 without a success (0 allowed)",
    ]);
    expect(findExceeded(form, { form: { gap: 5000 } }, 2)).toEqual([
      "form at instance1: no success for 10.1 s (5.0 s allowed, times 2)",
    ]);
  });

  it("accepts refusals on a busy machine, but no broken requests", () => {
    expect(findExceeded(form, { form: { failures: 0 } }, 3)).toEqual([
      "form at instance1: 1 without a success (0 allowed)",
    ]);
    expect(findExceeded({ ...form, broken: 0 }, { form: { failures: 0 } }, 3)).toEqual([]);
  });

  it("reports a missing recovery with any slack", () => {
    expect(findExceeded({ ...form, well: undefined }, { form: { well: 15_000 } }, 10)).toEqual([
      "form at instance1: recovered never (15.0 s allowed, times 10)",
    ]);
  });
});

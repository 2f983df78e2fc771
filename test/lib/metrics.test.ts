import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Metrics } from "../../src/lib/metrics.ts";
import { readExposition } from "../support/read-exposition.ts";

/** Texts in which the format's own characters are frequent. */
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom("\\", '"', "\n", "\r", "{", "}", "=", ",", " ", "#", "n", "é", "😀") }),
);
const value = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom(0, -0, 1e21, 1e-7, Number.POSITIVE_INFINITY),
);
const labels = fc.record({ one: text, two: text });

describe("the text", () => {
  it("is to the letter of the format, whatever the labels and values", async () => {
    const samples = fc.uniqueArray(fc.record({ labels, value }), {
      selector: (sample) => JSON.stringify(sample.labels),
    });
    await fc.assert(
      fc.asyncProperty(text, samples, async (help, given) => {
        const metrics = new Metrics();
        metrics.gauge("some_gauge", help, () => given);
        const found = readExposition(await metrics.text()).get("some_gauge");
        expect(found?.samples ?? []).toEqual(
          given.map((sample) => ({ name: "some_gauge", ...sample, value: sample.value + 0 })),
        );
        if (given.length > 0) expect(found).toMatchObject({ help, type: "gauge" });
      }),
    );
  });

  it("of a counter has a line for each combination of labels, with all that was added", async () => {
    const additions = fc.array(
      fc.record({ labels: fc.record({ kind: fc.constantFrom("a", "b", "\n") }), by: fc.nat() }),
    );
    await fc.assert(
      fc.asyncProperty(additions, async (given) => {
        const metrics = new Metrics();
        const counter = metrics.counter("things_total", "Things.");
        for (const each of given) counter.add(each.labels, each.by);
        const found = readExposition(await metrics.text()).get("things_total")?.samples ?? [];
        const due = Map.groupBy(given, (each): string => each.labels.kind);
        expect(found.length).toBe(due.size);
        for (const { labels, value: total } of found)
          expect(total).toBe(due.get(String(labels.kind))?.reduce((sum, { by }) => sum + by, 0));
      }),
    );
  });

  it("of a histogram counts each value in every bucket that it fits into", async () => {
    const bounds = [0.01, 0.1, 1, 10];
    const values = fc.array(fc.double({ min: 0, max: 20, noNaN: true }), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(values, text, async (given, route) => {
        const metrics = new Metrics();
        const histogram = metrics.histogram("seconds", "How long.", bounds);
        for (const each of given) histogram.observe(each, { route });
        const found = readExposition(await metrics.text()).get("seconds")?.samples ?? [];
        const counts = Object.fromEntries(found.map(({ labels, value: count }) => [labels.le, count]));
        for (const bound of bounds) expect(counts[bound]).toBe(given.filter((each) => each <= bound).length);
        expect(counts["+Inf"]).toBe(given.length);
        expect(found.find(({ name }) => name === "seconds_sum")?.value).toBeCloseTo(
          given.reduce((sum, each) => sum + each, 0),
        );
        expect(found.every(({ labels }) => labels.route === route)).toBe(true);
      }),
    );
  });

  it("leaves out what there is nothing to tell of", async () => {
    const metrics = new Metrics();
    metrics.gauge("absent", "Nothing.", () => undefined);
    metrics.counted("present_total", "Something.", async () => 3);
    metrics.counter("never_total", "Nothing yet.");
    expect(await metrics.text()).toBe(
      "# HELP present_total Something.\n# TYPE present_total counter\npresent_total 3\n",
    );
  });
});

describe("a name", () => {
  it("is taken once, and only if the format allows it", () => {
    const metrics = new Metrics();
    metrics.counter("a_total", "A.");
    expect(() => metrics.gauge("a_total", "A again.", () => 1)).toThrow("already");
    for (const name of ["", "1a", "a-b", "a b", "A"])
      expect(() => metrics.counter(name, "")).toThrow("no name");
  });
});

describe("the strict reader", () => {
  it.each([
    ["no end of the line", "# HELP a b\n# TYPE a gauge\na 1"],
    ["no help", "# TYPE a gauge\na 1\n"],
    ["another name", "# HELP a b\n# TYPE a gauge\nb 1\n"],
    ["a type that there isn't", "# HELP a b\n# TYPE a meter\na 1\n"],
    ["no number", "# HELP a b\n# TYPE a gauge\na one\n"],
    ["an open quote", '# HELP a b\n# TYPE a gauge\na{l="x} 1\n'],
    ["a quote in a value", '# HELP a b\n# TYPE a gauge\na{l="x"y"} 1\n'],
    ["a comma too many", '# HELP a b\n# TYPE a gauge\na{l="x",} 1\n'],
    ["the same line twice", '# HELP a b\n# TYPE a gauge\na{l="x"} 1\na{l="x"} 1\n'],
    ["the same block twice", "# HELP a b\n# TYPE a gauge\na 1\n# HELP a b\n# TYPE a gauge\na 1\n"],
    [
      "a bucket that sinks",
      '# HELP a b\n# TYPE a histogram\na_bucket{le="1"} 2\na_bucket{le="+Inf"} 1\na_sum 1\na_count 1\n',
    ],
    ["no last bucket", '# HELP a b\n# TYPE a histogram\na_bucket{le="1"} 2\na_sum 1\na_count 2\n'],
  ])("refuses %s", (_, wrong) => {
    expect(() => readExposition(wrong)).toThrow();
  });
});

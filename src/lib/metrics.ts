/** Figures of a running process, and the text in which Prometheus reads them (exposition format 0.0.4). */

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  value: number;
  labels?: Labels;
}

/** What is looked up when the text is asked for; undefined when there is nothing to tell. */
export type Reading = number | undefined | readonly Sample[];

interface Line {
  /** What follows the figure's name. */
  suffix?: string;
  labels: Labels;
  value: number;
}

interface Family {
  help: string;
  type: "counter" | "gauge" | "histogram";
  lines(): readonly Line[] | Promise<readonly Line[]>;
}

const NAME = /^[a-z][a-z0-9_]*$/;

export class Metrics {
  readonly #families = new Map<string, Family>();

  /** Counts what happens. There is a line for each combination of labels seen: their values must be few. */
  counter(name: string, help: string): Counter {
    const counter = new Counter();
    this.#add(name, { help, type: "counter", lines: () => counter.lines() });
    return counter;
  }

  /** @param bounds the upper end of each bucket, ascending; one without an end is added */
  histogram(name: string, help: string, bounds: readonly number[]): Histogram {
    const histogram = new Histogram(bounds);
    this.#add(name, { help, type: "histogram", lines: () => histogram.lines() });
    return histogram;
  }

  /** What others count: nothing is done until the text is asked for. */
  counted(name: string, help: string, read: () => Reading | Promise<Reading>): void {
    this.#add(name, { help, type: "counter", lines: async () => linesOf(await read()) });
  }

  /** What may rise and fall. */
  gauge(name: string, help: string, read: () => Reading | Promise<Reading>): void {
    this.#add(name, { help, type: "gauge", lines: async () => linesOf(await read()) });
  }

  /** Figures of which there is nothing to tell are left out, and so are those that can't be read just now. */
  async text(): Promise<string> {
    const blocks: string[] = [];
    for (const [name, family] of this.#families) {
      const { help, type } = family;
      const found = await linesFrom(family);
      if (found.length === 0) continue;
      blocks.push(`# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n`);
      for (const { suffix = "", labels, value } of found)
        blocks.push(`${name}${suffix}${labelText(labels)} ${numberText(value)}\n`);
    }
    return blocks.join("");
  }

  #add(name: string, family: Family): void {
    if (!NAME.test(name)) throw new TypeError(`${name} is no name of a figure`);
    if (this.#families.has(name)) throw new TypeError(`There is a figure ${name} already`);
    this.#families.set(name, family);
  }
}

export class Counter {
  readonly #counts = new Map<string, { labels: Labels; value: number }>();

  add(labels: Labels = {}, by = 1): void {
    const count = this.#counts.get(keyOf(labels));
    if (count) count.value += by;
    else this.#counts.set(keyOf(labels), { labels, value: by });
  }

  lines(): readonly Line[] {
    return [...this.#counts.values()];
  }
}

interface Distribution {
  labels: Labels;
  /** For each bound how many values were at most that and above the one before, and last those above all. */
  counts: number[];
  sum: number;
}

export class Histogram {
  readonly #bounds: readonly number[];
  readonly #distributions = new Map<string, Distribution>();

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
  }

  observe(value: number, labels: Labels = {}): void {
    const key = keyOf(labels);
    let distribution = this.#distributions.get(key);
    if (!distribution) {
      distribution = { labels, counts: Array.from({ length: this.#bounds.length + 1 }, () => 0), sum: 0 };
      this.#distributions.set(key, distribution);
    }
    const bucket = this.#bounds.findIndex((bound) => value <= bound);
    const index = bucket < 0 ? this.#bounds.length : bucket;
    distribution.counts[index] = (distribution.counts[index] ?? 0) + 1;
    distribution.sum += value;
  }

  lines(): readonly Line[] {
    return [...this.#distributions.values()].flatMap(({ labels, counts, sum }) => {
      let total = 0;
      const buckets = counts.map((count, index) => {
        total += count;
        const le = numberText(this.#bounds[index] ?? Number.POSITIVE_INFINITY);
        return { suffix: "_bucket", labels: { ...labels, le }, value: total };
      });
      return [...buckets, { suffix: "_sum", labels, value: sum }, { suffix: "_count", labels, value: total }];
    });
  }
}

/** The same for the same values in the same order: each figure's labels come from one place. */
const keyOf = (labels: Labels): string => Object.values(labels).join("\n");

/** When a disk fails, the figures that don't come from it are needed most. */
async function linesFrom({ lines }: Family): Promise<readonly Line[]> {
  try {
    return await lines();
  } catch {
    return [];
  }
}

const linesOf = (reading: Reading): Line[] => {
  if (reading === undefined) return [];
  if (typeof reading === "number") return [{ labels: {}, value: reading }];
  return reading.map(({ value, labels = {} }) => ({ value, labels }));
};

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => {
    if (!NAME.test(name)) throw new TypeError(`${name} is no name of a label`);
    return `${name}="${escaped(value).replaceAll('"', '\\"')}"`;
  });
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

const escaped = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");

function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  return value === Number.NEGATIVE_INFINITY ? "-Inf" : String(value);
}

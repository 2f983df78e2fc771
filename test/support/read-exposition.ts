/** A strict reader of Prometheus' text format 0.0.4: whatever isn't to the letter of it throws. */

export interface ReadSample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export interface ReadFamily {
  help: string;
  type: string;
  samples: ReadSample[];
}

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"/y;
const VALUE = /^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|[+-]Inf|NaN)$/;
const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  counter: [""],
  gauge: [""],
  histogram: ["_bucket", "_sum", "_count"],
};

export function readExposition(text: string): Map<string, ReadFamily> {
  if (text !== "" && !text.endsWith("\n")) throw new Error("The last line has no end");
  const families = new Map<string, ReadFamily>();
  for (const block of text.split(/^(?=# HELP )/m)) {
    if (block === "") continue;
    const { name, ...family } = familyIn(block);
    if (families.has(name)) throw new Error(`${name} is not one block`);
    families.set(name, family);
  }
  return families;
}

function familyIn(block: string): ReadFamily & { name: string } {
  const [first, second, ...lines] = block.split("\n").slice(0, -1);
  const [, name = "", help = ""] = match(`^# HELP (${NAME}) ((?:[^\\\\]|\\\\[\\\\n])*)$`, first);
  const [, typed, type = ""] = match(`^# TYPE (${NAME}) (counter|gauge|histogram)$`, second);
  if (typed !== name) throw new Error(`${typed} in the block of ${name}`);
  const samples = lines.map(sampleIn);
  const names = SUFFIXES[type]?.map((suffix) => name + suffix) ?? [];
  const unexpected = samples.find((sample) => !names.includes(sample.name));
  if (unexpected) throw new Error(`${unexpected.name} in the block of ${name}`);
  const series = samples.map((sample) => JSON.stringify([sample.name, Object.entries(sample.labels).sort()]));
  if (new Set(series).size < series.length) throw new Error(`A line of ${name} comes twice`);
  if (type === "histogram") checkHistogram(name, samples);
  return { name, help: unescaped(help), type, samples };
}

function match(pattern: string, line = ""): RegExpExecArray {
  const found = new RegExp(pattern, "s").exec(line);
  if (!found) throw new Error(`Not what the format has here: ${line}`);
  return found;
}

function sampleIn(line: string): ReadSample {
  const [, name = "", labelText = "", value = ""] = match(`^(${NAME})(\\{.*\\})? ([^ ]+)$`, line);
  if (!VALUE.test(value)) throw new Error(`${value} is no number`);
  return { name, labels: labelsIn(labelText), value: Number(value.replace("Inf", "Infinity")) };
}

function labelsIn(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  for (let at = 1; at < text.length; ) {
    LABEL.lastIndex = at;
    const [whole = "", name = "", value = ""] = LABEL.exec(text) ?? [];
    if (whole === "" || name in labels) throw new Error(`Not a list of labels: ${text}`);
    labels[name] = unescaped(value);
    at += whole.length;
    if (![",", "}"].includes(text[at] ?? "") || (text[at] === "}") !== (at === text.length - 1))
      throw new Error(`Not a list of labels: ${text}`);
    at += 1;
  }
  return labels;
}

const unescaped = (text: string): string =>
  text.replaceAll(/\\(.)/g, (_, character) => (character === "n" ? "\n" : character));

/** Buckets rise to one without an end, which holds as many as `_count` says. */
function checkHistogram(name: string, samples: readonly ReadSample[]): void {
  const groups = Map.groupBy(samples, ({ labels: { le: _, ...labels } }) => JSON.stringify(labels));
  for (const group of groups.values()) {
    const buckets = group.filter((sample) => sample.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => Number((labels.le ?? "").replace("Inf", "Infinity")));
    const counts = buckets.map(({ value }) => value);
    const [total] = group.filter((sample) => sample.name === `${name}_count`);
    const sums = group.filter((sample) => sample.name === `${name}_sum`);
    const isAscending = (numbers: readonly number[]) =>
      numbers.every((each, i) => i === 0 || each >= (numbers[i - 1] ?? 0));
    const isWhole =
      sums.length === 1 && total?.value === counts.at(-1) && bounds.at(-1) === Number.POSITIVE_INFINITY;
    if (!isAscending(bounds) || !isAscending(counts) || !isWhole) throw new Error(`${name} is no histogram`);
  }
}

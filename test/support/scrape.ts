/** Reads the text in which Prometheus gets metrics. */

const SAMPLE = /^([a-z_:][a-z0-9_:]*(?:\{(?:[a-z_]+="(?:[^"\\]|\\.)*",?)+\})?) (-?[\d.e+-]+|[+-]Inf|Nan)$/i;

/** Every sample as `name{label="value"}`, with its value. Throws for a line that the format doesn't have. */
export function readMetrics(text: string): Record<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !/^# (HELP|TYPE) /.test(line));
  return Object.fromEntries(
    lines.map((line) => {
      const [, sample, value] = SAMPLE.exec(line) ?? [];
      if (sample === undefined) throw new Error(`Not a sample: ${line}`);
      return [sample, Number(value)];
    }),
  );
}

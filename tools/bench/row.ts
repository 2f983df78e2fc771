/** What a measurement reports, and how two ways of doing the same are compared fairly. */

/** One line of the report. `ratio` is ours against the other, `ok` whether `bound` holds. */
export interface BenchRow {
  what: string;
  ours: string;
  other: string;
  ratio: number;
  bound: string;
  ok: boolean;
}

export function computeMedian(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Medians of both, and the median of the ratios of each round. */
export interface Comparison {
  ours: number;
  other: number;
  ratio: number;
}

/**
 * Measures both in turn, so that other work of the machine meets both alike. The first round warms up and
 * doesn't count.
 */
export async function compare(
  rounds: number,
  measureOurs: () => Promise<number>,
  measureOther: () => Promise<number>,
): Promise<Comparison> {
  const results: { ours: number; other: number }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const other = await measureOther();
    const ours = await measureOurs();
    if (round > 0) results.push({ ours, other });
  }
  return {
    ours: computeMedian(results.map(({ ours }) => ours)),
    other: computeMedian(results.map(({ other }) => other)),
    ratio: computeMedian(results.map(({ ours, other }) => ours / other)),
  };
}

/** A comparison of responses a second that is to reach `least` times the other. */
export const countRow = (what: string, { ours, other, ratio }: Comparison, least: number): BenchRow => ({
  what,
  ours: `${Math.round(ours)}/s`,
  other: `${Math.round(other)}/s`,
  ratio: Number(ratio.toFixed(2)),
  bound: `at least ${least}`,
  ok: ratio >= least,
});

/** A measured value that is to stay below a bound; its ratio is that to the bound. */
export const boundRow = (what: string, ours: number, unit: string, most: number): BenchRow => ({
  what,
  ours: `${Number(ours.toPrecision(3))} ${unit}`,
  other: "",
  ratio: Number((ours / most).toFixed(2)),
  bound: `at most ${most} ${unit}`,
  ok: ours <= most,
});

/** A comparison of times that are to be at most so many of the other; infinity: they are only reported. */
export const ratioOf = (
  what: string,
  { ours, other, ratio }: Comparison,
  most: number,
  unit = "ms",
): BenchRow => ({
  what,
  ours: `${ours.toPrecision(3)} ${unit}`,
  other: `${other.toPrecision(3)} ${unit}`,
  ratio: Number(ratio.toFixed(2)),
  bound: Number.isFinite(most) ? `at most ${most}` : "",
  ok: ratio <= most,
});

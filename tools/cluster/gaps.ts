/** What the probes say about a phase: how long each place stood still, and whether that is longer than the service promises. */

export type Kind = "list" | "form" | "readiness";

/** A probe. */
export interface Sample {
  /** An instance, or the balancer. */
  place: string;
  kind: Kind;
  begunMs: number;
  endedMs: number;
  /** `refused`: 503 with `Retry-After`. `failed`: anything else, also a connection that broke. */
  outcome: "success" | "refused" | "failed";
  /** What the readiness names as unavailable. */
  unavailable?: readonly string[];
  /** What the response says that isn't as always, in words. */
  said?: string;
}

/** The time in which a phase is measured; what is broken from its begin to `repairedMs`. */
export interface Span {
  fromMs: number;
  repairedMs: number;
  toMs: number;
}

/** All in milliseconds. */
export interface Measure {
  place: string;
  kind: Kind;
  /** The longest time without a success. */
  gap: number;
  /** The longest time that a request took, with any response. */
  slowest: number;
  /** From the repair to the first success after which nothing fails; undefined if there is none. */
  well: number | undefined;
  /** Requests without a success. */
  failures: number;
  /** Those that had no 503 with `Retry-After` either. */
  broken: number;
}

/** With more, requests also wait for other work of the machine, and may be refused with 503: the gap is limited. */
export const QUIET_SLACK = 2;

/** What is allowed on a machine that has nothing else to do, in milliseconds; what is undefined isn't limited. */
export interface Limit {
  gap?: number;
  slowest?: number;
  well?: number;
  failures?: 0;
}

export type Limits = Readonly<Partial<Record<Kind, Limit>>>;

/** One measure for each place and kind of probe. */
export function measure(samples: readonly Sample[], span: Span): Measure[] {
  const groups = Map.groupBy(samples, ({ place, kind }) => `${place} ${kind}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ place: first.place, kind: first.kind, ...computeMeasures(group, span) }] : [];
  });
}

function computeMeasures(samples: readonly Sample[], { fromMs, repairedMs, toMs }: Span) {
  const isSuccess = ({ outcome }: Sample) => outcome === "success";
  const ends = samples.filter(isSuccess).map(({ endedMs }) => endedMs);
  const inside = ends.filter((end) => end > fromMs && end < toMs).toSorted((one, other) => one - other);
  const marks = [fromMs, ...inside, toMs];
  const failed = samples.filter((sample) => !isSuccess(sample));
  const brokenUntil = Math.max(repairedMs, ...failed.map(({ endedMs }) => endedMs));
  const wellAt = Math.min(...ends.filter((end) => end >= brokenUntil));
  return {
    gap: Math.max(...marks.slice(1).map((mark, index) => mark - (marks[index] ?? mark))),
    slowest: Math.max(...samples.map(({ begunMs, endedMs }) => endedMs - begunMs)),
    well: Number.isFinite(wellAt) ? wellAt - repairedMs : undefined,
    failures: failed.length,
    broken: failed.filter(({ outcome }) => outcome === "failed").length,
  };
}

/**
 * @param slack by which the times are multiplied on a machine that is busy
 * @returns what is longer than allowed, in words
 */
export function findExceeded(
  { place, kind, ...measured }: Measure,
  limits: Limits,
  slack: number,
): readonly string[] {
  const { gap = Infinity, slowest = Infinity, well = Infinity, failures = Infinity } = limits[kind] ?? {};
  const what = `${kind} at ${place}`;
  const limited = (ms: number) => `${seconds(ms)} allowed${slack === 1 ? "" : `, times ${slack}`}`;
  const { gap: stood, slowest: took, well: wellAfter = Infinity } = measured;
  const count = slack > QUIET_SLACK ? measured.broken : measured.failures;
  return [
    ...(stood > gap * slack ? [`${what}: no success for ${seconds(stood)} (${limited(gap)})`] : []),
    ...(took > slowest * slack ? [`${what}: ended after ${seconds(took)} (${limited(slowest)})`] : []),
    ...(wellAfter > well * slack ? [`${what}: recovered ${after(measured.well)} (${limited(well)})`] : []),
    ...(count > failures ? [`${what}: ${count} without a success (${failures} allowed)`] : []),
  ];
}

/** What each kind of probe was told that wasn't as always, how often, and from when to when after the begin. */
export function describeSaid(samples: readonly Sample[], fromMs: number): string[] {
  const said = samples.filter((sample) => sample.said !== undefined && sample.endedMs > fromMs);
  const groups = Map.groupBy(said, (sample) => `${sample.kind}: ${sample.said}`);
  return [...groups]
    .map(([what, group]) => {
      const places = new Set(group.map(({ place }) => place)).size;
      const [first, last] = [
        Math.min(...group.map(({ endedMs }) => endedMs)),
        Math.max(...group.map(({ endedMs }) => endedMs)),
      ];
      const at = `${places} place${places === 1 ? "" : "s"}`;
      return `${what} (${group.length} times at ${at}, ${seconds(first - fromMs)} to ${seconds(last - fromMs)})`;
    })
    .toSorted();
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const after = (ms: number | undefined): string => (ms === undefined ? "never" : `after ${seconds(ms)}`);

/** A line of the table at the end: a phase at a place. */
export type GapRow = Readonly<Record<string, string | number>>;

export function createGapRows(phase: string, measures: readonly Measure[]): GapRow[] {
  const places = Map.groupBy(measures, ({ place }) => place);
  return [...places].map(([place, kinds]) => {
    const of = (kind: Kind) => kinds.find((each) => each.kind === kind);
    const [list, form] = [of("list"), of("form")];
    return {
      phase,
      place,
      "list: gap": seconds(list?.gap ?? 0),
      "list: well": after(list?.well),
      "form: gap": seconds(form?.gap ?? 0),
      "form: slowest": seconds(form?.slowest ?? 0),
      "form: well": after(form?.well),
      failures: (list?.failures ?? 0) + (form?.failures ?? 0),
      "readiness: slowest": seconds(of("readiness")?.slowest ?? 0),
    };
  });
}

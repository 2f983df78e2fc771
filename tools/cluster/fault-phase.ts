/** A phase in which something is broken: probes from then on until it has recovered, and their results. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Outage } from "../recorder/ledger.ts";
import type { Load } from "../recorder/load/load.ts";
import { type Fault, type FaultLimits, type Place, WELL_MS } from "./faults/fault.ts";
import {
  createGapRows,
  describeSaid,
  findExceeded,
  type Limits,
  type Measure,
  measure,
  type Sample,
} from "./gaps.ts";
import { Probes } from "./probes.ts";
import { BALANCER, placesOf } from "./servers.ts";

/** How long the load runs before. */
const BEFORE_MS = 4000;
/** Standstills that come with the repair are seen, too. */
const AFTER_MS = 2000;
/** The service asks the servers behind it each second, and gives them some time. */
const UNNOTICED_MS = 5000;

interface Observed {
  samples: readonly Sample[];
  measures: readonly Measure[];
  fromMs: number;
  /** When the repair begins. */
  brokenUntilMs: number;
  repairedMs: number;
  /** What was tried meanwhile and was not as it should be. */
  wrong: readonly string[];
}

/** @returns what stood still too long or was otherwise not as promised, and the lines of the table of gaps */
export async function runFault(fault: Fault, place: Place, startLoad: () => Load) {
  const { servers, recorder, slack } = place;
  const { ledger } = recorder;
  const hitsOne = fault.limits.hit !== undefined || fault.mayLeave === "hit";
  const hitName = hitsOne ? servers.instances.names[place.hit] : undefined;
  const before = await servers.haproxy.countDepartures();
  const load = fault.isQuiet ? undefined : startLoad();
  await sleep(BEFORE_MS);
  if (fault.away) {
    ledger.expectOutage(fault.away);
    load?.expectCuts();
  }
  const observed = await observe(fault, place);
  for (const line of describeSaid(observed.samples, observed.fromMs)) place.report(`  ${line}`);
  await load?.stop();
  ledger.endOutage();
  const after = await servers.haproxy.countDepartures();
  const departed = [...after.keys()].filter(
    (name) => (after.get(name) ?? 0) > (before.get(name) ?? 0) && !mayLeave(name, fault, hitName),
  );
  const lost = [
    ...observed.wrong,
    ...observed.measures.flatMap((each) =>
      findExceeded(each, findLimits(each.place, fault.limits, hitName), slack),
    ),
    ...(fault.named ? findUnnamed(observed, fault.named) : []),
    ...departed.map((name) => `${name} has left the balancer`),
  ];
  const marked = observed.measures.map((each) =>
    each.place === hitName ? { ...each, place: `${each.place} (hit)` } : each,
  );
  return { lost, gaps: createGapRows(fault.name, marked) };
}

async function observe(fault: Fault, place: Place): Promise<Observed> {
  await using repairs = new AsyncDisposableStack();
  const trials: (() => Promise<string[]>)[] = [];
  await fault.begin({ ...place, repairs, meanwhile: (trial) => void trials.push(trial) });
  const fromMs = performance.now();
  const probes = new Probes(place.recorder.ledger, placesOf(place.servers));
  try {
    const trying = trials.map((trial) => trial().catch((error: unknown) => [String(error)]));
    await sleep(fault.seconds * 1000);
    const wrong = (await Promise.all(trying)).flat();
    const brokenUntilMs = performance.now();
    await repairs.disposeAsync();
    const repairedMs = fault.isMomentary ? fromMs : performance.now();
    // Twice: what works for a moment only has to work again, and is measured then.
    for (let time = 1; time <= 2; time += 1) {
      await probes.waitUntilWell(WELL_MS * place.slack + AFTER_MS);
      await sleep(AFTER_MS);
    }
    const toMs = performance.now();
    const samples = await probes.stop();
    return {
      samples,
      measures: measure(samples, { fromMs, repairedMs, toMs }),
      fromMs,
      brokenUntilMs,
      repairedMs,
      wrong,
    };
  } finally {
    await probes.stop();
  }
}

function findLimits(
  place: string,
  { hit, others, balancer }: FaultLimits,
  hitName: string | undefined,
): Limits {
  if (place === BALANCER) return balancer ?? others;
  return place === hitName && hit ? hit : others;
}

const mayLeave = (name: string, fault: Fault, hitName: string | undefined): boolean =>
  fault.mayLeave === "all" || (fault.mayLeave === "hit" && name === hitName);

/** A readiness that doesn't name what is away. */
function findUnnamed({ samples, fromMs, brokenUntilMs }: Observed, named: Outage): string[] {
  const late = samples.filter(
    ({ kind, outcome, begunMs, endedMs }) =>
      kind === "readiness" &&
      outcome === "success" &&
      begunMs > fromMs + UNNOTICED_MS &&
      endedMs < brokenUntilMs,
  );
  const wrong = late.filter(({ unavailable = [] }) => !unavailable.includes(named));
  const places = new Set(wrong.map(({ place }) => place));
  return [...places].map((place) => `the readiness at ${place} doesn't name that ${named} is away`);
}

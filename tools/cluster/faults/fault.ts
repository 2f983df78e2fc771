/** Something that is broken or exchanged for a while under load, and what the service promises meanwhile and afterwards. */
import type { Outage } from "../../recorder/ledger.ts";
import type { Recorder } from "../../recorder/recorder.ts";
import type { Limits } from "../gaps.ts";
import type { Servers } from "../servers.ts";

export interface Place {
  servers: Servers;
  /** The index of the instance to break, if it is one. */
  hit: number;
  recorder: Recorder;
  /** By which limits of time are multiplied. */
  slack: number;
  /** Prints a line: what was said, and for how long. */
  report(line: string): void;
}

export interface Context extends Place {
  /** What repairs it. */
  repairs: AsyncDisposableStack;
  /** Adds what is tried while it is broken. @param trial returns what was not as it should be */
  meanwhile(trial: () => Promise<string[]>): void;
}

export interface Fault {
  /** The name of the phase on the command line. */
  name: string;
  title: string;
  /** How long it stays broken. */
  seconds: number;
  /** Why responses may be 503, and broken off; absent if none may. */
  away?: Outage;
  /** What the readiness must name after some seconds. */
  named?: Outage;
  /** Whether only the probes run: an instance under load nearly always holds the lock of the writer. */
  isQuiet?: boolean;
  /** Whether it is over as soon as it has happened: then the time of recovery begins with it. */
  isMomentary?: boolean;
  /** The instances that may leave the balancer; absent if none may. */
  mayLeave?: "hit" | "all";
  limits: FaultLimits;
  /** Whether it can be made here; absent: always. */
  isPossible?(servers: Servers): boolean;
  /** Breaks it, and says how to repair it. */
  begin(context: Context): Promise<void> | void;
}

export interface FaultLimits {
  /** At the instance that is hit; absent if none is. */
  hit?: Limits;
  others: Limits;
  /** Those of the others by default. */
  balancer?: Limits;
}

/** No success for this long is only the load: probes are sent every half second. */
const STEADY_MS = 2000;
/** Forms also wait for the writes of the load, at all instances. */
const FORMS_STEADY_MS = 3000;
/** An instance that hangs with the lock of the writer keeps the others from writing for 4 s; then a probe comes. */
const LOCKED_MS = 4500;
/** All works again after this time, without a restart. */
export const WELL_MS = 15_000;
/** The deadline of a form, and some time for its response. */
const FORM_MS = 10_500;
/** A balancer waits 3 s. The promise of 100 ms is measured by a test: here all share the processor. */
const readiness = { slowest: 1000 };

const steady = { gap: STEADY_MS, failures: 0 } as const;
const recovers = { well: WELL_MS, slowest: FORM_MS };

/** Nothing is noticed. */
export const UNTOUCHED: Limits = {
  list: steady,
  form: { gap: FORMS_STEADY_MS, slowest: FORM_MS, failures: 0 },
  readiness,
};
/** Writes stand still, but only for as long as a lock may be held by an instance that hangs. */
export const WRITES_WAIT: Limits = { ...UNTOUCHED, form: { gap: LOCKED_MS, slowest: FORM_MS } };
/** Reads go on, writes have 503 until the repair. */
export const READS_ONLY: Limits = { list: steady, form: recovers, readiness };
/** Everything has 503 until the repair, but nothing hangs. */
export const RECOVERS: Limits = { list: { well: WELL_MS }, form: recovers, readiness };
/** The process itself can't respond before the repair. */
export const HANGS: Limits = { list: { well: WELL_MS }, form: { well: WELL_MS } };
/** Each instance is away for a time; through the balancer, nothing fails. */
export const RESTARTED: FaultLimits = {
  others: {},
  balancer: { ...UNTOUCHED, form: { gap: LOCKED_MS, slowest: FORM_MS, failures: 0 } },
};
/** Some requests are already at the instance that hangs, and wait there. */
export const behindBalancer = ({ list, form }: Limits): Limits => ({
  list: { gap: list?.gap ?? Infinity },
  form: { gap: form?.gap ?? Infinity, well: form?.well ?? Infinity },
});

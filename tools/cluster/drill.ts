/** The cluster drill: instances, their store and their database are broken under load; nothing may be lost or stand still. */
import { availableParallelism, loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { styleText } from "node:util";
import { makeLinkedBook } from "../recorder/linked-book.ts";
import type { Load } from "../recorder/load/load.ts";
import type { Recorder } from "../recorder/recorder.ts";
import { runFault } from "./fault-phase.ts";
import type { Fault } from "./faults/fault.ts";
import { FAULTS } from "./faults/table.ts";
import type { GapRow } from "./gaps.ts";
import type { ClusterOptions } from "./options.ts";
import { PHASES } from "./phases.ts";
import { readList, readReport } from "./reads.ts";
import { resumeElsewhere } from "./resumed-download.ts";
import type { Servers } from "./servers.ts";

const EVERY_MS = 20_000;
/** How long the others go on after a kill. */
const AFTER_KILL_MS = 5000;
/** So many of a hundred writes may wait too long on a busy machine, times the slack: each says so and is not done. */
const MAX_LATE_PERCENT = 2;
/** How many are listed for a phase. */
const MAX_LOSSES = 20;

/** What a phase has done, as a line of a table. */
interface PhaseResult {
  phase: string;
  seconds: number;
  /** Writes that were acknowledged. */
  writes: number;
  /** Responses with 503 that said when to try again. */
  outages: number;
  /** Those without a fault, on a busy machine. */
  late: number;
  compared: number;
  losses: number;
}

export interface DrillRun {
  /** What was lost or stood still too long, in words. */
  losses: string[];
  results: PhaseResult[];
  gaps: GapRow[];
}

export class ClusterDrill {
  readonly #servers: Servers;
  readonly #recorder: Recorder;
  readonly #options: ClusterOptions;
  readonly #report: (line: string) => void;
  readonly #gaps: GapRow[] = [];
  #compared = 0;

  constructor(servers: Servers, recorder: Recorder, options: ClusterOptions, report: (line: string) => void) {
    this.#servers = servers;
    this.#recorder = recorder;
    this.#options = options;
    this.#report = report;
  }

  async run(): Promise<DrillRun> {
    this.#recorder.ledger.acceptLate();
    await this.#recorder.begin(this.#base);
    await makeLinkedBook(this.#recorder.ledger, this.#recorder.callers(this.#base).admin);
    const [losses, results]: [string[], PhaseResult[]] = [[], []];
    for (const { name, title } of PHASES) {
      if (!this.#options.phases.includes(name)) continue;
      if (findFault(name)?.isPossible?.(this.#servers) === false) {
        this.#report(`${title}: not possible here`);
        continue;
      }
      const { result, lost } = await this.#measure(name, title);
      results.push(result);
      losses.push(...lost);
      // Without one of them, the following steps fail, too.
      if (this.#servers.instances.lost.length > 0) break;
    }
    return { losses, results, gaps: this.#gaps };
  }

  /** Limits are for standstills of the service, not for those of a machine that does much else. */
  get #slack(): number {
    const [load = 0] = loadavg();
    return Math.max(this.#options.slack, Math.ceil(load / availableParallelism() / 2));
  }

  get #base(): string {
    return this.#servers.haproxy.base;
  }

  async #measure(name: string, phase: string) {
    this.#report(phase);
    const { ledger } = this.#recorder;
    const [since, { acknowledged, outages, late }, compared] = [performance.now(), ledger, this.#compared];
    const all = await this.#runPhase(name).catch((error: unknown) => [String(error)]);
    const tooLate = this.#findTooLate(ledger.late - late, ledger.acknowledged - acknowledged);
    const lost = [...shorten(all), ...tooLate, ...this.#servers.instances.lost];
    const result: PhaseResult = {
      phase,
      seconds: Math.round((performance.now() - since) / 1000),
      writes: ledger.acknowledged - acknowledged,
      outages: ledger.outages - outages,
      late: ledger.late - late,
      compared: this.#compared - compared,
      losses: lost.length,
    };
    this.#report(JSON.stringify(result));
    for (const loss of lost) this.#report(styleText("red", loss));
    return { result, lost };
  }

  #findTooLate(late: number, writes: number): string[] {
    const allowed = (writes * MAX_LATE_PERCENT * this.#slack) / 100;
    return late > allowed ? [`${late} requests waited too long, beside ${writes} writes`] : [];
  }

  #runPhase(name: string): Promise<string[]> {
    const fault = findFault(name);
    if (fault) return this.#runFault(fault);
    if (name === "kills") return this.#runKills(performance.now() + this.#options.minutes * 60_000);
    return this.#resume();
  }

  async #runFault(fault: Fault): Promise<string[]> {
    const hit = this.#recorder.roll(this.#servers.instances.count);
    const slack = this.#slack;
    const [servers, recorder, report] = [this.#servers, this.#recorder, this.#report];
    const place = { servers, hit, recorder, slack, report };
    const { lost, gaps } = await runFault(fault, place, () => this.#load());
    this.#gaps.push(...gaps);
    // Before anything else is written: what had no response may have been done.
    return [...lost, ...(await this.#compare()), ...(await this.#runAfterwards())];
  }

  async #runKills(end: number): Promise<string[]> {
    const { instances } = this.#servers;
    const losses: string[] = [];
    for (let round = 1; performance.now() < end; round += 1) {
      const load = this.#load();
      await sleep(EVERY_MS - AFTER_KILL_MS);
      load.expectCuts();
      const index = this.#recorder.roll(instances.count);
      await instances.kill(index);
      await sleep(AFTER_KILL_MS);
      await load.stop();
      await instances.restart(index);
      const lost = await this.#compare();
      const so = `${this.#recorder.ledger.acknowledged} writes so far, ${lost.length} losses`;
      this.#report(`kill ${round} (instance ${index}): ${so}`);
      losses.push(...lost);
    }
    return losses;
  }

  /** Whether all goes on as before: now a 503 is wrong again. */
  async #runAfterwards(): Promise<string[]> {
    const load = this.#load();
    await sleep(AFTER_KILL_MS);
    await load.stop();
    return this.#compare();
  }

  async #resume(): Promise<string[]> {
    const callers = this.#recorder.callers(this.#base);
    const { broken, by, resumedBy } = await resumeElsewhere(callers, this.#base, this.#servers.instances);
    this.#report(`a download broke after ${broken} bytes at ${by} and was resumed at ${resumedBy}`);
    return [];
  }

  async #compare(): Promise<string[]> {
    try {
      await this.#servers.instances.waitUntilSettled();
      const { losses, compared } = await this.#recorder.compare(this.#base);
      this.#compared += compared;
      return losses;
    } catch (error) {
      return [`what is there can't be compared: ${error}`];
    }
  }

  #load(): Load {
    const { ledger, roll } = this.#recorder;
    const callers = this.#recorder.callers(this.#base);
    return this.#recorder.startLoad(this.#base, [
      { act: () => readList({ ledger, roll, client: callers.reader }) },
      { act: () => readReport({ ledger, roll, client: callers.admin }) },
    ]);
  }
}

/** An error that each request has got says it once. */
const shorten = (losses: readonly string[]): string[] =>
  losses.length <= MAX_LOSSES
    ? [...losses]
    : [...losses.slice(0, MAX_LOSSES), `and ${losses.length - MAX_LOSSES} more`];

const findFault = (name: string): Fault | undefined => FAULTS.find((fault) => fault.name === name);

/** The cluster drill: instances, their store and their database are broken under load; nothing may be lost or stand still. */
import { setTimeout as sleep } from "node:timers/promises";
import { styleText } from "node:util";
import { Checks } from "../drill/checks/checks.ts";
import { type Callers, type Load, startLoad } from "../drill/load/load.ts";
import { Scene } from "../drill/scene.ts";
import { type Credentials, callersOf, setUp } from "../drill/set-up.ts";
import { type RandomInt, seededRandom } from "../lib/seeded-random.ts";
import { ServiceClient } from "../lib/service-client.ts";
import { runFault } from "./fault-phase.ts";
import type { Fault } from "./faults/fault.ts";
import type { GapRow } from "./gaps.ts";
import type { ClusterOptions } from "./options.ts";
import { FAULTS, PHASES } from "./phases.ts";
import { makeProbedBook } from "./probes.ts";
import { ListWorker, ReportWorker } from "./reads.ts";
import { resumeElsewhere } from "./resumed-download.ts";
import type { Servers } from "./servers.ts";

const EVERY_MS = 20_000;
/** How long the others go on after a kill. */
const AFTER_KILL_MS = 5000;
/** How many are listed for a phase. */
const MAX_LOSSES = 20;

/** What a phase has done, as a line of a table. */
export interface PhaseResult {
  phase: string;
  seconds: number;
  /** Writes that were answered with success. */
  writes: number;
  /** Responses with 503 that said when to try again. */
  outages: number;
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
  readonly #options: ClusterOptions;
  readonly #report: (line: string) => void;
  readonly #scene = new Scene();
  readonly #checks = new Checks(undefined);
  readonly #roll: RandomInt;
  readonly #gaps: GapRow[] = [];
  #credentials: Credentials | undefined;
  #compared = 0;

  constructor(servers: Servers, options: ClusterOptions, report: (line: string) => void) {
    this.#servers = servers;
    this.#options = options;
    this.#report = report;
    this.#roll = seededRandom(options.seed);
  }

  async run(): Promise<DrillRun> {
    const { haproxy, admin } = this.#servers;
    this.#credentials = await setUp(this.#scene, new ServiceClient(haproxy.base), admin);
    await makeProbedBook(this.#scene, this.#callers().admin);
    const [losses, results]: [string[], PhaseResult[]] = [[], []];
    for (const { name, title } of PHASES) {
      if (!this.#options.phases.includes(name)) continue;
      if (!this.#servers.gateway && isOfStore(name)) continue;
      const { result, lost } = await this.#measured(name, title);
      results.push(result);
      losses.push(...lost);
      // Without one of them, whatever follows fails, too.
      if (this.#servers.instances.lost.length > 0) break;
    }
    return { losses, results, gaps: this.#gaps };
  }

  async #measured(name: string, phase: string) {
    this.#report(phase);
    const [since, { answered, outages }, compared] = [performance.now(), this.#scene, this.#compared];
    const all = await this.#phase(name).catch((error: unknown) => [String(error)]);
    const lost = [...shortened(all), ...this.#servers.instances.lost];
    const result: PhaseResult = {
      phase,
      seconds: Math.round((performance.now() - since) / 1000),
      writes: this.#scene.answered - answered,
      outages: this.#scene.outages - outages,
      compared: this.#compared - compared,
      losses: lost.length,
    };
    this.#report(JSON.stringify(result));
    for (const loss of lost) this.#report(styleText("red", loss));
    return { result, lost };
  }

  #phase(name: string): Promise<string[]> {
    const fault = FAULTS.find((each) => each.name === name);
    if (fault) return this.#fault(fault);
    if (name === "kills") return this.#kills(performance.now() + this.#options.minutes * 60_000);
    return this.#resume();
  }

  async #fault(fault: Fault): Promise<string[]> {
    const { slack } = this.#options;
    const hit = this.#roll(this.#servers.instances.count);
    const context = { servers: this.#servers, hit, scene: this.#scene, credentials: this.#login, slack };
    const { lost, gaps } = await runFault(fault, context, () => this.#load());
    this.#gaps.push(...gaps);
    // Before anything else is written: what had no answer may have been done.
    return [...lost, ...(await this.#check()), ...(await this.#afterwards())];
  }

  async #kills(end: number): Promise<string[]> {
    const { instances } = this.#servers;
    const losses: string[] = [];
    for (let round = 1; performance.now() < end; round += 1) {
      const load = this.#load();
      await sleep(EVERY_MS - AFTER_KILL_MS);
      load.expectCuts();
      const index = this.#roll(instances.count);
      await instances.kill(index);
      await sleep(AFTER_KILL_MS);
      await ended(load);
      await instances.restart(index);
      const lost = await this.#check();
      const so = `${this.#scene.answered} writes so far, ${lost.length} losses`;
      this.#report(`kill ${round} (instance ${index}): ${so}`);
      losses.push(...lost);
    }
    return losses;
  }

  /** Whether all goes on as before: now a 503 is wrong again. */
  async #afterwards(): Promise<string[]> {
    const load = this.#load();
    await sleep(AFTER_KILL_MS);
    await ended(load);
    return this.#check();
  }

  async #resume(): Promise<string[]> {
    const { haproxy, instances } = this.#servers;
    const { broken, by, resumedBy } = await resumeElsewhere(this.#callers(), haproxy.base, instances);
    this.#report(`a download broke after ${broken} bytes at ${by} and was resumed at ${resumedBy}`);
    return [];
  }

  async #check(): Promise<string[]> {
    try {
      const { losses, compared } = await this.#checks.run(this.#scene, this.#callers());
      this.#compared += compared;
      return losses;
    } catch (error) {
      return [`what is there can't be compared: ${error}`];
    }
  }

  #load(): Load {
    const callers = this.#callers();
    const common = { scene: this.#scene, roll: this.#roll };
    const readers = [
      new ListWorker({ ...common, client: callers.reader }),
      new ReportWorker({ ...common, client: callers.admin }),
    ];
    return startLoad(this.#scene, callers, this.#roll, readers);
  }

  get #login(): Credentials {
    if (!this.#credentials) throw new Error("The drill hasn't begun");
    return this.#credentials;
  }

  #callers(): Callers {
    return callersOf(this.#servers.haproxy.base, this.#login);
  }
}

/** An error that each request has got says it once. */
const shortened = (losses: readonly string[]): string[] =>
  losses.length <= MAX_LOSSES
    ? [...losses]
    : [...losses.slice(0, MAX_LOSSES), `and ${losses.length - MAX_LOSSES} more`];

const isOfStore = (name: string): boolean =>
  FAULTS.some((fault) => fault.name === name && fault.away === "files");

async function ended(load: Load): Promise<void> {
  load.stop();
  await load.ended;
}

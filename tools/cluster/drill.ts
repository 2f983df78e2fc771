/** The cluster drill: instances, their store and their database are stopped under load; nothing may be lost. */
import { setTimeout as sleep } from "node:timers/promises";
import { type RandomInt, seededRandom } from "../../test/support/seeded-random.ts";
import { Checks } from "../drill/checks/checks.ts";
import { type Callers, type Load, startLoad } from "../drill/load/load.ts";
import { Scene } from "../drill/scene.ts";
import { type Credentials, callersOf, setUp } from "../drill/set-up.ts";
import type { CephGateway } from "../lib/ceph-gateway.ts";
import type { PostgresProcess } from "../lib/postgres-process.ts";
import { ServiceClient } from "../lib/service-client.ts";
import { type Instances, untilNoticed } from "./instances.ts";
import { recovery, watchOutage } from "./outage.ts";
import { ListWorker, ReportWorker } from "./reads.ts";
import { resumeElsewhere } from "./resumed-download.ts";

const EVERY_MS = 20_000;
/** How long the others go on after a kill. */
const AFTER_KILL_MS = 5000;
/** How long the load runs before and after an outage. */
const AROUND_MS = 5000;
const DATABASE_AWAY_MS = 5000;
const STORE_AWAY_MS = 30_000;

interface DrillDeps {
  base: string;
  instances: Instances;
  database: PostgresProcess;
  /** Undefined if the store isn't this tool's: then it is not stopped. */
  gateway: CephGateway | undefined;
  admin: Readonly<Record<string, string>>;
  seed: number;
  report: (line: string) => void;
}

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

export class ClusterDrill {
  readonly #deps: DrillDeps;
  readonly #scene = new Scene();
  readonly #checks = new Checks(undefined);
  readonly #roll: RandomInt;
  #credentials: Credentials | undefined;
  #compared = 0;

  constructor(deps: DrillDeps) {
    this.#deps = deps;
    this.#roll = seededRandom(deps.seed);
  }

  /** @returns what was lost, in words */
  async run(minutes: number): Promise<{ losses: string[]; results: PhaseResult[] }> {
    const { base, admin, gateway } = this.#deps;
    this.#credentials = await setUp(this.#scene, new ServiceClient(base), admin);
    const phases: [string, () => Promise<string[]>][] = [
      ["an instance killed every 20 s", () => this.#kills(performance.now() + minutes * 60_000)],
      ["all instances restarted in turn", () => this.#rollingRestart()],
      ["database restarted", () => this.#databaseRestart()],
      // Leaves what the scene doesn't know.
      ["download resumed at another instance", () => this.#resume()],
    ];
    if (gateway) phases.splice(2, 0, ["store stopped for 30 s", () => this.#storeOutage(gateway)]);
    const [losses, results]: [string[], PhaseResult[]] = [[], []];
    for (const [phase, work] of phases) {
      const { result, lost } = await this.#measured(phase, work);
      results.push(result);
      losses.push(...lost.map((loss) => `${phase}: ${loss}`));
    }
    return { losses, results };
  }

  async #measured(phase: string, work: () => Promise<string[]>) {
    const [since, { answered, outages }, compared] = [performance.now(), this.#scene, this.#compared];
    const lost = await work().catch((error: unknown) => [String(error)]);
    lost.push(...this.#deps.instances.lost);
    const result: PhaseResult = {
      phase,
      seconds: Math.round((performance.now() - since) / 1000),
      writes: this.#scene.answered - answered,
      outages: this.#scene.outages - outages,
      compared: this.#compared - compared,
      losses: lost.length,
    };
    this.#deps.report(JSON.stringify(result));
    return { result, lost };
  }

  async #kills(end: number): Promise<string[]> {
    const { instances, report } = this.#deps;
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
      report(
        `kill ${round} (instance ${index}): ${this.#scene.answered} writes so far, ${lost.length} losses`,
      );
      losses.push(...lost);
    }
    return losses;
  }

  /** No request may fail, and none may be cut. */
  async #rollingRestart(): Promise<string[]> {
    const { instances } = this.#deps;
    const load = this.#load();
    for (let index = 0; index < instances.count; index += 1) {
      await instances.restart(index);
      await untilNoticed();
    }
    await ended(load);
    return this.#check();
  }

  /** Requests that need the store are answered with 503 and have changed nothing; all others go on. */
  async #storeOutage(gateway: CephGateway): Promise<string[]> {
    const load = this.#load();
    await sleep(AROUND_MS);
    this.#scene.expectOutage("files");
    gateway.interrupt();
    const losses = await watchOutage({ client: this.#client(), away: "files", forMs: STORE_AWAY_MS });
    gateway.resume();
    losses.push(...(await this.#recovery()));
    await ended(load);
    this.#scene.endOutage();
    return [...losses, ...(await this.#check()), ...(await this.#after())];
  }

  async #databaseRestart(): Promise<string[]> {
    const { database } = this.#deps;
    const load = this.#load();
    await sleep(AROUND_MS);
    this.#scene.expectOutage("database");
    load.expectCuts();
    await database.stop();
    const losses = await watchOutage({ client: this.#client(), away: "database", forMs: DATABASE_AWAY_MS });
    await database.start();
    losses.push(...(await this.#recovery()));
    await ended(load);
    this.#scene.endOutage();
    // Before anything else is written: what had no answer may have been done.
    return [...losses, ...(await this.#check()), ...(await this.#after())];
  }

  async #recovery(): Promise<string[]> {
    const ms = await recovery(this.#client(), this.#deps.instances.count);
    if (ms === undefined) return ["no recovery without a restart"];
    this.#deps.report(`well again after ${ms} ms`);
    return [];
  }

  /** Whether all goes on as before. */
  async #after(): Promise<string[]> {
    const load = this.#load();
    await sleep(AROUND_MS);
    await ended(load);
    return this.#check();
  }

  async #resume(): Promise<string[]> {
    const { base, instances, report } = this.#deps;
    const { broken, by, resumedBy } = await resumeElsewhere(this.#callers(), base, instances);
    report(`a download broke after ${broken} bytes at ${by} and was resumed at ${resumedBy}`);
    return [];
  }

  async #check(): Promise<string[]> {
    const { losses, compared } = await this.#checks.run(this.#scene, this.#callers());
    this.#compared += compared;
    return losses;
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

  #client(): ServiceClient {
    return new ServiceClient(this.#deps.base);
  }

  #callers(): Callers {
    if (!this.#credentials) throw new Error("The drill hasn't begun");
    return callersOf(this.#deps.base, this.#credentials);
  }
}

async function ended(load: Load): Promise<void> {
  load.stop();
  await load.ended;
}

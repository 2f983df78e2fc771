/** The cluster drill: instances are killed and restarted under load, and so is their database; nothing may be lost. */
import { setTimeout as sleep } from "node:timers/promises";
import { type RandomInt, seededRandom } from "../../test/support/seeded-random.ts";
import { Checks } from "../drill/checks/checks.ts";
import { type Callers, type Load, startLoad } from "../drill/load/load.ts";
import { Scene } from "../drill/scene.ts";
import { type Credentials, callersOf, setUp } from "../drill/set-up.ts";
import type { PostgresProcess } from "../lib/postgres-process.ts";
import { ServiceClient } from "../lib/service-client.ts";
import { type Instances, untilNoticed } from "./instances.ts";
import { resumeElsewhere } from "./resumed-download.ts";

const EVERY_MS = 20_000;
/** How long the others go on after a kill. */
const AFTER_KILL_MS = 5000;
const OUTAGE_MS = 5000;
const RECOVERY_MS = 30_000;

interface DrillDeps {
  base: string;
  instances: Instances;
  database: PostgresProcess;
  admin: Readonly<Record<string, string>>;
  seed: number;
  report: (line: string) => void;
}

export class ClusterDrill {
  readonly #deps: DrillDeps;
  readonly #scene = new Scene();
  readonly #checks = new Checks(undefined);
  readonly #roll: RandomInt;
  #credentials: Credentials | undefined;

  constructor(deps: DrillDeps) {
    this.#deps = deps;
    this.#roll = seededRandom(deps.seed);
  }

  /** @returns what was lost, in words; ends with the first phase that has lost something */
  async run(minutes: number): Promise<string[]> {
    const { base, admin } = this.#deps;
    this.#credentials = await setUp(this.#scene, new ServiceClient(base), admin);
    const until = performance.now() + minutes * 60_000;
    // The last one leaves what the scene doesn't know.
    const phases = [() => this.#rollingRestart(), () => this.#databaseRestart(), () => this.#resume()];
    const losses = await this.#killUntil(until);
    for (const phase of phases) if (losses.length === 0) losses.push(...(await phase()));
    return losses;
  }

  async #killUntil(end: number): Promise<string[]> {
    const { instances } = this.#deps;
    for (let round = 1; performance.now() < end; round += 1) {
      const load = this.#load();
      await sleep(EVERY_MS - AFTER_KILL_MS);
      load.expectCuts();
      const index = this.#roll(instances.count);
      await instances.kill(index);
      await sleep(AFTER_KILL_MS);
      load.stop();
      await load.ended;
      await instances.restart(index);
      const losses = await this.#check(`kill ${round} (instance ${index})`);
      if (losses.length > 0) return losses;
    }
    return [];
  }

  async #resume(): Promise<string[]> {
    const { base, instances, report } = this.#deps;
    const { broken, by, resumedBy } = await resumeElsewhere(this.#callers(), base, instances);
    report(`a download broke after ${broken} bytes at ${by} and was resumed at ${resumedBy}`);
    return [];
  }

  /** No request may fail, and none may be cut. */
  async #rollingRestart(): Promise<string[]> {
    const { instances } = this.#deps;
    const load = this.#load();
    for (let index = 0; index < instances.count; index += 1) {
      await instances.restart(index);
      await untilNoticed();
    }
    load.stop();
    await load.ended;
    return this.#check("rolling restart");
  }

  async #databaseRestart(): Promise<string[]> {
    const { database, base, instances, report } = this.#deps;
    const load = this.#load();
    await sleep(OUTAGE_MS);
    this.#scene.expectOutage();
    load.expectCuts();
    await database.stop();
    await sleep(OUTAGE_MS);
    const meanwhile = await statusOf(new ServiceClient(base));
    await database.start();
    const startedAt = performance.now();
    load.stop();
    await load.ended;
    const client = new ServiceClient(base);
    while (!(await this.#isWell(client))) {
      if (performance.now() - startedAt > RECOVERY_MS) return ["no recovery after the database's restart"];
      await sleep(50);
    }
    const ms = Math.round(performance.now() - startedAt);
    report(
      `without the database: ${this.#scene.outages} times 503, a list ${meanwhile}; well again after ${ms} ms`,
    );
    // Before anything else is written: what had no answer may have been done.
    const losses = await this.#check("restart of the database");
    const after = this.#load();
    await sleep(OUTAGE_MS);
    after.stop();
    await after.ended;
    return [...instances.lost, ...losses, ...(await this.#check("after the restart of the database"))];
  }

  async #isWell(client: ServiceClient): Promise<boolean> {
    // As many as there are instances, and more: the balancer takes them in turn.
    const asked = Array.from({ length: 4 * this.#deps.instances.count }, () => client.send("/api/books"));
    return (await Promise.allSettled(asked)).every(
      (result) => result.status === "fulfilled" && result.value.status === 200,
    );
  }

  async #check(what: string): Promise<string[]> {
    const { losses, compared } = await this.#checks.run(this.#scene, this.#callers());
    const { answered } = this.#scene;
    this.#deps.report(`${what}: ${answered} writes answered so far, ${compared} things compared`);
    return losses.map((loss) => `${what}: ${loss}`);
  }

  #load(): Load {
    return startLoad(this.#scene, this.#callers(), this.#roll);
  }

  #callers(): Callers {
    if (!this.#credentials) throw new Error("The drill hasn't begun");
    return callersOf(this.#deps.base, this.#credentials);
  }
}

/** What a reader sees while the database is away. */
const statusOf = (client: ServiceClient): Promise<string> =>
  client.send("/api/languages").then(
    ({ status, headers }) => `${status}, Retry-After ${headers.get("retry-after") ?? "missing"}`,
    () => "has no response: the balancer has taken all instances out",
  );

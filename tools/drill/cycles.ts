/** The drill: load, kill, restart, look; again and again on the same data folder. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type RandomInt, seededRandom } from "../lib/seeded-random.ts";
import { ServerProcess, UNLIMITED } from "../lib/server-process.ts";
import { ServiceClient } from "../lib/service-client.ts";
import { Checks } from "./checks/checks.ts";
import { type Callers, startLoad } from "./load/load.ts";
import { Scene } from "./scene.ts";
import { type Credentials, callersOf, newAdmin, setUp } from "./set-up.ts";

/** From the restart to the first healthy answer, on a machine that has nothing else to do. */
export const MAX_READY_MS = 3000;
/** The kill comes after fewer writes than this, and so many milliseconds: at any moment, on fast machines and slow ones. */
const MAX_WRITES = 100;
const MAX_MS_MORE = 40;
/** One start of so many is killed too. */
const KILLED_STARTS = 6;
const MAX_START_MS = 400;

export interface Cycle {
  number: number;
  /** From the begin of the load to the kill. */
  loadMs: number;
  /** Writes that had been answered by then, since the last kill. */
  answered: number;
  readyMs: number;
  /** The server's own work until then; undefined where the system doesn't tell. */
  cpuMs: number | undefined;
  /** What the start has removed. */
  swept: number;
  /** How many things were looked at. */
  compared: number;
  /** In words; none when all is well. */
  losses: readonly string[];
}

export interface RunOptions {
  cycles: number;
  seed: number;
  onCycle?: (cycle: Cycle) => void;
}

export interface DrillRun {
  cycles: Cycle[];
  /** How many writes of each kind were answered. */
  done: ReadonlyMap<string, number>;
}

/** Ends early with the first cycle that has lost something. */
export async function runDrill(options: RunOptions): Promise<DrillRun> {
  const { cycles, seed, onCycle = () => {} } = options;
  const folder = await mkdtemp(join(tmpdir(), "drill-"));
  const drill = new Drill(join(folder, "data"), seededRandom(seed));
  const done: Cycle[] = [];
  try {
    await drill.begin();
    while (done.length < cycles && (done.at(-1)?.losses ?? []).length === 0) {
      const cycle = await drill.cycle(done.length + 1);
      done.push(cycle);
      onCycle(cycle);
    }
  } finally {
    await drill.end();
    await rm(folder, { recursive: true, force: true });
  }
  return { cycles: done, done: drill.done };
}

/** What was logged about requests is of no interest. */
const newServer = (variables: Readonly<Record<string, string>>): ServerProcess =>
  new ServerProcess(variables, { keep: "no requests" });

class Drill {
  readonly #scene = new Scene();
  readonly #roll: RandomInt;
  readonly #checks: Checks;
  readonly #variables: Readonly<Record<string, string>>;
  #credentials: Credentials | undefined;
  #server: ServerProcess;

  constructor(dataDir: string, roll: RandomInt) {
    this.#roll = roll;
    this.#checks = new Checks(dataDir);
    this.#variables = { DATA_DIR: dataDir, ...UNLIMITED, ...newAdmin() };
    this.#server = newServer(this.#variables);
  }

  get done(): ReadonlyMap<string, number> {
    return this.#scene.done;
  }

  async begin(): Promise<void> {
    const { base } = await this.#server.ready();
    this.#credentials = await setUp(this.#scene, new ServiceClient(base), this.#variables);
    const { losses } = await this.#checks.run(this.#scene, this.#callers(base));
    if (losses.length > 0) throw new Error(`The drill begins wrongly:\n${losses.join("\n")}`);
  }

  async cycle(number: number): Promise<Cycle> {
    const { base } = await this.#server.ready();
    const before = this.#scene.answered;
    const start = performance.now();
    const load = startLoad(this.#scene, this.#callers(base), this.#roll);
    await this.#responses(before + this.#roll(MAX_WRITES));
    await sleep(this.#roll(MAX_MS_MORE));
    load.expectTheEnd();
    const loadMs = Math.round(performance.now() - start);
    const lines = this.#server.isRunning ? [] : this.#server.lastLines;
    await this.#server.end("SIGKILL");
    await load.ended;
    if (lines.length > 0) this.#scene.unexpected.push(`the server had ended by itself: ${lines.join("\n")}`);
    const answered = this.#scene.answered - before;
    const { readyMs, cpuMs, swept, base: newBase } = await this.#restart();
    const { losses, compared } = await this.#checks.run(this.#scene, this.#callers(newBase));
    return { number, loadMs, answered, readyMs, cpuMs, swept, compared, losses };
  }

  async end(): Promise<void> {
    await this.#server.end("SIGKILL");
  }

  /** Resolves when so many writes have been answered, or never will be. */
  async #responses(count: number): Promise<void> {
    const { unexpected } = this.#scene;
    while (this.#scene.answered < count && this.#server.isRunning && unexpected.length === 0) await sleep(2);
  }

  async #restart() {
    if (this.#roll(KILLED_STARTS) === 0) {
      const killed = newServer(this.#variables);
      await sleep(this.#roll(MAX_START_MS));
      await killed.end("SIGKILL");
    }
    this.#server = newServer(this.#variables);
    return this.#server.ready();
  }

  #callers(base: string): Callers {
    if (!this.#credentials) throw new Error("The drill hasn't begun");
    return callersOf(base, this.#credentials);
  }
}

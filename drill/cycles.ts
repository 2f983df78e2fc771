/** The drill: load, kill, restart, look; again and again on the same data folder. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Dice, dice } from "../test/support/dice.ts";
import { Checks } from "./checks/checks.ts";
import { Client } from "./client.ts";
import { type Callers, startLoad } from "./load/load.ts";
import type { DrillOptions } from "./options.ts";
import { Scene } from "./scene.ts";
import { Server } from "./server.ts";
import { type Credentials, callersOf, newAdmin, setUp, UNLIMITED } from "./set-up.ts";

/** From the restart to the first healthy answer, on a machine that has nothing else to do. */
export const MOST_READY_MS = 3000;
const LEAST_LOAD_MS = 30;
const MOST_LOAD_MS = 600;
/** One start of so many is killed too. */
const KILLED_STARTS = 6;
const MOST_START_MS = 400;

export interface Cycle {
  number: number;
  /** From the begin of the load to the kill. */
  loadMs: number;
  /** Writes that had been answered by then, since the last kill. */
  answered: number;
  readyMs: number;
  /** What the start has removed. */
  swept: number;
  /** How many things were looked at. */
  compared: number;
  /** In words; none when all is well. */
  losses: readonly string[];
}

export interface RunOptions extends DrillOptions {
  onCycle?: (cycle: Cycle) => void;
}

/** Ends early with the first cycle that has lost something. */
export async function runDrill(options: RunOptions): Promise<Cycle[]> {
  const { cycles, seed, onCycle = () => {} } = options;
  const folder = await mkdtemp(join(tmpdir(), "drill-"));
  const drill = new Drill(join(folder, "data"), dice(seed));
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
  return done;
}

class Drill {
  readonly #scene = new Scene();
  readonly #roll: Dice;
  readonly #checks: Checks;
  readonly #variables: Readonly<Record<string, string>>;
  #credentials: Credentials | undefined;
  #server: Server;

  constructor(dataDir: string, roll: Dice) {
    this.#roll = roll;
    this.#checks = new Checks(dataDir);
    this.#variables = { DATA_DIR: dataDir, ...UNLIMITED, ...newAdmin() };
    this.#server = new Server(this.#variables);
  }

  async begin(): Promise<void> {
    const { base } = await this.#server.started;
    this.#credentials = await setUp(this.#scene, new Client(base), this.#variables);
    const { losses } = await this.#checks.run(this.#scene, this.#callers(base));
    if (losses.length > 0) throw new Error(`The drill begins wrongly:\n${losses.join("\n")}`);
  }

  async cycle(number: number): Promise<Cycle> {
    const { base } = await this.#server.started;
    const before = this.#scene.answered;
    const loadMs = LEAST_LOAD_MS + this.#roll(MOST_LOAD_MS - LEAST_LOAD_MS);
    const load = startLoad(this.#scene, this.#callers(base), this.#roll);
    await sleep(loadMs);
    load.expectTheEnd();
    const lines = this.#server.isRunning ? [] : this.#server.lines;
    await this.#server.end("SIGKILL");
    await load.ended;
    if (lines.length > 0) this.#scene.unexpected.push(`the server had ended by itself: ${lines.join("\n")}`);
    const answered = this.#scene.answered - before;
    const { readyMs, swept, base: newBase } = await this.#restart();
    const { losses, compared } = await this.#checks.run(this.#scene, this.#callers(newBase));
    return { number, loadMs, answered, readyMs, swept, compared, losses };
  }

  async end(): Promise<void> {
    await this.#server.end("SIGKILL");
  }

  async #restart() {
    if (this.#roll(KILLED_STARTS) === 0) {
      const killed = new Server(this.#variables);
      await sleep(this.#roll(MOST_START_MS));
      await killed.end("SIGKILL");
    }
    this.#server = new Server(this.#variables);
    return this.#server.started;
  }

  #callers(base: string): Callers {
    if (!this.#credentials) throw new Error("The drill hasn't begun");
    return callersOf(base, this.#credentials);
  }
}

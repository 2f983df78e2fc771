/** The drill: load, kill, restart, compare; again and again on the same data folder. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ServerProcess, UNLIMITED } from "../lib/server-process.ts";
import { temporaryFolder } from "../lib/temporary-folder.ts";
import { Recorder } from "../recorder/recorder.ts";

/** From the restart to the first healthy response. */
const MAX_READY_MS = 3000;

/** In processor time, where the system reports it: other programs may run beside the drill. */
export const isLate = ({ cpuMs, readyMs }: Pick<Cycle, "cpuMs" | "readyMs">): boolean =>
  (cpuMs ?? readyMs) > MAX_READY_MS;

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
  /** Writes that had been acknowledged by then, since the last kill. */
  acknowledged: number;
  readyMs: number;
  /** The server's own work until then; undefined where the system doesn't report it. */
  cpuMs: number | undefined;
  /** What the start has removed. */
  swept: number;
  /** How many things were compared. */
  compared: number;
  /** In words; none when all is well. */
  losses: readonly string[];
}

interface RunOptions {
  cycles: number;
  seed: number;
  onCycle?: (cycle: Cycle) => void;
}

export interface DrillRun {
  cycles: Cycle[];
  /** How many writes of each kind were acknowledged. */
  done: ReadonlyMap<string, number>;
}

/** Ends early with the first cycle that has lost something. */
export async function runDrill({ cycles, seed, onCycle = () => {} }: RunOptions): Promise<DrillRun> {
  using folder = temporaryFolder("drill");
  const drill = new Drill(join(folder.path, "data"), seed);
  const done: Cycle[] = [];
  try {
    await drill.begin();
    while (done.length < cycles && (done.at(-1)?.losses ?? []).length === 0) {
      const cycle = await drill.runCycle(done.length + 1);
      done.push(cycle);
      onCycle(cycle);
    }
  } finally {
    await drill.end();
  }
  return { cycles: done, done: drill.done };
}

class Drill {
  readonly #recorder: Recorder;
  readonly #dataDir: string;
  #server: ServerProcess;

  constructor(dataDir: string, seed: number) {
    this.#dataDir = dataDir;
    this.#recorder = new Recorder({ seed, dataDir });
    this.#server = this.#createServer();
  }

  get done(): ReadonlyMap<string, number> {
    return this.#recorder.ledger.done;
  }

  async begin(): Promise<void> {
    const { base } = await this.#server.waitUntilReady();
    await this.#recorder.begin(base);
    const { losses } = await this.#recorder.compare(base);
    if (losses.length > 0) throw new Error(`The drill begins wrongly:\n${losses.join("\n")}`);
  }

  async runCycle(number: number): Promise<Cycle> {
    const { ledger, roll } = this.#recorder;
    const { base } = await this.#server.waitUntilReady();
    const before = ledger.acknowledged;
    const start = performance.now();
    const load = this.#recorder.startLoad(base);
    await this.#waitForResponses(before + roll(MAX_WRITES));
    await sleep(roll(MAX_MS_MORE));
    load.expectTheEnd();
    const loadMs = Math.round(performance.now() - start);
    const lines = this.#server.isRunning ? [] : this.#server.lastLines;
    await this.#server.end("SIGKILL");
    await load.ended;
    if (lines.length > 0) ledger.unexpected.push(`the server had ended by itself: ${lines.join("\n")}`);
    const acknowledged = ledger.acknowledged - before;
    const { readyMs, cpuMs, swept, base: newBase } = await this.#restart();
    const { losses, compared } = await this.#recorder.compare(newBase);
    return { number, loadMs, acknowledged, readyMs, cpuMs, swept, compared, losses };
  }

  async end(): Promise<void> {
    await this.#server.end("SIGKILL");
  }

  /** Resolves when so many writes have been acknowledged, or never will be. */
  async #waitForResponses(count: number): Promise<void> {
    const { ledger } = this.#recorder;
    while (ledger.acknowledged < count && this.#server.isRunning && ledger.unexpected.length === 0)
      await sleep(2);
  }

  async #restart() {
    const { roll } = this.#recorder;
    if (roll(KILLED_STARTS) === 0) {
      const killed = this.#createServer();
      await sleep(roll(MAX_START_MS));
      await killed.end("SIGKILL");
    }
    this.#server = this.#createServer();
    return this.#server.waitUntilReady();
  }

  /** What was logged about requests is of no interest. */
  #createServer(): ServerProcess {
    const variables = { DATA_DIR: this.#dataDir, ...UNLIMITED, ...this.#recorder.admin };
    return new ServerProcess(variables, { keep: "no requests" });
  }
}

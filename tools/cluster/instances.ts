/** The instances of one service: each a real server with a data folder of its own, on one database and one store. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ServerProcess, UNLIMITED } from "../lib/server-process.ts";

const DRAIN_SECONDS = 5;
/** The level of the log. */
const LOGGED_ERROR = 50;

interface Shared {
  folder: string;
  ports: readonly number[];
  /** What all have in common: the database, the store, its key. */
  variables: Readonly<Record<string, string>>;
}

export class Instances {
  readonly #shared: Shared;
  readonly #secret = randomBytes(48).toString("base64");
  readonly #running: ServerProcess[];
  readonly #ended: ServerProcess[] = [];

  constructor(shared: Shared) {
    this.#shared = shared;
    this.#running = shared.ports.map((_, index) => this.#newServer(index));
  }

  get count(): number {
    return this.#running.length;
  }

  async ready(): Promise<void> {
    await Promise.all(this.#running.map((server) => server.ready()));
  }

  async kill(index: number): Promise<void> {
    await this.#running[index]?.end("SIGKILL");
  }

  /** Stops it in order if it runs, and starts it again. */
  async restart(index: number): Promise<void> {
    const server = this.#running[index];
    if (server?.isRunning) await server.stop();
    if (server) this.#ended.push(server);
    const next = this.#newServer(index);
    this.#running[index] = next;
    await next.ready();
  }

  /** The errors that they have logged, each once with its number. */
  get errors(): string[] {
    const all = [...this.#ended, ...this.#running].flatMap(({ lines }) => lines);
    const errors = all.filter(({ level }) => Number(level) >= LOGGED_ERROR);
    const counts = Map.groupBy(errors, ({ msg, err }) => `${msg}: ${JSON.stringify(err).slice(0, 1000)}`);
    return [...counts].map(([text, { length }]) => `${length} × ${text}`);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#running.map((server) => server.end("SIGKILL")));
  }

  /** Those that have ended by themselves, with their last lines. */
  get lost(): string[] {
    return this.#running.filter(({ isRunning }) => !isRunning).map(({ lastLines }) => lastLines.join("\n"));
  }

  #newServer(index: number): ServerProcess {
    const { folder, ports, variables } = this.#shared;
    const own = {
      DATA_DIR: join(folder, `instance${index}`),
      PORT: String(ports[index]),
      AUTH_SECRET: this.#secret,
      DRAIN_SECONDS: String(DRAIN_SECONDS),
      TRUST_PROXY: "loopback",
    };
    return new ServerProcess({ ...UNLIMITED, ...variables, ...own }, { keep: "no requests" });
  }
}

/** Until the balancer has noticed what has started. */
export const untilNoticed = () => sleep(2500);

/** The instances of one service: each a real server with a data folder of its own, on one database and one store. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { UNWRITTEN_FILE } from "../../src/lib/data-dir-names.ts";
import { freePort, ServerProcess, UNLIMITED } from "../lib/server-process.ts";
import { ServiceClient } from "../lib/service-client.ts";
import { TcpProxy } from "../lib/tcp-proxy.ts";

const DRAIN_SECONDS = 5;
/** Then what is missing is a loss, and a response that isn't one is wrong. */
const SETTLED_LIMIT_MS = 60_000;
const SETTLED_EVERY_MS = 250;
/** So many times ready, one after the other: a balancer has noticed, too. */
const SETTLED_AFTER = 8;
const LEVELS_OF_ERRORS: readonly unknown[] = ["error", "fatal"];

interface Shared {
  folder: string;
  count: number;
  /** Of the database, which each instance reaches through a proxy of its own. */
  databaseUrl: string;
  /** What all have in common besides: the store, its key. */
  variables: Readonly<Record<string, string>>;
  /** The checkout whose server runs at first. */
  tree: string;
}

interface ServerStart {
  /** The checkout. */
  tree: string;
  /** Beside those of all. */
  variables: Readonly<Record<string, string>>;
  /** What runs, and its arguments: the server unless told. */
  script: readonly string[];
}

interface Instance {
  name: string;
  port: number;
  proxy: TcpProxy;
  server: ServerProcess;
}

export class Instances {
  readonly #shared: Shared;
  readonly #secret: string;
  readonly #all: Instance[];
  readonly #ended: ServerProcess[] = [];
  /** The checkout whose server starts use. */
  tree: string;

  private constructor(shared: Shared, secret: string, all: Instance[]) {
    this.#shared = shared;
    this.#secret = secret;
    this.tree = shared.tree;
    this.#all = all;
  }

  /** They are starting: see `ready`. */
  static async start(shared: Shared): Promise<Instances> {
    const secret = randomBytes(48).toString("base64");
    const instances = new Instances(shared, secret, []);
    for (let index = 0; index < shared.count; index += 1) await instances.#add();
    return instances;
  }

  async waitUntilReady(): Promise<void> {
    await Promise.all(this.#all.map(({ server }) => server.waitUntilReady()));
  }

  get count(): number {
    return this.#all.length;
  }

  get ports(): number[] {
    return this.#all.map(({ port }) => port);
  }

  /** Also that of their connections in PostgreSQL. */
  get names(): string[] {
    return this.#all.map(({ name }) => name);
  }

  base(index: number): string {
    return `http://127.0.0.1:${this.#of(index).port}`;
  }

  /** Between an instance and the database. */
  proxy(index: number): TcpProxy {
    return this.#of(index).proxy;
  }

  async kill(index: number): Promise<void> {
    await this.#of(index).server.end("SIGKILL");
  }

  /** It hangs, with its connections and its locks, until `wake`. */
  hang(index: number): void {
    this.#of(index).server.kill("SIGSTOP");
  }

  wake(index: number): void {
    this.#of(index).server.kill("SIGCONT");
  }

  /** Stops it in order if it runs, and starts it again. @param variables for this start alone */
  async restart(index: number, variables: Readonly<Record<string, string>> = {}): Promise<void> {
    const instance = this.#of(index);
    if (instance.server.isRunning) await instance.server.stop();
    this.#ended.push(instance.server);
    instance.server = this.#createServer(instance, { variables });
    await instance.server.waitUntilReady();
  }

  /** Another server of the same service, beside the instances, which is expected to end at once. */
  async startTrial(started: Partial<ServerStart>): Promise<ServerProcess> {
    const instance = { name: "trial", port: await freePort(0), proxy: this.proxy(0) };
    return this.#createServer(instance, started);
  }

  /** A command line beside the instances, as an operator runs it on their database and store. */
  async runCommand(...args: string[]): Promise<{ code: number | null; output: string }> {
    const script = [join(this.tree, "src/cli.ts"), ...args];
    const instance = { name: "command", port: await freePort(0), proxy: this.proxy(0) };
    const command = this.#createServer(instance, { script });
    const { code } = await command.ended;
    return { code, output: command.output };
  }

  /** What an instance has logged since it was started. */
  linesOf(index: number): readonly Record<string, unknown>[] {
    return this.#of(index).server.lines;
  }

  /** The errors that they have logged, each once with its number. */
  get errors(): string[] {
    const errors = this.#lines.filter(({ level }) => LEVELS_OF_ERRORS.includes(level));
    const counts = Map.groupBy(errors, ({ msg, err }) => `${msg}${causeIn(err)}`);
    return [...counts].map(([text, { length }]) => `${length} × ${text}`);
  }

  /** Until each is ready for some time, and no redemption waits for the database any more; or until the limit. */
  async waitUntilSettled(): Promise<void> {
    const end = performance.now() + SETTLED_LIMIT_MS;
    for (let settled = 0; settled < SETTLED_AFTER && performance.now() < end; await sleep(SETTLED_EVERY_MS))
      settled = (await this.#isSettled()) ? settled + 1 : 0;
  }

  async #isSettled(): Promise<boolean> {
    const isRecorded = ({ name }: Instance) => !existsSync(join(this.#shared.folder, name, UNWRITTEN_FILE));
    const ready = await Promise.all(this.#all.map(({ port }) => isReady(`http://127.0.0.1:${port}`)));
    return this.#all.every(isRecorded) && ready.every(Boolean);
  }

  get #lines(): Record<string, unknown>[] {
    return [...this.#ended, ...this.#all.map(({ server }) => server)].flatMap(({ lines }) => lines);
  }

  /** Those that have ended by themselves, with their last lines. */
  get lost(): string[] {
    const ended = this.#all.filter(({ server }) => !server.isRunning);
    return ended.map(({ name, server }) => `${name} has ended:\n${server.lastLines.join("\n")}`);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#all.map(({ server }) => server.end("SIGKILL")));
    await Promise.all(this.#all.map(({ proxy }) => proxy.close()));
  }

  async #add(): Promise<void> {
    const proxy = await TcpProxy.start(this.#shared.databaseUrl);
    const started = { name: `instance${this.count}`, port: await freePort(0), proxy };
    this.#all.push({ ...started, server: this.#createServer(started) });
  }

  #of(index: number): Instance {
    const instance = this.#all[index];
    if (!instance) throw new RangeError(`There is no instance ${index}`);
    return instance;
  }

  #createServer(
    { name, port, proxy }: Omit<Instance, "server">,
    { tree = this.tree, variables: more = {}, script }: Partial<ServerStart> = {},
  ): ServerProcess {
    const { folder, databaseUrl, variables } = this.#shared;
    const database = new URL(proxy.createUrl(databaseUrl));
    database.searchParams.set("application_name", name);
    const own = {
      DATABASE_URL: database.href,
      DATA_DIR: join(folder, name),
      PORT: String(port),
      AUTH_SECRET: this.#secret,
      DRAIN_SECONDS: String(DRAIN_SECONDS),
      TRUST_PROXY: "loopback",
    };
    const all = { ...UNLIMITED, ...variables, ...own, ...more };
    return new ServerProcess(all, { script: script ?? [join(tree, "src/server.ts")], keep: "no requests" });
  }
}

const loggedError = z.object({ message: z.string(), code: z.string().default("") });

function causeIn(err: unknown): string {
  const { success, data } = loggedError.safeParse(err);
  return success ? `: ${data.message} ${data.code}` : "";
}

/** Until the balancer has noticed what has started. */
export const waitUntilNoticed = () => sleep(2500);

async function isReady(base: string): Promise<boolean> {
  const response = await new ServiceClient(base).send("/api/health/ready").catch(() => undefined);
  return response?.status === 200;
}

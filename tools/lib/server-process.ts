/** The real server as a process of its own: the demo, the benches, the drill, the fuzz and the tests start it here. */
import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { COMPILE_CACHE } from "./compile-cache.ts";
import { portOf } from "./listening.ts";

export const SERVER = fileURLToPath(new URL("../../src/server.ts", import.meta.url));

const HOST = "127.0.0.1";
const START_LIMIT_MS = 100_000;
/** More than the service gives running transfers, also on a machine that does much else. */
const STOP_LIMIT_MS = 90_000;
const LAST_LINES = 30;

/** All that the server may inherit: settings of the shell must not change what is tried or measured. */
const INHERITED = ["PATH", "HOME", "LANG", "TZ", "TMPDIR", "TEMP", "TMP", "SystemRoot"];

/** Settings for tools that send more from one address than the service takes from a stranger. */
export const UNLIMITED = {
  RATE_LIMIT_LOGIN: "0",
  RATE_LIMIT_SUBMIT: "0",
  RATE_LIMIT_DOWNLOAD: "0",
  RATE_LIMIT_SEARCH: "0",
  RATE_LIMIT_LIST: "0",
  MAX_CONNECTIONS_PER_ADDRESS: "0",
  MAX_OPEN_RESPONSES: "0",
};

export interface ServerOptions {
  /** Arguments for Node: the server itself unless told. */
  script?: readonly string[];
  /** What runs in place of Node, with all its arguments: for tools that watch a process. */
  command?: { program: string; args: readonly string[] };
  /** The working directory, whose `.env` is read; a folder without one unless told. */
  cwd?: string;
  /** The user, if another than that of this process. */
  uid?: number;
  /** In a process group of its own: Ctrl-C in the terminal then reaches the tool alone, which stops the server once. */
  isDetached?: boolean;
  /** Which lines are kept: all, or all but those about requests, which would fill the memory in a long run. */
  keep?: "all" | "no requests";
}

export interface Started {
  /** Address of the service. */
  base: string;
  /** From the start of the process to its first healthy response. */
  readyMs: number;
  /** Its processor time until then; undefined where the system doesn't report it. */
  cpuMs: number | undefined;
  /** What a crash had left, and this start has removed. */
  swept: number;
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Standard error. */
  errors: string;
}

/** An instance that starts beside one that sweeps doesn't sweep. */
const listening = z.object({ port: z.int(), swept: z.int().default(0) });

export class ServerProcess {
  /** Resolves when the process has ended and all its output has arrived. */
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcess;
  readonly #startedAt = performance.now();
  readonly #arrivals = new EventEmitter();
  readonly #output: string[] = [];
  readonly #log: Record<string, unknown>[] = [];
  #errors = "";
  #ready: Promise<Started> | undefined;

  /** @param variables its settings; without `PORT` it listens on any free port */
  constructor(variables: Readonly<Record<string, string>>, options: ServerOptions = {}) {
    const { script = [SERVER], cwd = tmpdir(), uid, isDetached = false, keep = "all" } = options;
    const { program, args } = options.command ?? { program: process.execPath, args: script };
    this.#child = spawn(program, args, {
      cwd,
      env: { ...listInherited(), NODE_COMPILE_CACHE: COMPILE_CACHE, HOST, PORT: "0", ...variables },
      stdio: ["ignore", "pipe", "pipe"],
      detached: isDetached,
      ...(uid !== undefined && { uid }),
    });
    this.#readLines(this.#child.stdout, (line) => this.#keepLog(line, keep));
    this.#readLines(this.#child.stderr, (line) => {
      this.#errors += `${line}\n`;
      this.#output.push(line);
    });
    this.#child.once("error", (error) => this.#output.push(String(error)));
    this.ended = once(this.#child, "close").then(
      ([code, signal]) => ({ code, signal, errors: this.#errors }),
      () => ({ code: null, signal: null, errors: this.#errors }),
    );
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get isRunning(): boolean {
    const { pid, exitCode, signalCode } = this.#child;
    return pid !== undefined && exitCode === null && signalCode === null;
  }

  /** Everything that it has written, but for lines that aren't kept. */
  get output(): string {
    return this.#output.map((line) => `${line}\n`).join("");
  }

  /** The last lines that it has written, for messages about failures. */
  get lastLines(): readonly string[] {
    return this.#output.slice(-LAST_LINES);
  }

  /** Its log, one parsed line each. */
  get lines(): readonly Record<string, unknown>[] {
    return this.#log;
  }

  /**
   * Waits for a line of the log.
   * @throws Error when the process ends without it
   */
  async waitForLog(msg: string): Promise<Record<string, unknown>> {
    const find = () => this.#log.find((each) => each.msg === msg);
    const arrival = new Promise((resolve) => this.#arrivals.once(`line ${msg}`, resolve));
    if (!find()) await Promise.race([arrival, this.ended]);
    const line = find();
    if (!line) throw new Error(`The process has ended without "${msg}":\n${this.lastLines.join("\n")}`);
    return line;
  }

  /** Waits until it listens. @returns its base address */
  async waitUntilListening(): Promise<string> {
    const { port } = listening.parse(await this.waitForLog("listening"));
    return `http://${HOST}:${port}`;
  }

  /**
   * Waits until it is healthy.
   * @throws Error when it ends first, or isn't healthy after a minute
   */
  waitUntilReady(): Promise<Started> {
    this.#ready ??= this.#start();
    return this.#ready;
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Sends the signal and waits for the end. */
  async end(signal: NodeJS.Signals = "SIGTERM"): Promise<Ended> {
    this.kill(signal);
    return this.ended;
  }

  /**
   * Asks it to end and waits for it.
   * @throws Error when it had ended before, didn't end in time, or ended with another status than 0
   */
  async stop(): Promise<void> {
    if (!this.isRunning) throw new Error(`the server had ended by itself: ${this.#exit()}`);
    const tooLong = setTimeout(() => this.kill("SIGKILL"), STOP_LIMIT_MS);
    const { code } = await this.end();
    clearTimeout(tooLong);
    if (code !== 0) throw new Error(`the server didn't end in an orderly way: ${this.#exit()}`);
  }

  #exit(): string {
    return this.#child.signalCode ?? `exit status ${this.#child.exitCode}`;
  }

  async #start(): Promise<Started> {
    const limit = AbortSignal.timeout(START_LIMIT_MS);
    const tooLate = once(limit, "abort").then(() => {
      throw new Error(
        `The server isn't healthy after ${START_LIMIT_MS / 1000} seconds:\n${this.lastLines.join("\n")}`,
      );
    });
    const line = listening.parse(await Promise.race([this.waitForLog("listening"), tooLate]));
    const base = `http://${HOST}:${line.port}`;
    while (!(await fetch(`${base}/api/health`, { signal: limit })).ok) await sleep(5);
    const readyMs = performance.now() - this.#startedAt;
    return { base, readyMs, cpuMs: readCpuMs(this.pid), swept: line.swept };
  }

  #readLines(input: Readable | null, onLine: (line: string) => void): void {
    if (input) createInterface({ input }).on("line", onLine);
  }

  #keepLog(line: string, keep: "all" | "no requests"): void {
    if (keep === "no requests" && line.includes('"msg":"request"')) return;
    this.#output.push(line);
    const record = recordIn(line);
    if (!record) return;
    this.#log.push(record);
    this.#arrivals.emit(`line ${record.msg}`);
  }
}

const record = z.record(z.string(), z.unknown());

/** Undefined for what is no line of the log, such as the words for a terminal. */
function recordIn(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith("{")) return undefined;
  return record.parse(JSON.parse(line));
}

function listInherited(): Record<string, string> {
  const given = INHERITED.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(given);
}

/** Linux counts hundredths of a second, in user mode and for the system. */
function readCpuMs(pid: number | undefined): number | undefined {
  try {
    const [, state = ""] = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ");
    const [user, system] = state.split(" ").slice(11, 13);
    return 10 * (Number(user) + Number(system));
  } catch {
    return undefined;
  }
}

/**
 * The wanted port when it is free, or any free one for 0.
 * @throws Error when something else listens on it
 */
export async function freePort(wanted: number): Promise<number> {
  const probe = createServer();
  probe.listen(wanted, HOST);
  try {
    await once(probe, "listening");
  } catch (error) {
    throw new Error(`port ${wanted} can't be used`, { cause: error });
  }
  const port = portOf(probe);
  probe.close();
  await once(probe, "close");
  return port;
}

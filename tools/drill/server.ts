/** The real server as a process of its own that can be killed at any moment and started again on the same folder. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const SERVER = fileURLToPath(new URL("../../src/server.ts", import.meta.url));
const START_LIMIT_MS = 60_000;
const LINES_KEPT = 30;

const listening = z.object({ msg: z.literal("listening"), port: z.int(), swept: z.int() });

export interface Started {
  /** Address of the service. */
  base: string;
  /** From the start of the process to its first healthy answer. */
  readyMs: number;
  /** What of that was its own work; undefined where the system doesn't tell. */
  cpuMs: number | undefined;
  /** What a crash had left, and this start has removed. */
  swept: number;
}

/** What runs the server, and what of it: the tests also start it below other programs. */
export interface Command {
  program: string;
  args: readonly string[];
}

const PLAIN: Command = { program: process.execPath, args: [SERVER] };

export class Server {
  readonly started: Promise<Started>;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #lines: string[] = [];
  #reported: z.output<typeof listening> | undefined;

  constructor(variables: Readonly<Record<string, string>>, { program, args } = PLAIN) {
    const env = { PATH: process.env.PATH, HOST: "127.0.0.1", PORT: "0", ...variables };
    const start = performance.now();
    this.#child = spawn(program, args, { cwd: tmpdir(), env, stdio: ["ignore", "pipe", "pipe"] });
    this.#ended = once(this.#child, "close");
    this.#readLines();
    this.started = this.#start(start);
    // Whoever kills it before it is ready doesn't wait for this.
    this.started.catch(() => {});
  }

  /** The last lines that it has written, but for those about requests. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Resolves when nothing of it is left. */
  async end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    this.#child.kill(signal);
    await this.#ended;
  }

  async #start(start: number): Promise<Started> {
    while (this.isRunning && performance.now() - start < START_LIMIT_MS) {
      if (this.#reported) {
        const base = `http://127.0.0.1:${this.#reported.port}`;
        const { ok } = await fetch(`${base}/api/health`);
        const readyMs = performance.now() - start;
        if (ok) return { base, readyMs, cpuMs: cpuMsOf(this.#child.pid), swept: this.#reported.swept };
      }
      await sleep(5);
    }
    throw new Error(`The server didn't start:\n${this.#lines.join("\n")}`);
  }

  #readLines(): void {
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on("line", (line) => {
        if (!line.includes('"msg":"request"')) this.#lines.push(line);
        if (this.#lines.length > LINES_KEPT) this.#lines.shift();
        if (line.includes('"listening"')) this.#reported = listening.safeParse(JSON.parse(line)).data;
      });
    }
  }
}

/** Linux counts hundredths of a second, in user mode and for the system. */
function cpuMsOf(pid: number | undefined): number | undefined {
  try {
    const [, state = ""] = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ");
    const [user, system] = state.split(" ").slice(11, 13);
    return 10 * (Number(user) + Number(system));
  } catch {
    return undefined;
  }
}

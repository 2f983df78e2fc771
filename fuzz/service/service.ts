// The service as a process of its own, on an empty folder, with a log that is read to its end.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";
import { PASS_PHRASE } from "../requests/texts.ts";

const SERVER = join(import.meta.dirname, "../../src/server.ts");
const START_LIMIT_MS = 30_000;
/** The levels that a good run never needs. */
const BAD_LEVELS = ["error", "fatal"];

const logLine = z.object({ level: z.string(), msg: z.string(), port: z.int().optional() });

/** Pass phrases, tokens, keys, secrets and addresses of people: none of them belongs into a log. */
const SECRET = new RegExp(
  `${PASS_PHRASE}|eyJ[\\w-]{10,}\\.eyJ|bds_\\w{20,}|k3y_of_the_fuzz|@example\\.org`,
  "i",
);

export class Service {
  readonly #child: ChildProcess;
  readonly #dataDir: string;
  readonly #lines: string[] = [];
  readonly #secret: string;

  constructor(variables: Readonly<Record<string, string>>) {
    this.#dataDir = mkdtempSync(join(tmpdir(), "bds-fuzz-"));
    this.#secret = variables.AUTH_SECRET ?? "";
    const own = { HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "info", DATA_DIR: this.#dataDir };
    this.#child = spawn(process.execPath, [SERVER], {
      env: { PATH: process.env.PATH, ...own, ...variables },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const output of [this.#child.stdout, this.#child.stderr])
      if (output) createInterface({ input: output }).on("line", (line) => this.#lines.push(line));
  }

  /** Waits until it listens. @returns its port */
  async listening(): Promise<number> {
    const deadline = Date.now() + START_LIMIT_MS;
    while (Date.now() < deadline && this.#child.exitCode === null) {
      const port = this.#lines.map((line) => logLine.safeParse(parsed(line)).data?.port).find(Boolean);
      if (port !== undefined) return port;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`The service doesn't listen:\n${this.#lines.join("\n")}`);
  }

  /** Stops it and removes its folder. @returns what is wrong with its log or its end */
  async stop(): Promise<string[]> {
    const ended = once(this.#child, "close");
    const died = this.#child.exitCode !== null || this.#child.signalCode !== null;
    if (!died) {
      this.#child.kill("SIGTERM");
      await ended;
    }
    rmSync(this.#dataDir, { recursive: true, force: true });
    const end = died || this.#child.exitCode !== 0 ? [`the service ended with ${this.#child.exitCode}`] : [];
    return [...end, ...this.#lines.flatMap((line) => this.#faultsOf(line))];
  }

  /** In case of a run that fails. */
  kill(): void {
    this.#child.kill("SIGKILL");
    rmSync(this.#dataDir, { recursive: true, force: true });
  }

  #faultsOf(line: string): string[] {
    const read = logLine.safeParse(parsed(line));
    if (!read.success) return [`the log has a line that isn't one: ${line}`];
    if (BAD_LEVELS.includes(read.data.level)) return [`the log has an error: ${line}`];
    const isTold = SECRET.test(line) || (this.#secret !== "" && line.includes(this.#secret));
    return isTold ? [`the log tells a secret: ${line}`] : [];
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

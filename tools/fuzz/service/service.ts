// The service as a process of its own, on an empty folder, with a log that is read to its end.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { logErrors, readLine } from "./log.ts";

const SERVER = join(import.meta.dirname, "../../../src/server.ts");
const START_LIMIT_MS = 30_000;

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
      cwd: this.#dataDir,
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
      const port = this.#lines.map((line) => readLine(line)?.port).find(Boolean);
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
    return [...end, ...this.#lines.flatMap((line) => logErrors(line, this.#secret))];
  }

  /** In case of a run that fails. */
  kill(): void {
    this.#child.kill("SIGKILL");
    rmSync(this.#dataDir, { recursive: true, force: true });
  }
}

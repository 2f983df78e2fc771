/** The real server as a process of its own: what only a process has, such as signals, exit codes and output. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";

const SERVER = fileURLToPath(new URL("../../src/server.ts", import.meta.url));

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Standard error. */
  errors: string;
}

export class ServiceProcess {
  readonly #child: ChildProcess;
  /** Resolves when the process has ended and all its output is here. */
  readonly ended: Promise<Ended>;
  #output = "";
  #errors = "";

  /**
   * @param script what runs instead of the server itself, with its arguments
   * @param cwd the working directory, whose `.env` is read
   * @param user another one than that of the test
   */
  constructor(
    variables: Readonly<Record<string, string>>,
    script: string | string[] = SERVER,
    cwd: string = tmpdir(),
    user: { uid?: number } = {},
  ) {
    const env = { PATH: process.env.PATH, HOST: "127.0.0.1", PORT: "0", ...variables };
    this.#child = spawn(process.execPath, [script].flat(), {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      ...user,
    });
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => (this.#output += text));
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => (this.#errors += text));
    this.ended = once(this.#child, "close").then(([code, signal]) => ({
      code,
      signal,
      errors: this.#errors,
    }));
    onTestFinished(async () => {
      this.#child.kill("SIGKILL");
      await this.ended;
    });
  }

  /** Everything that it has written. */
  get output(): string {
    return this.#output + this.#errors;
  }

  /** Its log, one parsed line each. */
  get lines(): Record<string, unknown>[] {
    const whole = this.#output.slice(0, this.#output.lastIndexOf("\n") + 1);
    return whole.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  }

  /** Waits for a line of the log. */
  async logged(msg: string): Promise<Record<string, unknown>> {
    let isOver = false;
    this.ended.then(() => (isOver = true));
    for (;;) {
      const line = this.lines.find((each) => each.msg === msg);
      if (line) return line;
      if (isOver) throw new Error(`The process has ended without "${msg}":\n${this.output}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** Waits until it listens. @returns its base address */
  async listening(): Promise<string> {
    const { port } = await this.logged("listening");
    expect(port).toBeTypeOf("number");
    return `http://127.0.0.1:${port}`;
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Sends the signal and waits for the end. */
  async end(signal: NodeJS.Signals = "SIGTERM"): Promise<Ended> {
    this.kill(signal);
    return this.ended;
  }
}

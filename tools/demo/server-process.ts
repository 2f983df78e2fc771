// Runs the real service as a process of its own, on a data folder of its own, and stops it in an orderly way.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { health } from "./answers.ts";
import { ServiceClient } from "./http.ts";

const HOST = "127.0.0.1";
const SERVER = fileURLToPath(new URL("../../src/server.ts", import.meta.url));
const START_LIMIT_MS = 20_000;
/** A little more than the service gives running transfers. */
const STOP_LIMIT_MS = 35_000;
const LINES_KEPT = 30;

/** All that the service may inherit: settings of this shell must not change the demo. */
const INHERITED = ["PATH", "HOME", "LANG", "TZ", "TMPDIR", "TEMP", "TMP", "SystemRoot"];

/** Settings for tools that send more from one address than the service takes from a stranger. */
export const UNLIMITED = {
  RATE_LIMIT_LOGIN: "0",
  RATE_LIMIT_SUBMIT: "0",
  RATE_LIMIT_DOWNLOAD: "0",
  RATE_LIMIT_SEARCH: "0",
  MAX_CONNECTIONS_PER_ADDRESS: "0",
  MAX_OPEN_RESPONSES: "0",
};

export type Login = { email: string; password: string };

export class ServerProcess {
  readonly baseUrl: string;
  /** Resolves when the process has ended, for whatever reason. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;
  readonly #lines: string[] = [];
  #running = true;
  #healthy = false;

  constructor(options: { dataDir: string; port: number; login: Login }) {
    this.baseUrl = `http://${HOST}:${options.port}`;
    this.#child = spawn(process.execPath, [SERVER], {
      // Not the project's folder: the settings of its .env must not change the demo.
      cwd: dirname(options.dataDir),
      env: environment(options),
      stdio: ["ignore", "pipe", "pipe"],
      // Its own process group: Ctrl-C in the terminal reaches the demo alone, which then stops the service once.
      detached: process.platform !== "win32",
    });
    this.#keepLines();
    this.ended = new Promise<void>((resolve) => {
      this.#child.once("error", (error) => {
        this.#lines.push(String(error));
        resolve();
      });
      this.#child.once("close", () => resolve());
    }).then(() => {
      this.#running = false;
    });
  }

  /** The last lines that the service has written. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /**
   * Waits until the service is healthy.
   * @throws Error when the process ends first, or after 20 seconds
   */
  async ready(): Promise<void> {
    const client = new ServiceClient(this.baseUrl);
    const deadline = Date.now() + START_LIMIT_MS;
    while (this.#running && Date.now() < deadline) {
      this.#healthy = await client.get("/api/health", health).then(
        () => true,
        () => false,
      );
      if (this.#healthy && this.#running) return;
      await sleep(25);
    }
    const what = this.#running ? "isn't healthy after 20 seconds" : "ended by itself";
    throw new Error(`the service ${what}`);
  }

  /**
   * Asks the service to end and waits for it.
   * @throws Error when it had ended before, didn't end in time, or ended with another status than 0
   */
  async stop(): Promise<void> {
    if (!this.#running) throw new Error(`the service had ended by itself: ${this.#exit()}`);
    this.#child.kill("SIGTERM");
    const tooLong = setTimeout(() => this.#child.kill("SIGKILL"), STOP_LIMIT_MS);
    await this.ended;
    clearTimeout(tooLong);
    if (this.#child.exitCode !== 0)
      throw new Error(`the service didn't end in an orderly way: ${this.#exit()}`);
  }

  #exit(): string {
    return this.#child.signalCode ?? `exit status ${this.#child.exitCode}`;
  }

  #keepLines(): void {
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on("line", (line) => {
        this.#lines.push(line);
        if (this.#lines.length > LINES_KEPT) this.#lines.shift();
      });
    }
  }
}

function environment({ dataDir, port, login }: { dataDir: string; port: number; login: Login }) {
  const inherited = INHERITED.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(inherited),
    HOST,
    PORT: String(port),
    DATA_DIR: dataDir,
    ADMIN_EMAIL: login.email,
    ADMIN_PASSWORD: login.password,
    LOG_LEVEL: "warn",
  };
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
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return address.port;
}

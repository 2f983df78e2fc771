/** Starts the server on its data folder and stops it again without breaking off what is under way. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createLogger, type Logger } from "./adapters/logger.ts";
import { createApp } from "./app.ts";
import { type Config, ConfigError, readConfig } from "./config.ts";
import { type Container, createContainer } from "./container.ts";
import { DataDirInUseError, lockDataDir } from "./db/data-dir-lock.ts";
import { NewerDatabaseError } from "./db/migrator.ts";
import { AppError } from "./errors.ts";

/** sysexits.h: something in the configuration is wrong. */
const EX_CONFIG = 78;
const DRAIN_MS = 30_000;
/** Headers that take longer come from a client that means to hold the connection. */
const HEADERS_TIMEOUT_MS = 10_000;
/** A transfer may take hours, but not stand still. */
const IDLE_TIMEOUT_MS = 30_000;

/** Runs the server until a signal. Exit codes: 0 after a signal, 78 for what the operator must change, 1 otherwise. */
export async function main(): Promise<void> {
  try {
    const config = readConfig();
    const log = createLogger(config.logLevel, { pretty: process.stdout.isTTY });
    await serve(config, log);
  } catch (error) {
    process.stderr.write(`${startFault(error)}\n`);
    process.exitCode = isForOperator(error) ? EX_CONFIG : 1;
  }
}

async function serve(config: Config, log: Logger): Promise<void> {
  const lock = lockDataDir(config.dataDir);
  const container = await createContainer(config, log);
  const swept = await container.sweep();
  await ensureFirstAdmin(container);
  const server = createServer(createApp(container));
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = 0;
  server.timeout = IDLE_TIMEOUT_MS;
  await listen(server, config);
  const { address, port } = addressOf(server);
  log.info(
    { address, port, dataDir: config.dataDir, migrations: container.database.migration.applied, swept },
    "listening",
  );
  stopOnSignals(server, log, async () => {
    await container.close();
    lock.release();
  });
}

function listen(server: Server, { port, host }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, backlog: 1024, ...(host !== undefined && { host }) }, resolve);
  });
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server listens on no port");
  return address;
}

/** The first signal lets running transfers finish; the second doesn't wait. */
function stopOnSignals(server: Server, log: Logger, close: () => Promise<void>): void {
  let isStopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (isStopping) return server.closeAllConnections();
    isStopping = true;
    log.info({ signal }, "stopping");
    const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    server.close(() => {
      clearTimeout(cut);
      close().then(
        () => log.info("stopped"),
        (error: unknown) => {
          log.error({ err: error }, "the stop was not clean");
          process.exitCode = 1;
        },
      );
    });
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

async function ensureFirstAdmin({ services, config, log }: Container): Promise<void> {
  if (await services.users.hasAny()) return;
  const { firstAdmin } = config;
  if (!firstAdmin) {
    log.warn(
      "there is no administrator yet: set ADMIN_EMAIL and ADMIN_PASSWORD, or run npm run create-admin",
    );
    return;
  }
  await services.users.create({ ...firstAdmin, name: firstAdmin.email, role: "admin" });
  log.info("the first administrator was made from ADMIN_EMAIL and ADMIN_PASSWORD");
}

const isForOperator = (error: unknown): boolean =>
  error instanceof ConfigError ||
  error instanceof DataDirInUseError ||
  error instanceof NewerDatabaseError ||
  error instanceof AppError;

/** One clear line for what the operator can change; everything for what nobody expected. */
function startFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!isForOperator(error)) return error.stack ?? error.message;
  const faults =
    error instanceof AppError ? error.faults.map(({ path, message }) => `  ${path}: ${message}`) : [];
  return [error.message, ...faults].join("\n");
}

/** The whole application on a data folder, listening in this process: for the tests of any runner. */
import type { Server } from "node:http";
import { pino } from "pino";
import { readConsoleBuild } from "../../src/adapters/console-files.ts";
import { PasswordHasher } from "../../src/adapters/password-hasher.ts";
import type { Scheduler } from "../../src/adapters/system.ts";
import { createAppShell, openApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { type Container, createContainer } from "../../src/container.ts";
import type { DATABASE_LIMITS_MS } from "../../src/http/route.ts";
import { createServiceServer, LIMITS } from "../../src/http/server.ts";
import { listen } from "../../tools/lib/listening.ts";
import { Client } from "./client.ts";
import { FakeClock } from "./clock.ts";
import { Factory, type KnownSessions } from "./factory.ts";
import { createLineSink } from "./line-sink.ts";
import { sharedProcesses } from "./shared-processes.ts";

export interface TestApp {
  container: Container;
  clock: FakeClock;
  dataDir: string;
  server: Server;
  /** A client without a credential. */
  api: Client;
  make: Factory;
  /** What the application has logged, one parsed line each. */
  logged: Record<string, unknown>[];
  /** What a signal to stop does first. */
  leave(): void;
  /** What it does then. */
  close(): void;
  /** A client that is logged in as an administrator. */
  admin(): Promise<Client>;
}

export interface ServiceOptions {
  dataDir: string;
  /** Of the database and the file store of the run, and those that a test sets. */
  variables?: Readonly<Record<string, string>>;
  schedule?: Scheduler | undefined;
  databaseLimitsMs?: typeof DATABASE_LIMITS_MS | undefined;
  consoleFolder?: string | undefined;
  limits?: typeof LIMITS;
  /** Of users that the data folder has already. */
  sessions?: KnownSessions;
}

/** Limits are off unless a test sets them: tests share one address. */
const DEFAULTS = {
  NODE_ENV: "test",
  LOG_LEVEL: "debug",
  RATE_LIMIT_LOGIN: "0",
  RATE_LIMIT_SUBMIT: "0",
  RATE_LIMIT_DOWNLOAD: "0",
  RATE_LIMIT_SEARCH: "0",
  RATE_LIMIT_LIST: "0",
  MAX_OPEN_RESPONSES: "0",
};

/** A log-in of a test takes a millisecond; what the service itself uses is for the tests of the hasher. */
const CHEAP_HASHES = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/** @returns the application, and what ends it */
export async function openService(options: ServiceOptions): Promise<{ app: TestApp; end(): Promise<void> }> {
  const { dataDir, variables, schedule, databaseLimitsMs, consoleFolder, limits = LIMITS } = options;
  const clock = new FakeClock();
  const logged: Record<string, unknown>[] = [];
  const config = readConfig({ ...DEFAULTS, ...variables, DATA_DIR: dataDir });
  const container = await createContainer(config, pino({ level: config.logLevel }, createLineSink(logged)), {
    clock,
    hasher: new PasswordHasher(CHEAP_HASHES),
    ...sharedProcesses,
    ...(schedule && { schedule }),
  });
  await container.sweep();
  const shell = await createAppShell(container, undefined, () => readConsoleBuild(consoleFolder));
  openApp(shell, container, undefined, databaseLimitsMs);
  const { server } = createServiceServer(shell.listener, limits);
  await listen(server);
  const end = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await container.close();
  };
  const api = new Client(server);
  const make = new Factory(container, api, options.sessions);
  const app: TestApp = {
    container,
    clock,
    dataDir,
    server,
    api,
    make,
    logged,
    leave: () => shell.gate.leave(),
    close: () => shell.gate.close(),
    admin: () => make.login("admin"),
  };
  return { app, end };
}

/** The whole application on a data folder of its own, for one test. */
import { mkdtempSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { onTestFinished } from "vitest";
import { readConsoleBuild } from "../../src/adapters/console-files.ts";
import { PasswordHasher } from "../../src/adapters/password-hasher.ts";
import type { Scheduler } from "../../src/adapters/system.ts";
import { createAppShell, openApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { type Container, createContainer } from "../../src/container.ts";
import type { DATABASE_LIMITS_MS } from "../../src/http/route.ts";
import { createServiceServer, LIMITS } from "../../src/http/server.ts";
import { Client } from "./client.ts";
import { FakeClock } from "./clock.ts";
import { Factory } from "./factory.ts";
import { createLineSink } from "./line-sink.ts";
import { storageSettings } from "./on-s3.ts";
import { addDatabase, createDatabaseSettings, dropDatabase } from "./test-database.ts";

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

function createDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), "bds-test-"));
  addDatabase(dataDir);
  return dataDir;
}

/** Starts the application, on an empty catalogue unless a data folder is given; it ends with the test. */
export async function startApp(
  variables: Readonly<Record<string, string>> = {},
  given: {
    dataDir?: string;
    schedule?: Scheduler;
    databaseLimitsMs?: typeof DATABASE_LIMITS_MS;
    consoleFolder?: string;
  } = {},
  limits = LIMITS,
) {
  const dataDir = given.dataDir ?? createDataDir();
  const clock = new FakeClock();
  const logged: Record<string, unknown>[] = [];
  const database = await createDatabaseSettings(dataDir);
  const config = readConfig({
    ...DEFAULTS,
    ...database,
    ...storageSettings(dataDir),
    ...variables,
    DATA_DIR: dataDir,
  });
  const container = await createContainer(config, pino({ level: config.logLevel }, createLineSink(logged)), {
    clock,
    hasher: new PasswordHasher(CHEAP_HASHES),
    ...(given.schedule && { schedule: given.schedule }),
  });
  await container.sweep();
  const shell = await createAppShell(container, undefined, () => readConsoleBuild(given.consoleFolder));
  openApp(shell, container, undefined, given.databaseLimitsMs);
  const { server } = createServiceServer(shell.listener, limits);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await container.close();
    if (given.dataDir !== undefined) return;
    rmSync(dataDir, { recursive: true, force: true });
    await dropDatabase(dataDir);
  });
  const api = new Client(server);
  const make = new Factory(container, api);
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
  return app;
}

/** The application, and a client that is logged in as an administrator. */
export async function startWithAdmin(...given: Parameters<typeof startApp>) {
  const app = await startApp(...given);
  return { ...app, app, client: await app.admin() };
}

/** The whole application on a data folder of its own, for one test of vitest. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { LIMITS } from "../../src/http/server.ts";
import { storageSettings } from "./on-s3.ts";
import { openService, type ServiceOptions } from "./service.ts";
import { addDatabase, createDatabaseSettings, dropDatabase } from "./test-database.ts";

export type { TestApp } from "./service.ts";

function createDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), "bds-test-"));
  addDatabase(dataDir);
  return dataDir;
}

type Given = Partial<Pick<ServiceOptions, "dataDir" | "schedule" | "databaseLimitsMs" | "consoleFolder">>;

/** The application, on an empty catalogue unless a data folder is given, and what ends it. */
export async function openTestApp(
  variables: Readonly<Record<string, string>> = {},
  given: Given = {},
  limits?: typeof LIMITS,
) {
  const dataDir = given.dataDir ?? createDataDir();
  const database = await createDatabaseSettings(dataDir);
  const { app, end } = await openService({
    ...given,
    dataDir,
    variables: { ...database, ...storageSettings(dataDir), ...variables },
    ...(limits && { limits }),
  });
  const endAll = async () => {
    await end();
    if (given.dataDir !== undefined) return;
    rmSync(dataDir, { recursive: true, force: true });
    await dropDatabase(dataDir);
  };
  return { app, end: endAll };
}

/** Starts the application; it ends with the test. */
export async function startApp(...given: Parameters<typeof openTestApp>) {
  const { app, end } = await openTestApp(...given);
  onTestFinished(end);
  return app;
}

/** The application, and a client that is logged in as an administrator. */
export async function startWithAdmin(...given: Parameters<typeof startApp>) {
  const app = await startApp(...given);
  return { ...app, app, client: await app.admin() };
}

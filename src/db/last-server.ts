/** A file in the data folder that names the database server that its instance used last. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LAST_SERVER_FILE } from "../lib/data-dir-names.ts";
import { assertInstallation } from "./assert-installation.ts";

/** The server and its database; undefined if the instance used SQLite. */
export function readLastServer(dataDir: string): string | undefined {
  const path = join(dataDir, LAST_SERVER_FILE);
  return existsSync(path) ? readFileSync(path, "utf8").trim() : undefined;
}

export function rememberServer(dataDir: string, server: string): void {
  if (readLastServer(dataDir) === server) return;
  writeFileSync(join(dataDir, LAST_SERVER_FILE), `${server}\n`, { mode: 0o600 });
}

export const forgetServer = (dataDir: string): void =>
  rmSync(join(dataDir, LAST_SERVER_FILE), { force: true });

/** @throws InstallationError if SQLite would be used in the data folder of an instance that last ran on PostgreSQL */
export function assertNotLastOnServer({ dataDir, postgres }: { dataDir: string; postgres: unknown }): void {
  const server = postgres ? undefined : readLastServer(dataDir);
  assertInstallation({ server_not_named: server !== undefined && { dataDir, server } });
}

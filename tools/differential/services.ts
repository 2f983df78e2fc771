/** The two services that are compared: each a real server, with a database and a file store of its own. */
import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Neighbour } from "../fuzz/service/neighbour.ts";
import { createSettings } from "../fuzz/service/prepare.ts";
import { Connection } from "../fuzz/service/send.ts";
import { createStorageSettings, openStore } from "../lib/ceph-gateway.ts";
import { PostgresProcess } from "../lib/postgres-process.ts";
import { freePort, ServerProcess } from "../lib/server-process.ts";
import { temporaryFolder } from "../lib/temporary-folder.ts";

export interface Services {
  left: Connection;
  right: Connection;
  /** Both have the same. */
  secret: string;
  /** What the right one is on, in words. */
  other: string;
}

interface Wanted {
  database: boolean;
  store: boolean;
  neighbour: Neighbour;
}

export async function startServices(
  opened: AsyncDisposableStack,
  { database, store, neighbour }: Wanted,
): Promise<Services> {
  const folder = opened.use(temporaryFolder("bds-differential")).path;
  const secret = randomBytes(32).toString("hex");
  const common = createSettings(secret, neighbour);
  const ofDatabase = database ? await startDatabase(opened, folder) : {};
  const ofStore = store ? await startStore(opened) : {};
  const left = await startServer(opened, join(folder, "left"), common);
  const right = await startServer(opened, join(folder, "right"), { ...common, ...ofDatabase, ...ofStore });
  const words = [
    "DATABASE_URL" in ofDatabase ? "PostgreSQL" : "SQLite",
    "STORAGE_URL" in ofStore ? "S3" : "a folder",
  ];
  return { left, right, secret, other: words.join(" and ") };
}

async function startDatabase(opened: AsyncDisposableStack, folder: string) {
  const database = new PostgresProcess({
    folder: join(folder, "postgres"),
    port: await freePort(0),
    settings: ["fsync=off"],
  });
  await database.start();
  opened.defer(() => database.crash());
  return { DATABASE_URL: database.url };
}

/** Nothing if there is no store. */
async function startStore(opened: AsyncDisposableStack): Promise<Record<string, string>> {
  const store = await openStore();
  if (store?.gateway) opened.defer(() => store.gateway?.stop());
  return store ? createStorageSettings(store, "differential") : {};
}

async function startServer(
  opened: AsyncDisposableStack,
  dataDir: string,
  variables: Readonly<Record<string, string>>,
): Promise<Connection> {
  mkdirSync(dataDir);
  const server = new ServerProcess(
    { DATA_DIR: dataDir, ...variables },
    { cwd: dataDir, keep: "no requests" },
  );
  opened.defer(async () => {
    await server.end("SIGKILL");
  });
  const { base } = await server.waitUntilReady();
  const connection = new Connection();
  connection.port = Number(new URL(base).port);
  opened.defer(() => connection.close());
  return connection;
}

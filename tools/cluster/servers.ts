/** All that a drill runs: PostgreSQL, a store, the instances and their balancer. */
import { join } from "node:path";
import { Readable } from "node:stream";
import pg from "pg";
import { z } from "zod";
import type { FileStore } from "../../src/adapters/files/file-store.ts";
import { Bucket } from "../../src/adapters/files/s3/bucket.ts";
import { openStorage } from "../../src/adapters/files/storage.ts";
import { readConfig } from "../../src/config.ts";
import { WRITER } from "../../src/db/postgres/locks.ts";
import { type CephGateway, createStorageSettings, openStore } from "../lib/ceph-gateway.ts";
import { PostgresProcess } from "../lib/postgres-process.ts";
import { freePort } from "../lib/server-process.ts";
import { temporaryFolder } from "../lib/temporary-folder.ts";
import { DatabaseAccess } from "./database-access.ts";
import { Haproxy } from "./haproxy.ts";
import { Instances, waitUntilNoticed } from "./instances.ts";
import type { Place } from "./probes.ts";

/** As docs/scaling.md requires. */
const CONNECTIONS_PER_INSTANCE = 40;

export interface Servers {
  /** For copies of checkouts; removed at the end. */
  folder: string;
  instances: Instances;
  haproxy: Haproxy;
  /** Another one after a fail-over. */
  database: PostgresProcess;
  access: DatabaseAccess;
  locks: ServerLocks;
  /** What the instances store files in. */
  files: Pick<FileStore, "has">;
  storedObjects: StoredObjects;
  /** Undefined if the store isn't this tool's: then it is neither stopped nor hung. */
  gateway: CephGateway | undefined;
}

export const BALANCER = "balancer";

/** What a probe is sent to. */
export const placesOf = ({ instances, haproxy }: Servers): Place[] => [
  ...instances.names.map((name, index) => ({ name, base: instances.base(index) })),
  { name: BALANCER, base: haproxy.base },
];

interface Wanted {
  /** Of instances. */
  count: number;
  /** The checkout whose server runs. */
  tree: string;
  /** Settings of the instances. */
  admin: Readonly<Record<string, string>>;
}

export async function startServers(
  opened: AsyncDisposableStack,
  { count, tree, admin }: Wanted,
): Promise<Servers> {
  const folder = opened.use(temporaryFolder("cluster")).path;
  const settings = [`max_connections=${count * CONNECTIONS_PER_INSTANCE}`];
  const database = new PostgresProcess({
    folder: join(folder, "postgres"),
    port: await freePort(0),
    settings,
  });
  await database.start();
  let servers: Servers | undefined;
  opened.defer(async () => void (await Promise.all([database.crash(), servers?.database.crash()])));
  const access = new DatabaseAccess(folder);
  const databaseUrl = await access.open(database);
  const locks = new ServerLocks(database.url);
  opened.defer(() => locks.close());
  const store = await openStore();
  if (!store) throw new Error("There is no store");
  const { gateway } = store;
  if (gateway) opened.defer(() => gateway.stop());
  const variables = { ...createStorageSettings(store, "cluster"), ...admin };
  const instances = await Instances.start({ folder, count, databaseUrl, variables, tree });
  opened.defer(() => instances.stop());
  await instances.waitUntilReady();
  const { store: files } = opened.adopt(
    await openStorage(readConfig({ ...variables, DATA_DIR: join(folder, "tool") })),
    (storage) => storage.closeStorage(),
  );
  const storedObjects = opened.use(new StoredObjects({ ...variables, DATA_DIR: join(folder, "tool") }));
  const haproxy = await Haproxy.start(folder, await freePort(0), instances.ports);
  opened.defer(() => haproxy.stop());
  await waitUntilNoticed();
  servers = { folder, instances, haproxy, database, access, locks, files, storedObjects, gateway };
  return servers;
}

const holders = z.array(z.object({ pid: z.number(), name: z.string(), state: z.string() }));
type Holder = z.output<typeof holders>[number];

const HOLDERS = `
  select pid, application_name as name, coalesce(state, '') as state
    from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and classid = $1 and (granted or $2)`;

class ServerLocks {
  readonly #pool: pg.Pool;

  constructor(url: string) {
    this.#pool = new pg.Pool({ connectionString: url, max: 1, application_name: "cluster drill" });
    // A restart of the server ends an idle connection, too.
    this.#pool.on("error", () => {});
  }

  /** The connection that alone may write. */
  async findWriter(): Promise<Holder | undefined> {
    const [holder] = await this.#findHolders({ waits: false });
    return holder;
  }

  /** All that may write, or wait for it. */
  findWritersAndWaiting(): Promise<Holder[]> {
    return this.#findHolders({ waits: true });
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #findHolders({ waits }: { waits: boolean }): Promise<Holder[]> {
    const { rows } = await this.#pool.query(HOLDERS, [WRITER, waits]);
    return holders.parse(rows);
  }
}

class StoredObjects implements Disposable {
  readonly #bucket: Bucket;

  /** @param variables settings of an instance */
  constructor(variables: Readonly<Record<string, string>>) {
    const { storage } = readConfig(variables);
    if (!storage) throw new Error("The instances have no STORAGE_URL");
    this.#bucket = new Bucket(storage);
  }

  /** Puts bytes in the place of those with a hash. */
  async write(sha256: string, bytes: Buffer): Promise<void> {
    await this.#bucket.upload(`files/${sha256.slice(0, 2)}/${sha256}`, Readable.from([bytes]));
  }

  /** From now on, the bucket is that of another service. */
  async recordOtherService(): Promise<void> {
    await this.#bucket.upload("service-id", Readable.from([Buffer.from("another-service\n")]));
  }

  [Symbol.dispose](): void {
    this.#bucket.close();
  }
}

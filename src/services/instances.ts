/** Admits an instance to a database that several can share: all must have the same secret and the same files. */

import type { Logger } from "../adapters/logger.ts";
import { computeFingerprint } from "../adapters/tokens.ts";
import { assertInstallation } from "../db/assert-installation.ts";
import type { Database } from "../db/database.ts";
import type { WriteRecords } from "../repositories/index.ts";

/** After a power loss, the server keeps the connection of the instance for a minute. */
const STALE_LOCK_MS = 70_000;

interface Instance {
  database: Pick<Database, "source" | "join">;
  write: WriteRecords;
  secret: string;
  /** Whether the files are in a store that other instances can use, too. */
  sharesFiles: boolean;
  log: Logger;
  /** How long the lock of an instance that has ended may stay. */
  staleLockMs?: number;
  /** Whether the secret replaces that of the other instances, if it is another one. */
  acceptsNewSecret: boolean;
}

/**
 * A secret in SQLite's data folder may change at any time: a single instance uses it.
 * @throws InstallationError if the instance can't run beside the others
 */
export async function admitInstance(instance: Instance): Promise<void> {
  if (instance.database.source.kind === "sqlite") return;
  await assertSameSecret(instance);
  const { database, log, sharesFiles, staleLockMs = STALE_LOCK_MS } = instance;
  const seconds = Math.ceil(staleLockMs / 1000);
  const waiting = () =>
    log.warn(`another instance uses this database, or was cut off from it: waiting up to ${seconds} s`);
  const isRegistered = await database.join(sharesFiles, staleLockMs, waiting);
  assertInstallation({ files_not_shared: !isRegistered });
}

async function assertSameSecret({ write, secret, acceptsNewSecret }: Instance): Promise<void> {
  const own = computeFingerprint(secret);
  const isSame = await write(async ({ installation, outbox }) => {
    const { secretFingerprint: recorded } = await installation.read();
    if (recorded !== null && recorded !== own && acceptsNewSecret) await outbox.hold();
    if (recorded === null || acceptsNewSecret) await installation.update({ secretFingerprint: own });
    return recorded === null || acceptsNewSecret || recorded === own;
  });
  assertInstallation({ secret_differs: !isSame });
}

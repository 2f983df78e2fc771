/** Admits an instance to a database that several can share: all must have the same secret and the same files. */

import type { Logger } from "../adapters/logger.ts";
import { computeFingerprint } from "../adapters/tokens.ts";
import type { Database } from "../db/database.ts";
import { OperatorError } from "../errors.ts";
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
 * @throws OperatorError if the instance can't run beside the others
 */
export async function admitInstance(instance: Instance): Promise<void> {
  if (instance.database.source.kind === "sqlite") return;
  await assertSameSecret(instance);
  const { database, log, sharesFiles, staleLockMs = STALE_LOCK_MS } = instance;
  const seconds = Math.ceil(staleLockMs / 1000);
  const waiting = () =>
    log.warn(`another instance uses this database, or was cut off from it: waiting up to ${seconds} s`);
  if (await database.join(sharesFiles, staleLockMs, waiting)) return;
  throw new OperatorError(
    "STORAGE_URL: another instance uses this database. Several instances can't keep files in a folder: set the same STORAGE_URL for all.",
  );
}

async function assertSameSecret({ write, secret, acceptsNewSecret }: Instance): Promise<void> {
  const own = computeFingerprint(secret);
  const isSame = await write(async ({ secretFingerprint }) => {
    const recorded = await secretFingerprint.find();
    if (recorded === undefined || acceptsNewSecret) await secretFingerprint.record(own);
    return recorded === undefined || acceptsNewSecret || recorded === own;
  });
  if (isSame) return;
  throw new OperatorError(
    "AUTH_SECRET: it isn't the secret of the other instances on this database. Set the same one, or replace theirs: stop them, then run bookdist serve --accept-new-secret. All users have to log in again.",
  );
}

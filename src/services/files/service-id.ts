/** Compares the id of the service in the database with the one beside the files: do they belong together? */
import type { FileStore } from "../../adapters/files/file-store.ts";
import { InstallationError } from "../../db/assert-installation.ts";
import type { Database } from "../../db/database.ts";
import { readInstallation, updateInstallation } from "../../db/installation.ts";
import type { Db } from "../../db/kysely.ts";
import { DoctorRepository } from "../../repositories/doctor.repository.ts";
import { KeptBytesRepository } from "../../repositories/kept-bytes.repository.ts";
import { iterateStoredBatches } from "./stored-batches.ts";

interface ServiceIdDeps {
  database: Pick<Database, "read" | "writer" | "commit" | "runWhileNoneMigrates">;
  /** For messages. */
  databaseName: string;
  store: FileStore;
  newId: () => string;
}

interface Ids {
  database: string | null;
  files: string | undefined;
}

const readIds = async ({ database, store }: Pick<ServiceIdDeps, "database" | "store">): Promise<Ids> => ({
  database: (await readInstallation(database.read)).serviceId,
  files: await store.readServiceId(),
});

const areEqual = ({ database, files }: Ids): boolean => database !== null && database === files;

/**
 * Makes the id, or completes it on one side, if the store is empty or contains something that the database names.
 * @throws InstallationError if the files may belong to another database
 */
export async function agreeOnServiceId(deps: ServiceIdDeps): Promise<void> {
  if (areEqual(await readIds(deps))) return;
  await deps.database.runWhileNoneMigrates(async () => {
    const ids = await readIds(deps);
    if (areEqual(ids)) return;
    const isOnBoth = ids.database !== null && ids.files !== undefined;
    if (isOnBoth || !(await canBelongTogether(deps))) return rejectFiles(deps);
    await recordServiceId(deps, await chooseId(deps, ids.files ?? deps.newId()));
  });
}

/** On SQLite, a command and the server can choose one at once: the first counts. */
const chooseId = ({ database }: ServiceIdDeps, id: string): Promise<string> =>
  database.commit(async () => {
    const { serviceId } = await readInstallation(database.writer);
    if (serviceId === null) await updateInstallation(database.writer, { serviceId: id });
    return serviceId ?? id;
  });

/** Writes an id on both sides and reads it back. @throws InstallationError if one side has another one then */
export async function recordServiceId(deps: ServiceIdDeps, id: string): Promise<void> {
  const { database, store } = deps;
  await store.recordServiceId(id);
  await database.commit(() => updateInstallation(database.writer, { serviceId: id }));
  const { database: own, files } = await readIds(deps);
  if (own !== id || files !== id) await rejectFiles(deps);
}

async function canBelongTogether({ database, store }: ServiceIdDeps): Promise<boolean> {
  const isKnown = findReferredIn(database.read);
  let isEmpty = true;
  for (const blobs of [store.list(), store.listSetAside()]) {
    for await (const { unknown, batch } of iterateStoredBatches(blobs, isKnown)) {
      if (unknown.length < batch.length) return true;
      isEmpty = false;
    }
  }
  return isEmpty;
}

async function rejectFiles(deps: ServiceIdDeps): Promise<never> {
  throw new InstallationError("files_differ", await describeSides(deps));
}

/** A sentence on each side, for an operator. */
export async function describeSides(deps: Omit<ServiceIdDeps, "newId">) {
  const { databaseName, store } = deps;
  const ids = await readIds(deps);
  const named = await new DoctorRepository(deps.database.read).countKept();
  const { total, known } = await countStored(deps.database.read, store);
  return {
    database: `The database ${databaseName} has ${describeId(ids.database)} and names ${named} files and covers.`,
    files: `${store.name} has ${describeId(ids.files)} and contains ${total} files and covers, of which the database names ${known}.`,
  };
}

const findReferredIn = (db: Db) => {
  const files = new KeptBytesRepository(db);
  return (hashes: readonly string[]) => files.findReferred(hashes);
};

const describeId = (id: string | null | undefined): string => (id ? `the id ${id}` : "no id of a service");

async function countStored(db: Db, store: FileStore) {
  const count = { total: 0, known: 0 };
  for await (const { unknown, batch } of iterateStoredBatches(store.list(), findReferredIn(db))) {
    count.total += batch.length;
    count.known += batch.length - unknown.length;
  }
  return count;
}

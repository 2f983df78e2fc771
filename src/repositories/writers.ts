/** The ways to write, bound to the writing connection of a database. */
import type { Clock } from "../adapters/clock.ts";
import type { NewId } from "../adapters/ids.ts";
import type { Database } from "../db/database.ts";
import { type AddressStorage, storedAddress } from "../lib/stored-address.ts";
import { AuditRepository } from "./audit.repository.ts";
import { type Author, auditRow, type Change } from "./change.ts";
import {
  type ChangeCatalogue,
  type ChangeRecords,
  catalogueRepositories,
  recordRepositories,
  type WriteRecords,
} from "./index.ts";

interface Uses {
  database: Database;
  newId: NewId;
  clock: Clock;
  addressStorage: AddressStorage;
}

/** The repositories of a write are bound to the writing connection; nothing else may use it. */
export function writersOf({ database, newId, clock, addressStorage }: Uses): {
  writeRecords: WriteRecords;
  changeRecords: ChangeRecords;
  changeCatalogue: ChangeCatalogue;
} {
  const records = recordRepositories(database.writer);
  const all = { ...records, ...catalogueRepositories(database.writer) };
  const audit = new AuditRepository(database.writer);
  const log = (by: Author, change: Change) =>
    audit.insert({
      ...auditRow(by, change),
      id: newId(),
      at: clock.now(),
      ipAddress: storedAddress(by.address ?? "", addressStorage),
    });
  return {
    writeRecords: (work) => database.commit(() => work(records)),
    changeRecords: (by, work) =>
      database.commit(async () => {
        const { answer, change } = await work(records);
        if (change) await log(by, change);
        return answer;
      }),
    changeCatalogue: (by, work) =>
      database.commit(async () => {
        const { answer, change } = await work(all);
        if (!change) return answer;
        await log(by, change);
        await all.publication.raiseCatalogueVersion();
        return answer;
      }),
  };
}

/** The ways to write, bound to the writing connection of a database. */
import type { Clock } from "../adapters/clock.ts";
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
  clock: Clock;
  addressStorage: AddressStorage;
}

/** The repositories of a write are bound to the writing connection; nothing else may use it. */
export function writersOf({ database, clock, addressStorage }: Uses): {
  writeRecords: WriteRecords;
  changeRecords: ChangeRecords;
  changeCatalogue: ChangeCatalogue;
} {
  const records = recordRepositories(database.writer);
  const all = { ...records, ...catalogueRepositories(database.writer) };
  const audit = new AuditRepository(database.writer);
  const log = async (by: Author, change: Change) => {
    const row = auditRow(by, change);
    if (!row) return;
    const ipAddress = storedAddress(by.address ?? "", addressStorage);
    await audit.insert({ ...row, at: clock.now(), ipAddress });
  };
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

/** The two ways to write, bound to the writing connection of a database. */
import type { Database } from "../db/database.ts";
import {
  catalogueRepositories,
  recordRepositories,
  type WriteCatalogue,
  type WriteRecords,
} from "./index.ts";

/** The repositories of a write are bound to the writing connection; nothing else may use it. */
export function writersOf(database: Database): {
  writeRecords: WriteRecords;
  writeCatalogue: WriteCatalogue;
} {
  const records = recordRepositories(database.writer);
  const all = { ...records, ...catalogueRepositories(database.writer) };
  return {
    writeRecords: (work) => database.commit(() => work(records)),
    writeCatalogue: (work) =>
      database.commit(async () => {
        const result = await work(all);
        await all.publication.raiseCatalogueVersion();
        return result;
      }),
  };
}

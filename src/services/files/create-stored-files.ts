/** Creates what keeps stored bytes and rows consistent. */
import type { FileStore } from "../../adapters/files/file-store.ts";
import type { Logger } from "../../adapters/logger.ts";
import type { Clock, NewId, Scheduler } from "../../adapters/system.ts";
import type { Config } from "../../config.ts";
import type { Database } from "../../db/database.ts";
import type { Repositories, WriteRecords } from "../../repositories/index.ts";
import { ReleasedBytes } from "./released-bytes.ts";
import { Removals } from "./removals.ts";
import { ReplacedContents } from "./replaced-contents.ts";
import { StoredFiles } from "./stored-files.ts";

interface Deps {
  config: Pick<Config, "replacedFilesDays">;
  store: FileStore;
  reads: Repositories;
  write: WriteRecords;
  database: Database;
  newId: NewId;
  clock: Clock;
  schedule: Scheduler;
  log: Logger;
  isClockTrusted: () => boolean;
}

export function createStoredFiles({ config: { replacedFilesDays }, ...deps }: Deps) {
  const { keptBytes: files, releasedBytes } = deps.reads;
  const removals = new Removals({ ...deps, released: releasedBytes });
  const released = new ReleasedBytes({ ...deps, removals, replacedFilesDays });
  return {
    stored: new StoredFiles({ ...deps, files, removals }),
    released,
    replaced: new ReplacedContents({ ...deps, released, replacedFilesDays }),
  };
}

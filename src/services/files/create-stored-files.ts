/** Creates what keeps stored bytes and rows consistent. */
import type { FileStore } from "../../adapters/files/file-store.ts";
import type { Config } from "../../config.ts";
import type { Repositories } from "../../repositories/index.ts";
import type { CommonDeps } from "../shared/service.ts";
import { ReleasedBytes } from "./released-bytes.ts";
import { Removals } from "./removals.ts";
import { ReplacedContents } from "./replaced-contents.ts";
import { StoredFiles } from "./stored-files.ts";

interface Deps extends Pick<CommonDeps, "write" | "database" | "newId" | "clock" | "schedule" | "log"> {
  config: Pick<Config, "replacedFilesDays">;
  store: FileStore;
  reads: Repositories;
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

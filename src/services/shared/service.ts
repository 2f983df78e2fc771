/** What services are made of: each dependency has one name and one type here, and a service picks those that it uses. */
import type { CoverImages } from "../../adapters/images/cover-images.ts";
import type { Logger } from "../../adapters/logger.ts";
import type { PasswordHasher } from "../../adapters/password-hasher.ts";
import type { Clock, NewId, Scheduler } from "../../adapters/system.ts";
import type { Config } from "../../config.ts";
import type { Database } from "../../db/database.ts";
import type { PageLanguages } from "../../library/page-languages.ts";
import type {
  CatalogueRepositories,
  ChangeCatalogue,
  ChangeRecords,
  RecordRepositories,
  WriteRecords,
} from "../../repositories/index.ts";

/** Of any service. */
export interface CommonDeps {
  config: Config;
  database: Database;
  write: WriteRecords;
  images: CoverImages;
  hasher: PasswordHasher;
  pageLanguages: PageLanguages;
  newId: NewId;
  clock: Clock;
  schedule: Scheduler;
  log: Logger;
}

/** Of a service for the catalogue. `report` reads beside the event loop, and is for what grows with the catalogue. */
export interface CatalogueDeps extends CommonDeps {
  reads: CatalogueRepositories;
  report: CatalogueRepositories;
  change: ChangeCatalogue;
}

/** Of a service for all else. */
export interface RecordDeps extends CommonDeps {
  reads: RecordRepositories;
  report: RecordRepositories;
  change: ChangeRecords;
}

/** A service keeps the dependencies that it was created with. */
export abstract class Service<Deps> {
  protected readonly deps: Deps;

  constructor(deps: Deps) {
    this.deps = deps;
  }
}

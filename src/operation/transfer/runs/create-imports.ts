/** Creates the service of imports, which uses those that write. */
import type { Config } from "../../../config.ts";
import type { Database } from "../../../db/database.ts";
import type {
  ChangeCatalogue,
  ChangeRecords,
  ReportRepositories,
  Repositories,
  WriteRecords,
} from "../../../repositories/index.ts";
import { createPermissionCheck } from "../../../services/users/assert-permitted.ts";
import { ImportsService, type ImportsServiceDeps } from "./imports.service.ts";

interface Deps extends Pick<ImportsServiceDeps, "newId" | "clock" | "log" | "store"> {
  config: Config;
  database: Database;
  reads: Repositories;
  reports: ReportRepositories;
  writeRecords: WriteRecords;
  changeRecords: ChangeRecords;
  changeCatalogue: ChangeCatalogue;
}

type ImportingServices = ImportsServiceDeps["services"] & { importPlans: ImportsServiceDeps["plans"] };

export const createImports = (
  { config, database, reads, reports, ...deps }: Deps,
  services: ImportingServices,
): ImportsService =>
  new ImportsService({
    ...deps,
    reads,
    report: reports,
    write: deps.writeRecords,
    change: deps.changeRecords,
    plans: services.importPlans,
    services,
    assertPermitted: createPermissionCheck({ reads, clock: deps.clock }, "edit_books"),
    source: database.source,
    cloudAllowHosts: config.cloudFetchAllowHosts,
    replacedFilesDays: config.replacedFilesDays,
  });

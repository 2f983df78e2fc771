/** Creates the services that read what files say of themselves, before and after they become books. */
import { splitCacheBytes } from "../../adapters/files/storage.ts";
import type { CoverImages } from "../../adapters/images/cover-images.ts";
import type { Logger } from "../../adapters/logger.ts";
import type { Clock, Scheduler } from "../../adapters/system.ts";
import type { WatchedProcess } from "../../adapters/watched-process/watched-process.ts";
import type { Config } from "../../config.ts";
import type { Database } from "../../db/database.ts";
import type { ReportRepositories, Repositories, WriteRecords } from "../../repositories/index.ts";
import { ContentRecords } from "../../services/files/content-records.ts";
import { ExaminationsService } from "../../services/files/examinations.service.ts";
import type { ReleasedBytes } from "../../services/files/released-bytes.ts";
import type { StoredFiles } from "../../services/files/stored-files.ts";
import type { Services } from "../../services/index.ts";
import { ContentExaminer } from "./content-examiner.ts";
import { ImportPlans } from "./plans/import-plans.ts";

/** What works on foreign bytes, each in a process of its own. */
export interface ForeignWork {
  images: CoverImages;
  metadataProcess: WatchedProcess;
}

interface ExaminationDeps extends Pick<ForeignWork, "images"> {
  config: Config;
  database: Database;
  reads: Repositories;
  reports: ReportRepositories;
  writeRecords: WriteRecords;
  stored: StoredFiles;
  released: ReleasedBytes;
  metadataProcess: WatchedProcess | undefined;
  clock: Clock;
  schedule: Scheduler;
  log: Logger;
}

export function createExaminationServices({ config, reports, writeRecords, ...deps }: ExaminationDeps) {
  const { dataDir, cacheMaxBytes, cloudFetchAllowHosts: cloudAllowHosts } = config;
  const { database, stored, schedule } = deps;
  const examiner = new ContentExaminer({ ...deps, dataDir });
  const common = { ...deps, report: reports, write: writeRecords, examiner };
  const maxBytes = splitCacheBytes(cacheMaxBytes).examinedBytes;
  const examinations = new ExaminationsService({ ...common, maxBytes });
  const contentRecords = new ContentRecords(common);
  const plans = { source: database.source, cloudAllowHosts, examinations, examiner, stored, schedule };
  return {
    examiner,
    examinations,
    contentRecords,
    importPlans: new ImportPlans(plans),
  };
}

type ExaminationServices = Pick<Services, "contentRecords" | "examinations" | "importPlans">;

export function startExaminations({ examinations, contentRecords }: ExaminationServices): void {
  examinations.start();
  contentRecords.start();
}

export async function closeExaminations(services: ExaminationServices): Promise<void> {
  const { examinations, contentRecords, importPlans } = services;
  await Promise.all([importPlans.close(), examinations.stop(), contentRecords.stop()]);
}

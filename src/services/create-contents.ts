/** Creates the services of files, covers, languages and the library for administrators, whose first request loads them. */
import type { FileStore } from "../adapters/files/file-store.ts";
import type { CoverImages } from "../adapters/images/cover-images.ts";
import type { Clock, NewId } from "../adapters/system.ts";
import type { Config } from "../config.ts";
import type {
  ChangeCatalogue,
  ReportRepositories,
  Repositories,
  WriteRecords,
} from "../repositories/index.ts";
import type { CoverVariants } from "./covers/cover-variants.ts";
import { CoversService, type CoversServiceDeps } from "./covers/covers.service.ts";
import type { ContentRecords } from "./files/content-records.ts";
import { FileRemarks } from "./files/file-remarks.service.ts";
import { FilesService } from "./files/files.service.ts";
import type { ReleasedBytes } from "./files/released-bytes.ts";
import type { ReplacedContents } from "./files/replaced-contents.ts";
import type { StoredFiles } from "./files/stored-files.ts";
import { LanguagesService } from "./languages/languages.service.ts";
import { VisibilityService } from "./languages/visibility.service.ts";
import { LibraryService } from "./library/library.service.ts";
import type { CatalogueVersions } from "./shared/catalogue-versions.ts";

interface Deps extends Pick<CoversServiceDeps, "examiner"> {
  config: Pick<Config, "cloudFetchAllowHosts" | "mail">;
  reads: Repositories;
  reports: ReportRepositories;
  changeCatalogue: ChangeCatalogue;
  writeRecords: WriteRecords;
  store: FileStore;
  stored: StoredFiles;
  released: ReleasedBytes;
  replaced: ReplacedContents;
  variants: CoverVariants;
  contentRecords: ContentRecords;
  images: CoverImages;
  versions: CatalogueVersions;
  newId: NewId;
  clock: Clock;
}

export function createContentServices(deps: Deps) {
  const { config, reads, reports: report, changeCatalogue: change, writeRecords: write } = deps;
  const { images, store, stored, released, replaced, variants, examiner, contentRecords: contents } = deps;
  const catalogue = { reads, versions: deps.versions, change, newId: deps.newId, clock: deps.clock };
  const { languages } = reads;
  const bytes = { ...catalogue, report, stored, released, replaced };
  return {
    covers: new CoversService({ ...bytes, images, store, variants, examiner }),
    files: new FilesService({ ...bytes, cloudAllowHosts: config.cloudFetchAllowHosts }),
    fileRemarks: new FileRemarks({ reads, mixUps: report.mixUps, contents }),
    languages: new LanguagesService({
      ...catalogue,
      languages,
      usage: report.languageUsage,
      released,
      write,
      hasLetters: config.mail !== undefined,
    }),
    library: new LibraryService({ ...catalogue, images }),
    visibility: new VisibilityService({ ...catalogue, languages, visibility: report.visibility }),
  };
}

/** What administrators do with the catalogue, and what they see of it. */
import { DownloadLogQuery } from "../repositories/analytics/download-log.ts";
import { AnalyticsService } from "../services/analytics.service.ts";
import { BooksService } from "../services/books.service.ts";
import { FilesService } from "../services/files.service.ts";
import { LanguagesService } from "../services/languages.service.ts";
import { TranslationsService } from "../services/translations.service.ts";
import type { Uses } from "./uses.ts";

export function joinAdministration({ config, database, reads, changeCatalogue, stored, newId, clock }: Uses) {
  const catalogue = { reads, change: changeCatalogue, newId, clock };
  return {
    analytics: new AnalyticsService({ downloadLog: new DownloadLogQuery(database.report) }),
    books: new BooksService(catalogue),
    files: new FilesService({ ...catalogue, stored, cloudAllowHosts: config.cloudFetchAllowHosts }),
    languages: new LanguagesService({ languages: reads.languages, stored, ...catalogue }),
    translations: new TranslationsService(catalogue),
  };
}

/** What administrators do with the catalogue, and what they see of it. */
import { AuditRepository } from "../repositories/audit.repository.ts";
import { catalogueRepositories } from "../repositories/index.ts";
import { MatrixRepository } from "../repositories/matrix.repository.ts";
import { VisibilityRepository } from "../repositories/visibility.repository.ts";
import { AuditService } from "../services/audit.service.ts";
import { BookLifecycleService } from "../services/book-lifecycle.service.ts";
import { BookOrderService } from "../services/book-order.service.ts";
import { BooksService } from "../services/books.service.ts";
import { BulkUpsertService } from "../services/bulk-upsert.service.ts";
import { ChannelsService } from "../services/channels.service.ts";
import { CoversService } from "../services/covers.service.ts";
import { FilesService } from "../services/files.service.ts";
import { LanguagesService } from "../services/languages.service.ts";
import { PublicationsService } from "../services/publications.service.ts";
import { TranslationsService } from "../services/translations.service.ts";
import { VisibilityService } from "../services/visibility.service.ts";
import type { Uses } from "./uses.ts";

export function joinAdministration(uses: Uses) {
  const { config, database, reads, changeCatalogue, writeRecords, images, store, stored, newId, clock } =
    uses;
  const catalogue = { reads, change: changeCatalogue, newId, clock };
  const report = catalogueRepositories(database.report);
  const cloudAllowHosts = config.cloudFetchAllowHosts;
  return {
    audit: new AuditService({ audit: new AuditRepository(database.report), change: uses.changeRecords }),
    books: new BooksService(catalogue),
    bookLifecycle: new BookLifecycleService({ ...catalogue, report, stored }),
    bookOrder: new BookOrderService({ ...catalogue, report }),
    bulkUpsert: new BulkUpsertService({ ...catalogue, cloudAllowHosts }),
    channels: new ChannelsService({ channels: reads.channels, ...catalogue }),
    covers: new CoversService({ ...catalogue, images, store, stored }),
    files: new FilesService({ ...catalogue, stored, cloudAllowHosts }),
    languages: new LanguagesService({
      languages: reads.languages,
      stored,
      ...catalogue,
      write: writeRecords,
    }),
    publications: new PublicationsService({ ...catalogue, report: new MatrixRepository(database.report) }),
    translations: new TranslationsService(catalogue),
    visibility: new VisibilityService({
      languages: reads.languages,
      visibility: new VisibilityRepository(database.report),
      ...catalogue,
    }),
  };
}

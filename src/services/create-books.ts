/** Creates the services of books and their publications for administrators, whose first request loads them. */
import type { ChangeCatalogue, ReportRepositories, Repositories } from "../repositories/index.ts";
import { BookActionsService } from "./books/book-actions.service.ts";
import { BookLifecycleService } from "./books/book-lifecycle.service.ts";
import { BookLinksService } from "./books/book-links.service.ts";
import { BookListService } from "./books/book-list.service.ts";
import { BookOrderService } from "./books/book-order.service.ts";
import { BookPreviewService } from "./books/book-preview.service.ts";
import { BooksService } from "./books/books.service.ts";
import { BulkUpsertService } from "./books/bulk.service.ts";
import { TranslationsService } from "./books/translations.service.ts";
import { ChannelsService } from "./channels/channels.service.ts";
import { PublicationsService } from "./channels/publications.service.ts";
import type { ReleasedBytes } from "./files/released-bytes.ts";
import type { CatalogueVersions } from "./shared/catalogue-versions.ts";
import type { CommonDeps } from "./shared/service.ts";

interface Deps extends Pick<CommonDeps, "config" | "images" | "newId" | "clock"> {
  reads: Repositories;
  reports: ReportRepositories;
  changeCatalogue: ChangeCatalogue;
  released: ReleasedBytes;
  versions: CatalogueVersions;
}

export function createBookServices({
  config,
  reads,
  reports: report,
  changeCatalogue,
  released,
  ...deps
}: Deps) {
  const { images, versions, newId, clock } = deps;
  const catalogue = { reads, versions, change: changeCatalogue, newId, clock };
  return {
    books: new BooksService(catalogue),
    bookActions: new BookActionsService(catalogue),
    bookList: new BookListService({ clock, report }),
    bookLinks: new BookLinksService({ config, reads, images, clock }),
    bookPreview: new BookPreviewService({ reads, clock }),
    bookLifecycle: new BookLifecycleService({ ...catalogue, report, released }),
    bookOrder: new BookOrderService({ ...catalogue, report }),
    bulkUpsert: new BulkUpsertService({ ...catalogue, cloudAllowHosts: config.cloudFetchAllowHosts }),
    channels: new ChannelsService({ channels: reads.channels, report, ...catalogue }),
    publications: new PublicationsService({ ...catalogue, report }),
    translations: new TranslationsService(catalogue),
  };
}

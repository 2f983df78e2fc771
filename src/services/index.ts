/** The services, as routes see them. */
import type { AnalyticsService } from "./analytics.service.ts";
import type { ApiKeysService } from "./api-keys.service.ts";
import type { AuditService } from "./audit.service.ts";
import type { AuthService } from "./auth.service.ts";
import type { BookLifecycleService } from "./book-lifecycle.service.ts";
import type { BookOrderService } from "./book-order.service.ts";
import type { BooksService } from "./books.service.ts";
import type { BulkUpsertService } from "./bulk-upsert.service.ts";
import type { ChannelsService } from "./channels.service.ts";
import type { CoversService } from "./covers.service.ts";
import type { DeliveriesService } from "./deliveries.service.ts";
import type { DoctorService } from "./doctor.service.ts";
import type { DownloadsService } from "./downloads.service.ts";
import type { FilesService } from "./files.service.ts";
import type { LanguagesService } from "./languages.service.ts";
import type { PublicCatalogueService } from "./public-catalogue.service.ts";
import type { PublicCoversService } from "./public-covers.service.ts";
import type { PublicationsService } from "./publications.service.ts";
import type { SystemService } from "./system.service.ts";
import type { TranslationsService } from "./translations.service.ts";
import type { UsersService } from "./users.service.ts";
import type { VisibilityService } from "./visibility.service.ts";

export interface Services {
  analytics: AnalyticsService;
  apiKeys: ApiKeysService;
  audit: AuditService;
  auth: AuthService;
  books: BooksService;
  bookLifecycle: BookLifecycleService;
  bookOrder: BookOrderService;
  bulkUpsert: BulkUpsertService;
  channels: ChannelsService;
  covers: CoversService;
  deliveries: DeliveriesService;
  doctor: DoctorService;
  downloads: DownloadsService;
  files: FilesService;
  languages: LanguagesService;
  publicCatalogue: PublicCatalogueService;
  publications: PublicationsService;
  publicCovers: PublicCoversService;
  system: SystemService;
  translations: TranslationsService;
  users: UsersService;
  visibility: VisibilityService;
}

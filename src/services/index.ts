/** The services, as routes see them. */
import type { AnalyticsService } from "./analytics.service.ts";
import type { ApiKeysService } from "./api-keys.service.ts";
import type { AuthService } from "./auth.service.ts";
import type { BooksService } from "./books.service.ts";
import type { DeliveriesService } from "./deliveries.service.ts";
import type { DownloadsService } from "./downloads.service.ts";
import type { FilesService } from "./files.service.ts";
import type { LanguagesService } from "./languages.service.ts";
import type { PublicCatalogueService } from "./public-catalogue.service.ts";
import type { SystemService } from "./system.service.ts";
import type { TranslationsService } from "./translations.service.ts";
import type { UsersService } from "./users.service.ts";

export interface Services {
  analytics: AnalyticsService;
  apiKeys: ApiKeysService;
  auth: AuthService;
  books: BooksService;
  deliveries: DeliveriesService;
  downloads: DownloadsService;
  files: FilesService;
  languages: LanguagesService;
  publicCatalogue: PublicCatalogueService;
  system: SystemService;
  translations: TranslationsService;
  users: UsersService;
}

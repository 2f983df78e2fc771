/** The services that routes depend on. */
import type { Lazy } from "../lib/lazily.ts";
import type { ImportCreation, ImportList, ImportRun } from "../schemas/import-runs.schemas.ts";
import type { ImportPlan, ImportPlanRequest } from "../schemas/imports.schemas.ts";
import type { AuditService } from "./audit.service.ts";
import type { PublicCatalogueService } from "./catalogue/public-catalogue.service.ts";
import type { ConfirmationsService } from "./confirmations/confirmations.service.ts";
import type { PublicCoversService } from "./covers/public-covers.service.ts";
import type { createBookServices } from "./create-books.ts";
import type { createContentServices } from "./create-contents.ts";
import type { createReaderServices } from "./create-readers.ts";
import type { DoctorService } from "./doctor/doctor.service.ts";
import type { DoctorRunsService } from "./doctor/doctor-runs.service.ts";
import type { DeliveriesService } from "./downloads/deliveries.service.ts";
import type { DownloadsService } from "./downloads/downloads.service.ts";
import type { ContentRecords } from "./files/content-records.ts";
import type { ExaminationsService } from "./files/examinations.service.ts";
import type { JobsService } from "./jobs.service.ts";
import type { LettersService } from "./letters/letters.service.ts";
import type { LibraryFeeds } from "./library/library-feeds.service.ts";
import type { LibraryPages } from "./library/library-pages.service.ts";
import type { LibraryReader } from "./library/library-reader.ts";
import type { LibraryRequests } from "./library/library-requests.service.ts";
import type { WidgetService } from "./library/widget.service.ts";
import type { WebhooksService } from "./outbox/webhooks.service.ts";
import type { SettingsService } from "./settings.service.ts";
import type { Actor } from "./shared/actor.ts";
import type { CsvDocument } from "./shared/results.ts";
import type { SystemService } from "./system.service.ts";
import type { ApiKeysService } from "./users/api-keys.service.ts";
import type { AuthService } from "./users/auth.service.ts";
import type { PasswordLinksService } from "./users/password-links.service.ts";
import type { UsersService } from "./users/users.service.ts";

type AllLazy<T> = { readonly [K in keyof T]: Lazy<T[K]> };

interface Imports {
  create(actor: Actor, given: ImportCreation): Promise<ImportRun>;
  list(actor: Actor): Promise<ImportList>;
  get(actor: Actor, id: string): Promise<ImportRun>;
  export(actor: Actor, id: string): Promise<CsvDocument>;
  assertCollecting(actor: Actor, id: string): Promise<void>;
  keepExamined(actor: Actor, id: string, sha256: string): Promise<void>;
  start(actor: Actor, id: string): Promise<ImportRun>;
  undo(actor: Actor, id: string): Promise<ImportRun>;
  cancel(actor: Actor, id: string): Promise<{ isEnding: boolean; body: ImportRun }>;
}

/** The services of the first request that needs one of them. */
type LazyOnes = ReturnType<typeof createBookServices> &
  ReturnType<typeof createContentServices> &
  ReturnType<typeof createReaderServices>;

export interface Services extends AllLazy<LazyOnes> {
  apiKeys: ApiKeysService;
  audit: AuditService;
  auth: AuthService;
  confirmations: ConfirmationsService;
  contentRecords: ContentRecords;
  deliveries: DeliveriesService;
  doctor: DoctorService;
  doctorRuns: DoctorRunsService;
  downloads: DownloadsService;
  examinations: ExaminationsService;
  /** Uses the import, which uses services. */
  importPlans: { plan(request: ImportPlanRequest): Promise<ImportPlan>; close(): Promise<void> };
  /** Uses the import, too. */
  imports: Imports;
  jobs: JobsService;
  letters: LettersService;
  libraryPages: LibraryPages;
  libraryRequests: LibraryRequests;
  widget: Lazy<WidgetService>;
  libraryFeeds: LibraryFeeds;
  libraryReader: LibraryReader;
  passwordLinks: PasswordLinksService;
  publicCatalogue: PublicCatalogueService;
  publicCovers: PublicCoversService;
  settings: SettingsService;
  system: SystemService;
  users: UsersService;
  webhooks: WebhooksService;
}

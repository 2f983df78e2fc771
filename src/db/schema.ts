/** The tables as Kysely sees them. Times are epoch milliseconds UTC, flags 0 or 1; `null` means absent. */
import type { ApiKeysTable, SessionsTable, UsersTable } from "./tables/access.ts";
import type { AuditLogTable } from "./tables/audit.ts";
import type {
  BookFilesTable,
  BooksTable,
  CatalogueVersionTable,
  CoversTable,
  LanguagesTable,
  TranslationsTable,
} from "./tables/catalogue.ts";
import type { BookVisibilityTable, ChannelsTable, PublicationsTable } from "./tables/distribution.ts";
import type {
  ArchiveBooksTable,
  ArchivesTable,
  ConsentsTable,
  ContactsTable,
  DownloadEventsTable,
  EventChangesTable,
} from "./tables/downloads.ts";

import type { RecordedHourTable } from "./tables/operation.ts";

export type * from "./tables/access.ts";
export type * from "./tables/audit.ts";
export type * from "./tables/catalogue.ts";
export type * from "./tables/distribution.ts";
export type * from "./tables/downloads.ts";
export type * from "./tables/flag.ts";
export type * from "./tables/operation.ts";

export interface Schema {
  users: UsersTable;
  sessions: SessionsTable;
  api_keys: ApiKeysTable;
  languages: LanguagesTable;
  books: BooksTable;
  translations: TranslationsTable;
  book_files: BookFilesTable;
  covers: CoversTable;
  channels: ChannelsTable;
  publications: PublicationsTable;
  book_visibility: BookVisibilityTable;
  catalogue_version: CatalogueVersionTable;
  contacts: ContactsTable;
  archives: ArchivesTable;
  archive_books: ArchiveBooksTable;
  download_events: DownloadEventsTable;
  event_changes: EventChangesTable;
  consents: ConsentsTable;
  audit_log: AuditLogTable;
  recorded_hour: RecordedHourTable;
}

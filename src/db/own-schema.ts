/** What the migrations make in SQLite: each table with its indexes, also those that SQLite makes itself. */

/**
 * A list, since running the migrations in memory takes a tenth of a second of a start. test/foreign-schema.test.ts fails
 * when a migration adds to it.
 */
export const OWN_SCHEMA: Readonly<Record<string, readonly string[]>> = {
  api_keys: ["api_keys_owner", "sqlite_autoindex_api_keys_1", "sqlite_autoindex_api_keys_2"],
  archive_books: ["archive_books_book", "sqlite_autoindex_archive_books_1"],
  archives: ["sqlite_autoindex_archives_1"],
  audit_log: [
    "audit_log_action",
    "audit_log_actorId",
    "audit_log_actorKind",
    "audit_log_objectId",
    "audit_log_objectKind",
    "audit_log_requestId",
    "audit_log_time",
  ],
  book_files: [
    "book_files_active",
    "book_files_book",
    "book_files_language",
    "book_files_sha256",
    "sqlite_autoindex_book_files_1",
  ],
  book_visibility: ["book_visibility_book", "sqlite_autoindex_book_visibility_1"],
  books: ["books_order", "sqlite_autoindex_books_1", "sqlite_autoindex_books_2"],
  catalogue_version: [],
  channels: ["sqlite_autoindex_channels_1", "sqlite_autoindex_channels_2"],
  consents: ["consents_contact", "consents_event", "sqlite_autoindex_consents_1"],
  contacts: [
    "contacts_country",
    "contacts_last_download",
    "sqlite_autoindex_contacts_1",
    "sqlite_autoindex_contacts_2",
  ],
  covers: ["covers_language", "covers_sha256", "sqlite_autoindex_covers_1", "sqlite_autoindex_covers_2"],
  download_events: [
    "download_events_archive",
    "download_events_city",
    "download_events_contact",
    "download_events_country",
    "download_events_language",
    "download_events_time",
  ],
  event_changes: [],
  kysely_migration: ["sqlite_autoindex_kysely_migration_1"],
  kysely_migration_lock: ["sqlite_autoindex_kysely_migration_lock_1"],
  languages: ["languages_parent", "sqlite_autoindex_languages_1", "sqlite_autoindex_languages_2"],
  publications: ["publications_book", "publications_channel", "sqlite_autoindex_publications_1"],
  recorded_hour: ["sqlite_autoindex_recorded_hour_1"],
  sessions: ["sessions_expiry", "sessions_user", "sqlite_autoindex_sessions_1"],
  sqlite_sequence: [],
  translations: [
    "sqlite_autoindex_translations_1",
    "sqlite_autoindex_translations_2",
    "translations_language",
  ],
  users: ["sqlite_autoindex_users_1", "sqlite_autoindex_users_2"],
};

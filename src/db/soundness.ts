/** The schema that the migrations create in SQLite: each table with its indexes, including automatic ones. */
import { z } from "zod";
import { OperatorError } from "../errors.ts";
import { type Connection, openReader } from "./connection.ts";
import { isDamage } from "./storage-error.ts";

/**
 * A constant, because running the migrations in memory takes a tenth of a second of a start.
 * test/foreign-schema.deep.test.ts fails when a migration adds to it.
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

const schemaObject = z.object({
  type: z.enum(["table", "index", "trigger", "view"]),
  name: z.string(),
  /** The table to which it belongs. */
  table: z.string(),
});
export type SchemaObject = z.output<typeof schemaObject>;

export interface ForeignSchema {
  /** Triggers and views, which run statements of their own. The migrations create none. */
  programs: SchemaObject[];
  /** Tables and indexes: harmless, for example those of Litestream or ANALYZE. */
  data: SchemaObject[];
}

/** Fast: reads only the schema. */
export function foreignPrograms(connection: Connection): SchemaObject[] {
  return schemaOf(connection).filter(({ type }) => type === "trigger" || type === "view");
}

/**
 * At most `limit` objects of each kind. Fast. A database of an older version is compared with the newest schema, which
 * contains all of its objects.
 */
export function foreignSchema(connection: Connection, limit: number): ForeignSchema {
  const foreign = schemaOf(connection).filter((each) => !isOwn(each));
  const isData = ({ type }: SchemaObject) => type === "table" || type === "index";
  return {
    programs: foreign.filter((each) => !isData(each)).slice(0, limit),
    data: foreign.filter(isData).slice(0, limit),
  };
}

/** Only the deep check counts more. */
const MAX_NAMED = 10;

/** The first foreign tables and indexes. Fast. */
export const foreignData = (connection: Connection): SchemaObject[] =>
  foreignSchema(connection, MAX_NAMED).data;

/** A sentence for the log or the terminal; undefined if there are none. */
export const describeForeignData = (what: string, data: readonly SchemaObject[]): string | undefined =>
  data.length === 0
    ? undefined
    : `${what} has tables or indexes that this service did not create: ${data.map(describe).join(", ")}. They are harmless; run npm run doctor -- --deep for advice.`;

/** @throws OperatorError that names them */
export function rejectForeignPrograms(what: string, programs: readonly SchemaObject[]): void {
  if (programs.length === 0) return;
  const names = programs.map(describe).join(", ");
  const drops = programs.map(({ type, name }) => `drop ${type} "${name.replaceAll('"', '""')}"`).join("; ");
  throw new OperatorError(
    `${what} has triggers or views that this service did not create: ${names}. They execute foreign statements. If you trust the remaining data, remove them with sqlite3 (${drops}); otherwise restore another backup.`,
  );
}

export const describe = ({ type, name, table }: SchemaObject): string =>
  type === "trigger" || type === "index" ? `${type} ${name} on ${table}` : `${type} ${name}`;

function isOwn({ type, name, table }: SchemaObject): boolean {
  const indexes = Object.hasOwn(OWN_SCHEMA, table) ? OWN_SCHEMA[table] : undefined;
  if (indexes === undefined) return false;
  return type === "index" ? indexes.includes(name) : type === "table" && name === table;
}

function schemaOf(connection: Connection): SchemaObject[] {
  const rows = connection
    .prepare('select type, name, tbl_name as "table" from sqlite_schema order by name')
    .all();
  return z.array(schemaObject).parse(rows);
}

const integrity = z.array(z.object({ integrity_check: z.string() }));
/** A row of `table` that refers to a missing row of `parent`, and the total number of such rows. */
const reference = z.object({
  table: z.string(),
  rowid: z.int().nullable(),
  parent: z.string(),
  total: z.int(),
});

export const databaseState = z.object({
  /**
   * The damage, in SQLite's words. If there is any, nothing else is checked, because anything read from the database
   * can be wrong.
   */
  damage: z.array(z.string()),
  brokenReferences: z.array(reference),
  foreign: z.object({ programs: z.array(schemaObject), data: z.array(schemaObject) }),
});
export type DatabaseState = z.output<typeof databaseState>;

/** At most `limit` problems of each kind. Reads the whole file and blocks the thread. */
export async function examineDatabase(file: string, limit: number): Promise<DatabaseState> {
  try {
    const connection = openReader(file);
    try {
      const lines = integrity.parse(connection.pragma(`integrity_check(${limit})`));
      const damage = lines.map(({ integrity_check: line }) => line).filter((line) => line !== "ok");
      if (damage.length > 0) return damaged(damage);
      const columns = '"table", rowid as rowid, parent, count(*) over () as total';
      const statement = connection.prepare(`select ${columns} from pragma_foreign_key_check limit ${limit}`);
      const brokenReferences = z.array(reference).parse(statement.all());
      return { damage, brokenReferences, foreign: foreignSchema(connection, limit) };
    } finally {
      connection.close();
    }
  } catch (error) {
    // A file that isn't a database counts as damaged.
    if (!isDamage(error)) throw error;
    return damaged([error.message]);
  }
}

const damaged = (damage: string[]): DatabaseState => ({
  damage,
  brokenReferences: [],
  foreign: { programs: [], data: [] },
});

/** The schema that the migrations create, and what an examination of a database finds. */
import { z } from "zod";
import { OperatorError } from "../errors.ts";

/**
 * The tables of the migrations, and their indexes without automatic ones: what isn't in it is foreign. schema-parts.ts has
 * what must be there. A constant, because running the migrations in
 * memory takes a tenth of a second of a start. test/foreign-schema.deep.test.ts fails when a migration adds to it.
 */
export const OWN_SCHEMA: Readonly<Record<string, readonly string[]>> = {
  api_keys: ["api_keys_owner"],
  archive_books: ["archive_books_book"],
  archives: [],
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
    "book_files_published",
    "book_files_sha256",
  ],
  book_numbers: [],
  book_texts: [],
  book_trigram_terms: [],
  book_trigrams: [],
  book_trigrams_config: [],
  book_trigrams_data: [],
  book_trigrams_docsize: [],
  book_trigrams_idx: [],
  book_visibility: ["book_visibility_book"],
  books: ["books_archived", "books_order"],
  catalogue_version: [],
  channels: [],
  consents: ["consents_contact", "consents_event"],
  contents: [],
  contacts: ["contacts_country", "contacts_last_download"],
  covers: ["covers_language", "covers_sha256"],
  download_events: [
    "download_events_archive",
    "download_events_city",
    "download_events_contact",
    "download_events_country",
    "download_events_language",
    "download_events_time",
  ],
  event_changes: [],
  former_codes: ["former_codes_language"],
  former_slugs: ["former_slugs_book"],
  import_bytes: ["import_bytes_sha256"],
  imports: ["imports_owner"],
  installation: [],
  jobs: ["jobs_running"],
  examined_files: [],
  kysely_migration: [],
  kysely_migration_lock: [],
  language_versions: [],
  last_sweep: [],
  languages: ["languages_parent"],
  library: [],
  library_consents: [],
  library_logo: [],
  library_texts: [],
  publications: ["publications_book", "publications_channel"],
  rate_limits: [],
  recorded_hour: [],
  released_bytes: ["released_bytes_due"],
  replaced_bytes: [
    "replaced_bytes_cover",
    "replaced_bytes_file",
    "replaced_bytes_sha256",
    "replaced_bytes_until",
  ],
  secret_fingerprint: [],
  service_id: [],
  sessions: ["sessions_expiry", "sessions_user"],
  sqlite_sequence: [],
  translations: ["translations_language"],
  users: [],
};

const schemaObject = z.object({
  /** Rules and row policies exist on PostgreSQL only. */
  type: z.enum(["table", "index", "trigger", "view", "rule", "policy"]),
  name: z.string(),
  /** The table to which it belongs. */
  table: z.string(),
});
export type SchemaObject = z.output<typeof schemaObject>;

/** Enough for a log line. Only the deep check counts more. */
export const MAX_NAMED = 10;

/**
 * What the migrations didn't create, at most `limit` objects of each kind: triggers, views, rules and policies
 * (`programs`), which run statements of their own, and tables and indexes (`data`), which are harmless, such as those of Litestream or ANALYZE.
 * A database of an older version is compared with the newest schema, which contains all of its objects.
 * @param rows all objects of the database's schema
 */
export function parseForeignObjects(rows: readonly unknown[], limit = MAX_NAMED) {
  const foreign = z
    .array(schemaObject)
    .parse(rows)
    .filter((each) => !isOwn(each));
  const isProgram = ({ type }: SchemaObject) => type !== "table" && type !== "index";
  return {
    programs: foreign.filter(isProgram).slice(0, limit),
    data: foreign.filter((each) => !isProgram(each)).slice(0, limit),
  };
}

/** A sentence for the log or the terminal; undefined if there are none. */
export const describeForeignData = (what: string, data: readonly SchemaObject[]): string | undefined =>
  data.length === 0
    ? undefined
    : `${what} has tables or indexes that this service did not create: ${data.map(describe).join(", ")}. They are harmless; run bookdist doctor --deep for advice.`;

/** What runs statements in each database, and so is named by the error. */
const PROGRAMS = { sqlite3: "triggers or views", psql: "triggers, views, rules or policies" };

/** @param client with which an operator removes them @throws OperatorError that names them */
export function rejectForeignPrograms(
  what: string,
  programs: readonly SchemaObject[],
  client: keyof typeof PROGRAMS = "sqlite3",
): void {
  if (programs.length === 0) return;
  const names = programs.map(describe).join(", ");
  const drops = programs.map(({ type, name, table }) => {
    const place = client === "psql" && type !== "view" ? ` on ${quoteName(table)}` : "";
    return `drop ${type} ${quoteName(name)}${place}`;
  });
  throw new OperatorError(
    `${what} has ${PROGRAMS[client]} that this service did not create: ${names}. They execute foreign statements. If you trust the remaining data, remove them with ${client} (${drops.join("; ")}); otherwise restore another backup.`,
  );
}

const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const describe = ({ type, name, table }: SchemaObject): string =>
  type === "table" || type === "view" ? `${type} ${name}` : `${type} ${name} on ${table}`;

/** The name of a unique index in place of a constraint, which SQLite can't add to a table. */
export const nameRemade = (table: string, columns: readonly string[]): string =>
  [table, ...columns, "remade"].join("_");

const isRemade = (table: string, name: string): boolean =>
  name.startsWith(`${table}_`) && name.endsWith("_remade");

function isOwn({ type, name, table }: SchemaObject): boolean {
  if (!Object.hasOwn(OWN_SCHEMA, table)) return false;
  // SQLite reserves this prefix for the indexes of its constraints.
  const isIndex =
    name.startsWith("sqlite_autoindex_") ||
    OWN_SCHEMA[table]?.includes(name) === true ||
    isRemade(table, name);
  return type === "index" ? isIndex : type === "table" && name === table;
}

/** A row of `table` that refers to a missing row of `parent`, and the total number of such rows. */
export const reference = z.object({
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

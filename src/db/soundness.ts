/** The schema that the migrations create, and what an examination of a database finds. */
import { z } from "zod";
import { readExpectedParts } from "./schema-parts.ts";

/** A virtual table with its vocabulary and the tables in which it keeps its data, and the table of counted columns. */
const KEPT_BY_SQLITE = [
  "book_trigram_terms",
  "book_trigrams",
  "book_trigrams_config",
  "book_trigrams_data",
  "book_trigrams_docsize",
  "book_trigrams_idx",
  "sqlite_sequence",
];

/** Which migrations have removed: a database of an older version has them until it is migrated. */
export const FORMER_TABLES = ["recorded_hour", "secret_fingerprint", "service_id", "unfinished_move"];

/** The tables of the migrations and the names of their indexes, without automatic ones: what isn't in it is foreign. */
export function readOwnSchema() {
  const parts = readExpectedParts("sqlite");
  return {
    tables: new Set([...KEPT_BY_SQLITE, ...FORMER_TABLES, ...parts.map(({ table }) => table)]),
    indexes: new Set(parts.filter(({ name }) => name !== "").map(({ name }) => name)),
  };
}

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
  const own = readOwnSchema();
  const foreign = z
    .array(schemaObject)
    .parse(rows)
    .filter((each) => !isOwn(own, each));
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

export interface ForeignPrograms {
  /** The database, as the subject of a sentence. */
  what: string;
  programs: readonly SchemaObject[];
  /** With which an operator removes them. */
  client: keyof typeof PROGRAMS;
}

/** A sentence that names them, and how to remove them. */
export function describePrograms({ what, programs, client }: ForeignPrograms) {
  const names = programs.map(describe).join(", ");
  const drops = programs.map(({ type, name, table }) => {
    const place = client === "psql" && type !== "view" ? ` on ${quoteName(table)}` : "";
    return `drop ${type} ${quoteName(name)}${place}`;
  });
  return [
    `${what} has ${PROGRAMS[client]} that this service did not create: ${names}. They execute foreign statements.`,
    `If you trust the remaining data, remove them with ${client} (${drops.join("; ")}); otherwise restore another backup.`,
  ] as const;
}

const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const describe = ({ type, name, table }: SchemaObject): string =>
  type === "table" || type === "view" ? `${type} ${name}` : `${type} ${name} on ${table}`;

/** The name of a unique index in place of a constraint, which SQLite can't add to a table. */
export const nameRemade = (table: string, columns: readonly string[]): string =>
  [table, ...columns, "remade"].join("_");

const isRemade = (table: string, name: string): boolean =>
  name.startsWith(`${table}_`) && name.endsWith("_remade");

function isOwn(
  { tables, indexes }: ReturnType<typeof readOwnSchema>,
  { type, name, table }: SchemaObject,
): boolean {
  if (!tables.has(table)) return false;
  // SQLite reserves this prefix for the indexes of its constraints.
  const isIndex = name.startsWith("sqlite_autoindex_") || indexes.has(name) || isRemade(table, name);
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

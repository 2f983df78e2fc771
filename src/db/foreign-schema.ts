/** What is in a database's schema that the migrations of this service haven't made. */
import { z } from "zod";
import { OperatorError } from "../errors.ts";
import type { Connection } from "./connection.ts";
import { OWN_SCHEMA } from "./own-schema.ts";

export const schemaObject = z.object({
  type: z.enum(["table", "index", "trigger", "view"]),
  name: z.string(),
  /** The table that it belongs to. */
  table: z.string(),
});
export type SchemaObject = z.output<typeof schemaObject>;

export interface ForeignSchema {
  /** Triggers and views: they run statements of their own. The migrations make none. */
  programs: SchemaObject[];
  /** Tables and indexes: harmless, such as those of Litestream, or of ANALYZE. */
  data: SchemaObject[];
}

/** Cheap: reads the schema alone. */
export function foreignPrograms(connection: Connection): SchemaObject[] {
  return schemaOf(connection).filter(({ type }) => type === "trigger" || type === "view");
}

/**
 * At most `limit` of each. Cheap, too. A database of an older version is compared with the newest schema, in which
 * nothing of it is missing.
 */
export function foreignSchema(connection: Connection, limit: number): ForeignSchema {
  const foreign = schemaOf(connection).filter((each) => !isOwn(each));
  const isData = ({ type }: SchemaObject) => type === "table" || type === "index";
  return {
    programs: foreign.filter((each) => !isData(each)).slice(0, limit),
    data: foreign.filter(isData).slice(0, limit),
  };
}

/** More are counted by the deep check alone. */
const MOST_NAMED = 10;

/** The first foreign tables and indexes. Cheap, too. */
export const foreignData = (connection: Connection): SchemaObject[] =>
  foreignSchema(connection, MOST_NAMED).data;

/** For the log or the terminal; undefined when there are none. */
export const describeForeignData = (what: string, data: readonly SchemaObject[]): string | undefined =>
  data.length === 0
    ? undefined
    : `${what} has tables or indexes that this service did not create: ${data.map(describe).join(", ")}. They do no harm; npm run doctor -- --deep says what to do.`;

/** @throws OperatorError that names them */
export function refuseForeignPrograms(what: string, programs: readonly SchemaObject[]): void {
  if (programs.length === 0) return;
  const names = programs.map(describe).join(", ");
  const drops = programs.map(({ type, name }) => `drop ${type} "${name.replaceAll('"', '""')}"`).join("; ");
  throw new OperatorError(
    `${what} has triggers or views that this service didn't make: ${names}. They run statements of somebody else's. If you trust the rest, remove them with sqlite3 (${drops}); otherwise restore another backup.`,
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

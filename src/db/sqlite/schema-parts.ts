/** The indexes and constraints of a SQLite file, and the statements that make them again. */
import { z } from "zod";
import {
  type FoundPart,
  findMissingParts,
  type MissingPart,
  parseColumns,
  readExpectedParts,
  type SchemaPart,
} from "../schema-parts.ts";
import { nameRemade } from "../soundness.ts";
import type { Connection } from "./connection.ts";

/** Without those of SQLite itself, virtual tables and the tables in which these keep their data. */
const TABLES = `select list.name as name, schema.sql as sql from pragma_table_list list
  join sqlite_schema schema on schema.name = list.name and schema.type = 'table'
  where list.schema = 'main' and list.type = 'table' and list.name not like 'sqlite_%' order by list.name`;
const table = z.object({ name: z.string(), sql: z.string() });

const COLUMNS_OF_INDEX = `(select group_concat('"' || name || '"', ', ')
  from (select name from pragma_index_info(list.name) order by seqno))`;
const INDEXES = `select list.name as name, "unique" as isUnique, origin, sql, ${COLUMNS_OF_INDEX} as columns
  from pragma_index_list(?) list join sqlite_schema schema on schema.name = list.name`;
const index = z.object({
  name: z.string(),
  isUnique: z.literal([0, 1]),
  origin: z.enum(["c", "u", "pk"]),
  sql: z.string().nullable(),
  columns: z.string().nullable(),
});

const REFERENCES = `select "table" as parent, "from" as "column", "to" as target, on_delete as onDelete, on_update as onUpdate
  from pragma_foreign_key_list(?)`;
const reference = z.object({
  parent: z.string(),
  column: z.string(),
  target: z.string().nullable(),
  onDelete: z.string(),
  onUpdate: z.string(),
});

/** Fast: reads only the schema. */
export function readSqliteParts(connection: Connection): FoundPart[] {
  const tables = z.array(table).parse(connection.prepare(TABLES).all());
  const indexes = connection.prepare(INDEXES);
  const references = connection.prepare(REFERENCES);
  const key = connection
    .prepare(
      `select group_concat('"' || name || '"', ', ') from (select name from pragma_table_info(?) where pk > 0 order by pk)`,
    )
    .pluck();
  return tables.flatMap(({ name, sql }) => {
    const base = { table: name, name: "" };
    const primary = z.string().nullable().parse(key.get(name));
    return [
      { ...base, kind: "table" as const, meaning: "" },
      ...(primary === null ? [] : [{ ...base, kind: "primary" as const, meaning: `(${primary})` }]),
      ...z
        .array(index)
        .parse(indexes.all(name))
        .filter(({ origin }) => origin !== "pk")
        .map((each) => describeIndex(name, each)),
      ...listChecks(sql).map((meaning) => ({ ...base, kind: "check" as const, meaning })),
      ...z
        .array(reference)
        .parse(references.all(name))
        .map((each) => ({ ...base, kind: "reference" as const, meaning: describeReference(each) })),
    ];
  });
}

const CREATE_INDEX =
  /^create\s+(?:unique\s+)?index\s+(?:if\s+not\s+exists\s+)?(?:"[^"]+"|\S+)\s+on\s+(?:"[^"]+"|[^\s(]+)\s*/i;

function describeIndex(of: string, { name, isUnique, sql, columns }: z.output<typeof index>): FoundPart {
  const meaning = sql === null ? `(${columns ?? ""})` : sql.replace(CREATE_INDEX, "").replaceAll(/\s+/g, " ");
  return { kind: isUnique === 1 ? "unique" : "index", table: of, name: sql === null ? "" : name, meaning };
}

const describeReference = ({ column, parent, target, onDelete, onUpdate }: z.output<typeof reference>) =>
  `("${column}") references "${parent}" ("${target ?? ""}") on delete ${onDelete} on update ${onUpdate}`;

/** The conditions of the checks in the statement that made a table. */
function listChecks(sql: string): string[] {
  return [...sql.matchAll(/\bcheck\s*\(/gi)].map(({ index: at, 0: word }) => {
    const start = at + word.length;
    let depth = 1;
    let end = start;
    while (depth > 0 && end < sql.length) {
      if (sql[end] === "(") depth += 1;
      if (sql[end] === ")") depth -= 1;
      end += 1;
    }
    return sql.slice(start, end - 1).replaceAll(/\s+/g, " ");
  });
}

export const findMissingInSqlite = (connection: Connection): MissingPart[] =>
  findMissingParts(readExpectedParts("sqlite"), readSqliteParts(connection)).map((part) => ({
    ...part,
    statements: createStatements(part),
  }));

/** SQLite adds no constraint to a table, but a unique index does the same as a unique constraint. */
function createStatements(part: SchemaPart): string[] {
  if (part.kind !== "index" && part.kind !== "unique") return [];
  const name = part.name === "" ? nameRemade(part.table, parseColumns(part)?.columns ?? []) : part.name;
  const unique = part.kind === "unique" ? "unique " : "";
  return [`create ${unique}index "${name}" on "${part.table}" ${part.meaning}`];
}

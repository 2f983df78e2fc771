/** The indexes and constraints of a PostgreSQL database, and the statements that make them again. */
import type pg from "pg";
import { z } from "zod";
import {
  type FoundPart,
  findMissingParts,
  foundPart,
  type MissingPart,
  readExpectedParts,
  type SchemaPart,
} from "../schema-parts.ts";
import { executeOn } from "./connection.ts";

/**
 * The definition of an index from `USING` on has neither its name nor its schema. Constraints of the type `n` (NOT NULL)
 * exist from PostgreSQL 18 on.
 */
const PARTS = `
  select 'table' as kind, relname as "table", '' as name, '' as meaning, false as "isInvalid"
    from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
  union all
  select case when indisprimary then 'primary' when indisunique then 'unique' else 'index' end, owner.relname, own.relname,
      substring(pg_get_indexdef(indexrelid) from 'USING .*'), not (indisvalid and indisready)
    from pg_index join pg_class own on own.oid = indexrelid join pg_class owner on owner.oid = indrelid
    where owner.relnamespace = current_schema()::regnamespace and owner.relkind in ('r', 'p')
  union all
  select case contype when 'c' then 'check' else 'reference' end, relname, conname,
      regexp_replace(pg_get_constraintdef(pg_constraint.oid), ' NOT VALID$', ''), false
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where relnamespace = current_schema()::regnamespace and contype in ('c', 'f')`;
export async function readPostgresParts(pool: pg.Pool): Promise<FoundPart[]> {
  const { rows } = await executeOn(pool, PARTS);
  return z.array(foundPart).parse(rows);
}

const operatorClasses = z.array(z.object({ name: z.string() }));

/** An index that needs an extension isn't expected where the extension isn't there. */
async function listExpected(pool: pg.Pool): Promise<SchemaPart[]> {
  const expected = readExpectedParts("postgres");
  const needed = (part: SchemaPart) => part.meaning.match(/\b\w+_ops\b/g) ?? [];
  if (!expected.some((part) => needed(part).length > 0)) return expected;
  const { rows } = await executeOn(pool, "select distinct opcname as name from pg_opclass");
  const known = new Set(operatorClasses.parse(rows).map(({ name }) => name));
  return expected.filter((part) => needed(part).every((name) => known.has(name)));
}

export async function findMissingInPostgres(pool: pg.Pool): Promise<MissingPart[]> {
  const missing = findMissingParts(await listExpected(pool), await readPostgresParts(pool));
  const parts = missing.map((part) => ({ ...part, statements: createStatements(part) }));
  return [...parts, ...(await findLateSequences(pool))];
}

const COUNTED = `
  select relname as "table", attname as "column", pg_get_serial_sequence(quote_ident(relname), attname) as sequence
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and attidentity <> '' and not attisdropped`;
const counted = z.object({ table: z.string(), column: z.string(), sequence: z.string() });
const late = counted.extend({ max: z.number() });

/**
 * Sequences that are behind the rows: logical replication copies rows alone, so the first rows after a promotion would get
 * numbers that there are already.
 */
async function findLateSequences(pool: pg.Pool): Promise<MissingPart[]> {
  const sequences = z.array(counted).parse((await executeOn(pool, COUNTED)).rows);
  if (sequences.length === 0) return [];
  const states = sequences.map(({ table, column, sequence }) => {
    const max = `(select max("${column}") from "${table}") as max`;
    const last = `(select last_value - case when is_called then 0 else 1 end from ${sequence}) as last`;
    return `select '${table}' as "table", '${column}' as "column", '${sequence}' as sequence, ${max}, ${last}`;
  });
  const behind = `select "table", "column", sequence, max from (${states.join(" union all ")}) as states where max > last order by sequence`;
  const found = z.array(late).parse((await executeOn(pool, behind)).rows);
  return found.map(({ table, column, sequence, max }) => ({
    kind: "sequence",
    table,
    name: sequence.replace(/^.*\./, ""),
    meaning: column,
    statements: [`select setval('${sequence}', ${max})`],
  }));
}

/** They lock the table only for moments: the service goes on meanwhile. */
function createStatements({ kind, table, name, meaning, isInvalid }: FoundPart): string[] {
  if (kind === "table") return [];
  if (isInvalid) return [`reindex index concurrently "${name}"`];
  const change = `alter table "${table}"`;
  if (kind === "check" || kind === "reference")
    return [
      `${change} add constraint "${name}" ${meaning} not valid`,
      `${change} validate constraint "${name}"`,
    ];
  const unique = kind === "index" ? "" : "unique ";
  const created = `create ${unique}index concurrently "${name}" on "${table}" ${meaning}`;
  // As a migration makes it, so that a later one finds it under its name.
  const isConstraint = kind === "primary" || (kind === "unique" && !/ where /i.test(meaning));
  if (!isConstraint) return [created];
  const constraint = kind === "primary" ? "primary key" : "unique";
  return [created, `${change} add constraint "${name}" ${constraint} using index "${name}"`];
}

/** Indexes and constraints: what the migrations make, and what of it a database lacks. */
import { readFileSync } from "node:fs";
import { z } from "zod";

/** A sequence is a part only while it gives numbers that rows have already. */
const KINDS = ["table", "primary", "unique", "index", "check", "reference", "sequence"] as const;

const schemaPart = z.object({
  kind: z.enum(KINDS),
  table: z.string(),
  /** Of the index or the constraint; empty if it has none. */
  name: z.string(),
  /** What it covers and requires, in the words of the database. Parts with the same meaning replace each other. */
  meaning: z.string(),
});
export type SchemaPart = z.output<typeof schemaPart>;

export const foundPart = schemaPart.extend({
  /** PostgreSQL doesn't use an index of which the creation has failed. */
  isInvalid: z.boolean().optional(),
});
export type FoundPart = z.output<typeof foundPart>;

export interface MissingPart extends FoundPart {
  /** Make it again, one after the other; none if the table would have to be made again. */
  statements: readonly string[];
}

/** The parts of a database in which all migrations have run: see scripts/schema-parts.ts. */
export const readExpectedParts = (dialect: "sqlite" | "postgres"): SchemaPart[] =>
  z
    .array(schemaPart)
    .parse(JSON.parse(readFileSync(new URL(`./${dialect}/schema-parts.json`, import.meta.url), "utf8")));

let keys: ReadonlyMap<string, readonly string[]> | undefined;

/** The columns of the primary key of a table, which is the same in both databases. */
export function findKey(table: string): readonly string[] {
  const primary = ({ kind }: SchemaPart) => kind === "primary";
  const readKeys = () =>
    readExpectedParts("sqlite")
      .filter(primary)
      .map((part) => [part.table, parseColumns(part)?.columns ?? []] as const);
  keys ??= new Map(readKeys());
  const key = keys.get(table);
  if (key === undefined) throw new Error(`${table} has no primary key: run npm run schema-parts`);
  return key;
}

/** In a fixed order, for the file. */
export const sortParts = (parts: readonly SchemaPart[]): SchemaPart[] => {
  const keyOf = ({ table, kind, name, meaning }: SchemaPart) =>
    `${table} ${KINDS.indexOf(kind)} ${name} ${meaning}`;
  return parts.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
};

/**
 * What is expected and isn't found. Names don't count, nor does what is found besides. A missing table stands for all of
 * its parts.
 */
export function findMissingParts(expected: readonly SchemaPart[], found: readonly FoundPart[]): FoundPart[] {
  const present = new Set(found.filter(({ isInvalid }) => !isInvalid).flatMap(listKeys));
  const invalid = new Set(found.filter(({ isInvalid }) => isInvalid).map(({ name }) => name));
  const lackingTables = new Set(
    expected.filter((part) => part.kind === "table" && !present.has(keyOf(part))).map(({ table }) => table),
  );
  return expected
    .filter((part) => part.kind === "table" || !lackingTables.has(part.table))
    .filter((part) => !present.has(keyOf(part)))
    .toSorted((one, other) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind))
    .map((part) => (invalid.has(part.name) ? { ...part, isInvalid: true } : part));
}

/** A unique index does the work of a unique constraint and of another index on the same columns, and so does a primary key. */
const PROVIDES: Partial<Record<SchemaPart["kind"], readonly SchemaPart["kind"][]>> = {
  primary: ["primary", "unique", "index"],
  unique: ["primary", "unique", "index"],
};

const listKeys = (part: SchemaPart): string[] =>
  (PROVIDES[part.kind] ?? [part.kind]).map((kind) => keyOf({ ...part, kind }));

const keyOf = ({ kind, table, meaning }: SchemaPart): string => `${kind} ${table} ${simplify(meaning)}`;

/** Databases keep the spaces, quotes and capitals with which a statement was typed. */
const simplify = (meaning: string): string => meaning.replaceAll(/["`[\]\s]/g, "").toLowerCase();

/** The columns of an index and its condition; undefined if it isn't on columns alone. */
export function parseColumns({ meaning }: SchemaPart): { columns: string[]; condition: string } | undefined {
  const [, list, condition = ""] = /^(?:using \w+ )?\(([^()]*)\)(?: where (.*))?$/i.exec(meaning) ?? [];
  if (list === undefined) return undefined;
  return { columns: list.split(",").map((each) => each.trim().replaceAll('"', "")), condition };
}

const NOUNS: Record<SchemaPart["kind"], string> = {
  table: "table",
  primary: "primary key",
  unique: "unique index",
  index: "index",
  check: "check",
  reference: "foreign key",
  sequence: "sequence",
};

/** For the log and the doctor, such as "unique index contacts_email_key on contacts". */
export function describePart({ kind, table, name, meaning }: SchemaPart): string {
  if (kind === "table") return `table ${table}`;
  return `${NOUNS[kind]} ${name === "" ? meaning : name} on ${table}`;
}

export function describeMissing(part: MissingPart): string {
  const statements = part.statements.join("; ");
  if (part.kind === "sequence")
    return `The ${describePart(part)} gives numbers that rows have already. Set it: ${statements}`;
  return statements === ""
    ? `The database lacks the ${describePart(part)}, which can't be made again alone.`
    : `The database lacks the ${describePart(part)}. Make it again: ${statements}`;
}

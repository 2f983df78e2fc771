/** Makes missing indexes and constraints again, and names the rows that prevent it. It changes and deletes no row. */
import { z } from "zod";
import { messageOf } from "../lib/node-errors.ts";
import { describePart, findKey, type MissingPart, parseColumns } from "./schema-parts.ts";

/** A connection outside of a transaction. */
interface RepairConnection {
  kind: "sqlite" | "postgres";
  findMissing(): Promise<MissingPart[]>;
  run(statement: string): Promise<void>;
  read(statement: string): Promise<readonly unknown[]>;
}

export interface Repair {
  part: string;
  /** Undefined: it was made. */
  reason: string | undefined;
}

/** Rows that are named. */
const MAX_ROWS = 10;
const rows = z.array(z.record(z.string(), z.unknown()));

export async function repairParts(connection: RepairConnection): Promise<Repair[]> {
  const repairs: Repair[] = [];
  for (const part of await connection.findMissing())
    repairs.push({ part: describePart(part), reason: await makeAgain(connection, part) });
  return repairs;
}

/** @returns why it couldn't be made */
async function makeAgain(connection: RepairConnection, part: MissingPart): Promise<string | undefined> {
  if (part.statements.length === 0) return "it can't be made again alone: restore a backup";
  try {
    const obstacle = await findObstacle(connection, part);
    if (obstacle !== undefined) return obstacle;
    for (const statement of part.statements) await connection.run(statement);
    return undefined;
  } catch (error) {
    const isThere = !(await connection.findMissing()).some(
      ({ table, kind, meaning }) => table === part.table && kind === part.kind && meaning === part.meaning,
    );
    return isThere ? undefined : messageOf(error);
  }
}

const quote = (name: string): string => `"${name}"`;

async function findObstacle(connection: RepairConnection, part: MissingPart): Promise<string | undefined> {
  if (part.kind === "unique" || part.kind === "primary") return findDuplicates(connection, part);
  return part.kind === "reference" ? findOrphans(connection, part) : undefined;
}

async function findDuplicates({ read }: RepairConnection, part: MissingPart): Promise<string | undefined> {
  const parsed = parseColumns(part);
  if (!parsed) return undefined;
  const columns = parsed.columns.map(quote);
  const conditions = columns.map((column) => `${column} is not null`);
  if (parsed.condition !== "") conditions.push(`(${parsed.condition})`);
  const hasId = findKey(part.table).join() === "id";
  const ids = hasId ? `, string_agg(cast("id" as text), ', ') as "ids"` : "";
  const found = rows.parse(
    await read(
      `select ${columns.join(", ")}, count(*) as "rows"${ids} from ${quote(part.table)} where ${conditions.join(" and ")} group by ${columns.join(", ")} having count(*) > 1 order by ${columns.join(", ")} limit ${MAX_ROWS}`,
    ),
  );
  if (found.length === 0) return undefined;
  const named = found.map((row) => {
    const values = parsed.columns.map((column) => `${column} ${JSON.stringify(row[column])}`).join(", ");
    return `${values} (${row.rows} rows${hasId ? `, ids ${row.ids}` : ""})`;
  });
  return `rows of ${part.table} have the same values: ${named.join("; ")}. Change or delete all but one of each, then repeat`;
}

const FOREIGN_KEY = /^foreign key \("?(\w+)"?\) references "?(\w+)"?\("?(\w+)"?\)/i;

async function findOrphans({ read }: RepairConnection, part: MissingPart): Promise<string | undefined> {
  const [, column = "", parent = "", target = ""] = FOREIGN_KEY.exec(part.meaning) ?? [];
  if (column === "") return undefined;
  const found = rows.parse(
    await read(
      `select distinct ${quote(column)} as "value" from ${quote(part.table)} child where ${quote(column)} is not null and not exists (select 1 from ${quote(parent)} parent where parent.${quote(target)} = child.${quote(column)}) order by 1 limit ${MAX_ROWS}`,
    ),
  );
  if (found.length === 0) return undefined;
  const values = found.map(({ value }) => JSON.stringify(value)).join(", ");
  return `rows of ${part.table} refer by ${column} to missing rows of ${parent}: ${values}. Change or delete them, then repeat`;
}

/** Connections to PostgreSQL: pools, and statements whose errors have codes. */
import { isIP } from "node:net";
import pg from "pg";
import { codeOf } from "../../lib/node-errors.ts";
import { CONNECTION_LOST } from "./error-kind.ts";

export interface PoolOptions {
  url: string;
  /** Maximum number of connections. */
  size: number;
  connectTimeoutMs: number;
  statementTimeoutMs: number;
  /** Options of the server's command line, for these connections. */
  settings?: string;
  /** Whether statements are sent while earlier ones of the same connection are still running. */
  sendsAhead?: boolean;
}

/** Sums and counts of 64 bits and `numeric` sums are numbers here, as on SQLite; none of them exceeds 2^53. */
const NUMBERS: readonly number[] = [pg.types.builtins.INT8, pg.types.builtins.NUMERIC];
export const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    NUMBERS.includes(oid) ? Number : pg.types.getTypeParser(oid, format ?? "text"),
};

/** If an instance hangs in a transaction, the others can write again after this time. */
const MAX_IDLE_IN_TRANSACTION_MS = 10_000;

/** The server closes the connections, and so releases the locks, of a machine that has been gone for a minute. */
const KEEP_ALIVE = "-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3";

export function newPool({
  url,
  size,
  connectTimeoutMs,
  statementTimeoutMs,
  settings = "",
  sendsAhead = false,
}: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    types,
    application_name: "bookdist",
    keepAlive: true,
    pipeline: sendsAhead,
    options: `${KEEP_ALIVE} ${settings}`,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: MAX_IDLE_IN_TRANSACTION_MS,
  });
  // An idle connection was lost: the pool opens another one when it needs it.
  pool.on("error", () => {});
  // A connection that is lost between two statements of its holder: the next one fails. Unheard, it would end the process.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** Statements beyond this number are parsed each time: some have lists of varying length. */
const MAX_NAMED_STATEMENTS = 500;
const names = new Map<string, string>();

/** The name under which the server keeps a statement prepared; undefined if it isn't kept. */
function nameOf(sql: string): string | undefined {
  const known = names.get(sql);
  if (known !== undefined || names.size >= MAX_NAMED_STATEMENTS) return known;
  const name = `bookdist_${names.size}`;
  names.set(sql, name);
  return name;
}

/** @throws Error with the code of PostgreSQL, of Node, or CONNECTION_LOST */
export async function execute(client: pg.ClientBase, sql: string, parameters: readonly unknown[] = []) {
  const name = nameOf(sql);
  const query = { text: sql, values: parameters.map(withoutNul), ...(name !== undefined && { name }) };
  return await withCode(() => client.query(query));
}

/** PostgreSQL has no NUL in texts. What is to be stored was checked before, so this only makes a search find nothing. */
const withoutNul = (value: unknown): unknown =>
  typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value;

/** Several statements without parameters in one message. */
export const executeAll = (client: pg.ClientBase, sql: string) => withCode(() => client.query(sql));

export const connect = (pool: pg.Pool): Promise<pg.PoolClient> => withCode(() => pool.connect());

/** `pg` reports a lost connection and an exhausted pool without a code. */
async function withCode<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && codeOf(error) === undefined)
      Object.assign(error, { code: CONNECTION_LOST });
    throw error;
  }
}

/** Host, port and database of a URL, without user and password, for messages. */
export function describeUrl(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  const host = isIP(hostname) === 6 ? `[${hostname}]` : hostname;
  return `${host || "localhost"}:${port || "5432"}${pathname}`;
}

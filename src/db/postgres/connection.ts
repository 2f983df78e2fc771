/** Connections to PostgreSQL: pools, and statements whose errors have codes. */
import { isIP } from "node:net";
import pg from "pg";
import { codeOf, messageOf } from "../../lib/node-errors.ts";
import {
  CANNOT_CONNECT,
  CONNECTION_LOST,
  classifyPostgresError,
  isPlanOutdated,
  NO_RESPONSE,
} from "./error-kind.ts";

export interface PoolOptions {
  url: string;
  /** Maximum number of connections. */
  size: number;
  connectTimeoutMs: number;
  /** The server's limit for a statement; 0: none. */
  statementTimeoutMs: number;
  /** The server's limit for waiting for a lock. Default: that for the statement. */
  lockTimeoutMs?: number;
  /** The server's limit between two statements of a transaction. */
  idleInTransactionTimeoutMs?: number;
  /** The limit for a statement on this side, which must hold for a server that is silent. */
  responseTimeoutMs?: number;
  /** Options of the server's command line, for these connections. */
  settings?: string;
  /** After this time, an unused connection is closed. */
  unusedForMs?: number;
  /** So many connections stay open while nothing uses them: a request needn't open one. */
  keptOpen?: number;
  /** Whether statements are sent while earlier ones of the same connection are still running. */
  sendsAhead?: boolean;
  /** Whether a running statement ends when another one on the same server has run into its limit: its own is much longer. */
  endsWithOthers?: boolean;
}

/** Sums and counts of 64 bits and `numeric` sums are numbers here, as on SQLite; none of them exceeds 2^53. */
const NUMBERS: readonly number[] = [pg.types.builtins.INT8, pg.types.builtins.NUMERIC];
export const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    NUMBERS.includes(oid) ? Number : pg.types.getTypeParser(oid, format ?? "text"),
};

/** If an instance hangs in a transaction, the server rolls it back after this time. */
const IDLE_IN_TRANSACTION_MS = 10_000;
/** How much longer than on the server a statement may take on this side. */
const RESPONSE_GRACE_MS = 2000;
/** Without a limit of the server, as for migrations. */
const LONGEST_STATEMENT_MS = 60 * 60_000;

/** The server closes the connections, and so releases the locks, of a machine that has been gone for a minute. */
const SERVER_KEEP_ALIVE = "-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3";
/** After this time without a byte, the operating system begins to ask whether the server is still there. */
const KEEP_ALIVE_DELAY_MS = 5000;

const UNUSED_FOR_MS = 10_000;

export function createPool({
  url,
  size,
  connectTimeoutMs,
  statementTimeoutMs,
  lockTimeoutMs = 0,
  idleInTransactionTimeoutMs = IDLE_IN_TRANSACTION_MS,
  responseTimeoutMs = statementTimeoutMs === 0
    ? LONGEST_STATEMENT_MS
    : statementTimeoutMs + RESPONSE_GRACE_MS,
  settings = "",
  unusedForMs = UNUSED_FOR_MS,
  keptOpen = 0,
  sendsAhead = false,
  endsWithOthers = false,
}: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    min: keptOpen,
    types,
    application_name: "bookdist",
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    pipeline: sendsAhead,
    options: `${SERVER_KEEP_ALIVE} ${settings}`,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: unusedForMs,
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
    query_timeout: responseTimeoutMs,
    onConnect: endStatementsWithConnection,
  });
  // An idle connection was lost: the pool opens another one when it needs it.
  pool.on("error", () => {});
  // Without a listener, a connection that is lost between two statements of its holder would end the process.
  pool.on("connect", (client) => client.on("error", () => {}));
  watch(pool, { url, responseTimeoutMs, endsWithOthers });
  return pool;
}

/** A server that checks for it ends a statement soon after its connection was closed. Some platforms can't, and refuse. */
const endStatementsWithConnection = (client: pg.ClientBase): Promise<unknown> =>
  client.query("set client_connection_check_interval = 1000").catch(() => {});

interface Watched extends Required<Pick<PoolOptions, "url" | "responseTimeoutMs" | "endsWithOthers">> {
  /** When a statement last ran into its limit on this side. */
  silentAt: number;
  /** All connections. */
  open: Set<pg.PoolClient>;
  /** Those that nothing uses, with the time since when. */
  idle: Map<pg.PoolClient, number>;
  /** The others. */
  used: Map<pg.PoolClient, number>;
}

/** Those that aren't ended. */
const watchedPools = new Map<pg.Pool, Watched>();
const watchedClients = new WeakMap<pg.PoolClient, Watched>();

function watch(pool: pg.Pool, facts: Pick<Watched, "url" | "responseTimeoutMs" | "endsWithOthers">): void {
  const watched: Watched = { ...facts, silentAt: 0, open: new Set(), idle: new Map(), used: new Map() };
  watchedPools.set(pool, watched);
  pool.on("connect", (client) => {
    watched.open.add(client);
    watchedClients.set(client, watched);
  });
  pool.on("acquire", (client) => {
    watched.idle.delete(client);
    watched.used.set(client, performance.now());
  });
  pool.on("release", (_, client) => {
    watched.used.delete(client);
    watched.idle.set(client, performance.now());
  });
  pool.on("remove", (client) => {
    watched.open.delete(client);
    watched.idle.delete(client);
    watched.used.delete(client);
  });
}

/** Connections that were idle for longer when another one ran into its limit are probably silent, too. */
const FRESH_MS = 1000;

/**
 * Destroys a connection on which a statement ran into its limit on this side, and those to the same server that were idle
 * meanwhile: reports have longer limits, and would detect it late. Closing them would wait for the silent server.
 */
export function abandon(client: pg.PoolClient): void {
  const now = performance.now();
  destroy(client);
  const watched = watchedClients.get(client);
  if (!watched) return;
  watched.silentAt = now;
  for (const { url, endsWithOthers, idle, used } of watchedPools.values()) {
    if (url !== watched.url) continue;
    for (const [other, since] of endsWithOthers ? [...idle, ...used] : idle)
      if (now - since > FRESH_MS) destroy(other);
  }
}

/** By `performance.now()`: when a statement on a connection of this pool last ran into its limit on this side; 0: never. */
export const silentAt = (pool: pg.Pool): number => watchedPools.get(pool)?.silentAt ?? 0;

/** Connections that are replaced when they are returned to the pool. */
const broken = new WeakSet<pg.PoolClient>();

function destroy(client: pg.PoolClient): void {
  broken.add(client);
  client.connection.stream.destroy();
}

/** Gives a connection back to its pool, which replaces it if it is broken. */
export const giveBack = (client: pg.PoolClient, isBroken = false): void =>
  client.release(isBroken || broken.has(client));

/** How long connections may take to close, and the statements of their holders to end. */
const CLOSING_MS = 2000;

/** Closes all connections, even if the server is silent. */
export async function endPool(pool: pg.Pool): Promise<void> {
  const timer = setTimeout(() => {
    for (const client of watchedPools.get(pool)?.open ?? []) destroy(client);
  }, CLOSING_MS);
  await pool.end().finally(() => {
    clearTimeout(timer);
    watchedPools.delete(pool);
  });
}

/** Statements beyond this number are parsed each time: some have lists of varying length. */
const MAX_NAMED_STATEMENTS = 500;
const names = new Map<string, string>();

/** The name under which the server keeps a statement prepared; undefined if it isn't kept. */
function nameStatement(sql: string): string | undefined {
  const known = names.get(sql);
  if (known !== undefined || names.size >= MAX_NAMED_STATEMENTS) return known;
  const name = `bookdist_${names.size}`;
  names.set(sql, name);
  return name;
}

/**
 * @param limitMs on this side, if it is shorter than that of the pool
 * @throws Error with the code of PostgreSQL, of Node, CONNECTION_LOST or NO_RESPONSE
 */
export async function execute(
  client: pg.PoolClient,
  sql: string,
  parameters: readonly unknown[] = [],
  limitMs = Number.POSITIVE_INFINITY,
) {
  if (limitMs <= 0) throw noTimeLeft();
  const name = nameStatement(sql);
  const isShorter = limitMs < (watchedClients.get(client)?.responseTimeoutMs ?? 0);
  const query = {
    text: sql,
    values: parameters.map(replaceNul),
    ...(name !== undefined && { name }),
    ...(isShorter && { query_timeout: limitMs }),
  };
  return await respond(client, () => client.query(query));
}

const noTimeLeft = () =>
  Object.assign(new Error("The request has no time left for the database"), { code: NO_RESPONSE });

/** PostgreSQL has no NUL in texts. What is to be stored was checked before, so this only makes a search find nothing. */
export const replaceNul = (value: unknown): unknown =>
  typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value;

/** With any connection of the pool. @throws Error like `connect` and `execute` */
export async function withConnection<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await connect(pool);
  try {
    return await respond(client, () => work(client));
  } finally {
    giveBack(client);
  }
}

/** One statement without parameters on any connection of the pool. */
export const executeOn = (pool: pg.Pool, sql: string) => withConnection(pool, (client) => client.query(sql));

/** Several statements without parameters in one message. */
export const executeAll = (client: pg.PoolClient, sql: string) => respond(client, () => client.query(sql));

/**
 * @param limitMs for waiting for a connection, if it is shorter than that of the pool
 * @throws Error with a code that `classifyPostgresError` knows: each reason can be mended without a restart
 */
export async function connect(pool: pg.Pool, limitMs = Number.POSITIVE_INFINITY): Promise<pg.PoolClient> {
  if (limitMs <= 0) throw noTimeLeft();
  const { connectionTimeoutMillis = 0 } = pool.options;
  const isShort = pool.idleCount === 0 && limitMs < connectionTimeoutMillis;
  const connecting = withCode(() => pool.connect()).catch(rejectConnection);
  if (!isShort) return connecting;
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(noTimeLeft());
    connecting.then(
      (client) => giveBack(client),
      () => {},
    );
  }, limitMs);
  return await Promise.race([connecting, late.promise]).finally(() => clearTimeout(timer));
}

function rejectConnection(error: unknown): never {
  if (classifyPostgresError(error) !== undefined) throw error;
  throw Object.assign(new Error(messageOf(error), { cause: error }), { code: CANNOT_CONNECT });
}

/** Destroys the connection if the statement runs into its limit on this side. */
async function respond<T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> {
  try {
    return await withCode(work);
  } catch (error) {
    if (codeOf(error) === NO_RESPONSE) abandon(client);
    // Each connection has its own prepared statements: another one prepares this one again.
    if (isPlanOutdated(error)) broken.add(client);
    throw error;
  }
}

/** The message of `pg` for a statement that ran into `query_timeout`. */
const READ_TIMEOUT = "Query read timeout";

/** `pg` reports a lost connection, an exhausted pool and a silent server without a code. */
async function withCode<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && codeOf(error) === undefined)
      Object.assign(error, { code: error.message === READ_TIMEOUT ? NO_RESPONSE : CONNECTION_LOST });
    throw error;
  }
}

/** Whether the server responds to a new connection within the time. */
export async function acceptsConnection(url: string, limitMs: number): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: limitMs });
  client.on("error", () => {});
  try {
    await client.connect();
    client.connection.stream.destroy();
    return true;
  } catch {
    return false;
  }
}

/** Host, port and database of a URL, without user and password, for messages. */
export function describeUrl(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  const host = isIP(hostname) === 6 ? `[${hostname}]` : hostname;
  return `${host || "localhost"}:${port || "5432"}${pathname}`;
}

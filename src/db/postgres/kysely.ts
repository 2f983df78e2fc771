/** Kysely on PostgreSQL: its own compiler, over connections that are taken from a pool or are already in a transaction. */
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from "kysely";
import type pg from "pg";
import type { Db } from "../kysely.ts";
import { currentRequest } from "../request-scope.ts";
import type { Schema } from "../schema.ts";
import { connect, execute, giveBack } from "./connection.ts";
import { CONNECTION_LOST, isPlanOutdated } from "./error-kind.ts";

/** Where statements run. */
interface Clients {
  acquire(): Promise<pg.PoolClient>;
  /** @param hasFailed whether one of its statements has */
  release(client: pg.PoolClient, hasFailed: boolean): void;
  /** A limit for the next statement on this side, if it is shorter than that of the pool. */
  limitMs?(): number | undefined;
}

/** @param admit called before every statement; throws if the statement must not run now */
export const createPostgresKysely = (pool: pg.Pool, admit: () => void = () => {}): Db =>
  createKyselyOn({
    async acquire() {
      admit();
      return connect(pool);
    },
    release: (client) => giveBack(client),
  });

/** Like `kyselyOver`, and the statements of a request share its time. */
export const createKyselyForRequests = (pool: pg.Pool, admit: () => void = () => {}): Db =>
  createKyselyOn({
    async acquire() {
      admit();
      const request = currentRequest();
      request?.beginWait();
      try {
        return await connect(pool, request?.remainingMs);
      } catch (error) {
        request?.endWait();
        throw error;
      }
    },
    release(client) {
      giveBack(client);
      currentRequest()?.endWait();
    },
    limitMs: () => currentRequest()?.remainingMs,
  });

export const createKyselyOn = (clients: Clients): Db =>
  new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new PostgresDriver(clients),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });

class PostgresDriver implements Driver {
  readonly #clients: Clients;
  readonly #held = new WeakMap<DatabaseConnection, Held>();

  constructor(clients: Clients) {
    this.#clients = clients;
  }

  /** Connections are opened when they are needed. */
  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const held: Held = { client: await this.#clients.acquire(), hasFailed: false };
    const connection = createConnection(held, this.#clients);
    this.#held.set(connection, held);
    return connection;
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const { isolationLevel, accessMode } = settings;
    const level = isolationLevel === undefined ? "" : ` isolation level ${isolationLevel}`;
    const mode = accessMode === undefined ? "" : ` ${accessMode}`;
    await connection.executeQuery(CompiledQuery.raw(`begin${level}${mode}`));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("commit"));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("rollback"));
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    const held = this.#held.get(connection);
    if (held?.client) this.#clients.release(held.client, held.hasFailed);
  }

  /** The code that opened the pool closes it. */
  async destroy(): Promise<void> {}
}

interface Held {
  /** Undefined if it couldn't be replaced. */
  client: pg.PoolClient | undefined;
  hasFailed: boolean;
}

const createConnection = (held: Held, clients: Clients): DatabaseConnection => {
  const run = async <R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> => {
    if (!held.client) throw Object.assign(new Error("The connection was lost"), { code: CONNECTION_LOST });
    const { rows, rowCount } = await execute(held.client, sql, parameters, clients.limitMs?.());
    return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
  };
  /** Whether a statement can be repeated on another connection: it has done nothing, and belongs to no transaction. */
  const isRepeatable = (error: unknown) =>
    isPlanOutdated(error) && held.client?.getTransactionStatus() === "I";
  return {
    async executeQuery<R>(query: CompiledQuery) {
      try {
        return await run<R>(query).catch(async (error: unknown) => {
          if (!isRepeatable(error)) throw error;
          await replaceClient(held, clients);
          return run<R>(query);
        });
      } catch (error) {
        held.hasFailed = true;
        throw error;
      }
    },
    streamQuery() {
      throw new Error("Long reads page by key; they are not streamed from an open statement");
    },
  };
};

async function replaceClient(held: Held, clients: Clients): Promise<void> {
  if (held.client) clients.release(held.client, true);
  held.client = undefined;
  held.client = await clients.acquire();
}

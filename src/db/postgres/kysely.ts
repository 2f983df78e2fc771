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
import type { Schema } from "../schema.ts";
import { connect, execute } from "./connection.ts";

/** Where statements run. */
interface Clients {
  acquire(): Promise<pg.ClientBase>;
  release(client: pg.ClientBase): void;
}

/** @param admit called before every statement; throws if the statement must not run now */
export function kyselyOver(pool: pg.Pool, admit: () => void = () => {}): Db {
  const taken = new Map<pg.ClientBase, pg.PoolClient>();
  return kyselyOn({
    async acquire() {
      admit();
      const client = await connect(pool);
      taken.set(client, client);
      return client;
    },
    release(client) {
      taken.get(client)?.release();
      taken.delete(client);
    },
  });
}

export const kyselyOn = (clients: Clients): Db =>
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
  readonly #held = new WeakMap<DatabaseConnection, pg.ClientBase>();

  constructor(clients: Clients) {
    this.#clients = clients;
  }

  /** Connections are opened when they are needed. */
  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const client = await this.#clients.acquire();
    const connection = connectionOver(client);
    this.#held.set(connection, client);
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
    const client = this.#held.get(connection);
    if (client) this.#clients.release(client);
  }

  /** The pool belongs to whoever has opened it. */
  async destroy(): Promise<void> {}
}

const connectionOver = (client: pg.ClientBase): DatabaseConnection => ({
  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, rowCount } = await execute(client, sql, parameters);
    return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
  },
  streamQuery() {
    throw new Error("Long reads page by key; they are not streamed from an open statement");
  },
});

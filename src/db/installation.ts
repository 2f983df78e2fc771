/** The record of the installation, one row: by its epoch, numbers that were read from the database can be compared. */
import { type RawBuilder, type Selectable, sql, type Updateable } from "kysely";
import { assertInstallation } from "./assert-installation.ts";
import type { Database } from "./database.ts";
import { type Db, isPostgres } from "./kysely.ts";
import { allOf, type Schema } from "./schema.ts";

/**
 * The epoch, and on PostgreSQL the table that has it: a dump that is restored below running instances brings back an
 * earlier epoch in a new table. For `select`, so that the identity is read together with the numbers.
 */
export const selectIdentity = (db: Db): RawBuilder<string> =>
  isPostgres(db)
    ? sql<string>`(select epoch || ' ' || tableoid || ' ' || pg_relation_filenode(tableoid) from installation)`
    : sql<string>`(select epoch from installation)`;

/** Undefined at a replica before its first row has arrived. */
async function readEpoch(db: Db): Promise<string | undefined> {
  return (await db.selectFrom("installation").select("epoch").executeTakeFirst())?.epoch;
}

/**
 * Whether a physical or logical replica has the rows of its primary. Not if it doesn't respond, still follows a former
 * primary, or has itself become one.
 */
export async function isReplicaOf(primary: Db, replica: Db): Promise<boolean> {
  const [own, other] = await Promise.all([readEpoch(primary), readEpoch(replica).catch(() => undefined)]);
  return own !== undefined && own === other;
}

export type Installation = Selectable<Schema["installation"]>;

export const readInstallation = (db: Db): Promise<Installation> =>
  db.selectFrom("installation").select(allOf("installation")).executeTakeFirstOrThrow();

/** Call this inside `commit`. */
export const updateInstallation = (writer: Db, change: Updateable<Schema["installation"]>) =>
  writer.updateTable("installation").set(change).execute();

/** @throws InstallationError for a database that has only part of its rows */
export async function assertMoveFinished(db: Db): Promise<void> {
  const { movingFrom } = await readInstallation(db);
  assertInstallation({ move_unfinished: movingFrom !== null });
}

/**
 * For a database whose rows were written by other means than its own changes. What waits to be delivered may be delivered
 * from where they came, and is held.
 * @param epoch random, never used before
 */
export const renewEpoch = ({ commit, writer }: Pick<Database, "commit" | "writer">, epoch: string) =>
  commit(async () => {
    await updateInstallation(writer, { epoch });
    await writer.updateTable("outbox").set({ state: "held" }).where("state", "=", "waiting").execute();
  });

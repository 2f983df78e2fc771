/** Group commit on a SQLite file with a single table, and what others see of it. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { onTestFinished } from "vitest";
import { GroupCommit } from "../../src/db/group-commit.ts";
import { type Connection, openReader, openWriter } from "../../src/db/sqlite/connection.ts";
import { createSqliteKysely } from "../../src/db/sqlite/kysely.ts";
import { withStatementCache } from "../../src/db/sqlite/statement-cache.ts";
import { SqliteWriter } from "../../src/db/sqlite/writer.ts";
import { createTempFolder } from "./temp-folder.ts";

export function setUpNotes({ maxBatchMs = Number.POSITIVE_INFINITY } = {}) {
  const file = join(createTempFolder(), "notes.sqlite");
  const connection = openWriter(file);
  connection.exec("create table notes (id integer primary key, body text not null unique)");
  const others = openReader(file);
  onTestFinished(() => {
    others.close();
    connection.close();
  });
  const group = new GroupCommit(new SqliteWriter(connection), { maxBatchMs });
  const db = createSqliteKysely(withStatementCache(connection), () => group.rejectOutsiders());
  const commitsBefore = countWalCommits(file);
  return {
    file,
    connection,
    group,
    /** What another connection sees. */
    seen: () => bodiesIn(others),
    commits: () => countWalCommits(file) - commitsBefore,
    insert: (body: string) => sql`insert into notes (body) values (${body})`.execute(db),
  };
}

const bodiesIn = (connection: Connection): unknown[] =>
  connection.prepare("select body from notes order by id").pluck().all();

/** `ok` or the message with which a write was refused. */
export const outcomes = async (writes: readonly Promise<unknown>[]): Promise<string[]> =>
  (await Promise.allSettled(writes)).map((write) =>
    write.status === "fulfilled" ? "ok" : String(write.reason.message),
  );

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/** @param database the path of the database; its WAL must not have been restarted since it was made */
function countWalCommits(database: string): number {
  const wal = readFileSync(`${database}-wal`);
  const frameBytes = FRAME_HEADER_BYTES + wal.readUInt32BE(8);
  let commits = 0;
  for (let at = HEADER_BYTES; at + frameBytes <= wal.length; at += frameBytes) {
    // Only the last frame of a transaction names the size of the database.
    if (wal.readUInt32BE(at + 4) > 0) commits += 1;
  }
  return commits;
}

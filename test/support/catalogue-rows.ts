/** Writes rows of the catalogue for which there is no operation yet, as a catalogue write does: with its version. */
import { sql } from "kysely";
import type { Db } from "../../src/db/kysely.ts";
import { createSystemAuthor } from "../../src/repositories/change.ts";
import type { TestApp } from "./app.ts";

type App = Pick<TestApp, "container">;

export async function writeRows(
  { container: { database } }: App,
  work: (db: Db) => Promise<unknown>,
): Promise<void> {
  await database.commit(async () => {
    await work(database.writer);
    await sql`update "catalogue_version" set "version" = "version" + 1`.execute(database.writer);
  });
}

/** Archives a book, or brings it back. */
export async function setActive({ container }: App, bookId: string, isActive: 0 | 1): Promise<void> {
  const { bookLifecycle } = container.services;
  if (isActive === 1) await bookLifecycle.restore(createSystemAuthor("test"), bookId);
  else await bookLifecycle.archive(createSystemAuthor("test"), bookId);
}

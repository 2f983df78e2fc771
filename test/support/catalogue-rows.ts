/** Changes of the catalogue for which there is no operation yet: rows with their version, as a catalogue write has it. */
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

/** The row of a book in the place of its number. */
export const createBookRow = (id: string, number: number) => ({
  id,
  slug: `book-${number}`,
  titleEn: `Book ${number}`,
  description: "",
  sortOrder: number,
  legacyDownloadCount: 0,
  isActive: 1 as const,
  searchText: "",
  createdAt: 1,
  updatedAt: 1,
});

/** From now on, each read of the catalogue's version fails, and with it all that depends on the database. */
export const breakDatabase = ({ container: { database } }: App): Promise<unknown> =>
  database.commit(() =>
    sql`alter table "catalogue_version" rename column "version" to "lost"`.execute(database.writer),
  );

/** Archives a book, or brings it back. */
export async function setActive({ container }: App, bookId: string, isActive: 0 | 1): Promise<void> {
  const { bookLifecycle } = container.services;
  if (isActive === 1) await bookLifecycle.restore(createSystemAuthor("test"), bookId);
  else await bookLifecycle.archive(createSystemAuthor("test"), bookId);
}

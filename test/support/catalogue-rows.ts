/** Writes rows of the catalogue for which there is no operation yet, as a catalogue write does: with its version. */
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Db } from "../../src/db/kysely.ts";
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
export const setActive = (app: App, bookId: string, isActive: 0 | 1): Promise<void> =>
  writeRows(app, (db) => db.updateTable("books").set({ isActive }).where("id", "=", bookId).execute());

/** A channel. @returns its id */
export async function addChannel(app: App, slug: string, isActive: 0 | 1 = 1): Promise<string> {
  const id = randomUUID();
  const texts = { name: slug, slug, description: "", url: "" };
  const row = { id, ...texts, sortOrder: 1, isActive, createdAt: 0, updatedAt: 0 };
  await writeRows(app, (db) => db.insertInto("channels").values(row).execute());
  return id;
}

/** Publishes a book on a channel for a language. */
export const publish = (app: App, bookId: string, channelId: string, languageId: number): Promise<void> =>
  writeRows(app, (db) =>
    db.insertInto("publications").values({ bookId, channelId, languageId, createdAt: 0 }).execute(),
  );

/** Shows or hides a book in a sub-language; `null` inherits. */
export const setVisibility = (
  app: App,
  languageId: number,
  bookId: string,
  isVisible: 0 | 1 | null,
): Promise<void> =>
  writeRows(app, async (db) => {
    await db
      .deleteFrom("book_visibility")
      .where("bookId", "=", bookId)
      .where("languageId", "=", languageId)
      .execute();
    if (isVisible === null) return;
    await db.insertInto("book_visibility").values({ languageId, bookId, isVisible, createdAt: 0 }).execute();
  });

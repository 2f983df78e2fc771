/** Keeps the index of the searched texts of books, in the transaction that changes them. */
import { createYielder } from "../../lib/event-loop.ts";
import type { Connection } from "./connection.ts";

/** Their indexing takes a few milliseconds, during which nothing else runs. */
const BOOKS_AT_ONCE = 25;

const NOTE = `begin
    insert into book_trigrams_due (bookId)
      select new.bookId where not exists (select 1 from book_trigrams_due where bookId = new.bookId);
    select note_book_text();
  end;`;

/**
 * Changed texts are noted by triggers of the connection that writes, which every change passes, and indexed once, at the end
 * of their transaction. A trigger of the schema would run in any program that opens the file, and the service rejects databases
 * with triggers. An upsert replaces `or ignore` in a trigger by its own rule.
 */
const NOTES = `
  create temp table if not exists book_trigrams_due (place integer primary key, bookId text not null unique);
  create temp trigger if not exists book_trigrams_insert after insert on main.book_texts ${NOTE}
  create temp trigger if not exists book_trigrams_update after update of searchText on main.book_texts ${NOTE}
  create temp trigger if not exists book_trigrams_delete before delete on main.book_texts begin
    delete from book_trigrams where rowid = (select number from book_numbers where bookId = old.bookId);
  end;`;

export class BookTrigrams {
  readonly #run: ReturnType<typeof prepareStatements>;
  /** Whether there can be notes. Most transactions change no text. */
  #isNoted = false;

  /** @param connection that writes, to a migrated database */
  constructor(connection: Connection) {
    connection.function("note_book_text", () => {
      this.#isNoted = true;
      return null;
    });
    connection.exec(NOTES);
    this.#run = prepareStatements(connection);
  }

  /** Call it before each commit. */
  async indexChanged(): Promise<void> {
    if (!this.#isNoted) return;
    const yieldToEventLoop = createYielder();
    while (this.#indexSome()) await yieldToEventLoop();
    this.#isNoted = false;
  }

  /** @returns whether there are more */
  #indexSome(): boolean {
    const last = this.#run.findLast.get(BOOKS_AT_ONCE);
    if (typeof last !== "number") return false;
    this.#run.number.run(last);
    this.#run.remove.run(last);
    this.#run.index.run(last);
    this.#run.forget.run(last);
    return this.#run.findLast.get(1) !== null;
  }
}

const prepareStatements = (connection: Connection) => ({
  findLast: connection
    .prepare<[number], number | null>(
      "select max(place) from (select place from book_trigrams_due order by place limit ?)",
    )
    .pluck(),
  number: connection.prepare<[number]>(
    `insert into book_numbers (bookId) select bookId from book_trigrams_due join book_texts using (bookId)
     where place <= ? and not exists (select 1 from book_numbers where book_numbers.bookId = book_texts.bookId)`,
  ),
  remove: connection.prepare<[number]>(
    `delete from book_trigrams where rowid in (
       select number from book_trigrams_due join book_numbers using (bookId) where place <= ?)`,
  ),
  // Two characters after the last one, so that each character and each pair begins a trigram.
  index: connection.prepare<[number]>(
    `insert into book_trigrams (rowid, searchText) select number, searchText || char(10, 10)
     from book_trigrams_due join book_numbers using (bookId) join book_texts using (bookId) where place <= ?`,
  ),
  forget: connection.prepare<[number]>("delete from book_trigrams_due where place <= ?"),
});

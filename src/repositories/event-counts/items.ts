/** What events delivered: a single book, or a whole language with the books that its archive held. */
import { Dictionary } from "./dictionary.ts";

export interface Item {
  /** What tells it from others: the book or the archive, and the count. */
  key: string;
  /** As the events say it: what they are counted as. */
  booksCount: number;
  /** Whether it is one book by itself. */
  isAlone: boolean;
  /** Numbers of the books. */
  members: readonly number[];
}

export class Items {
  readonly books: Dictionary<string>;
  readonly #numbers = new Map<string, number>();
  readonly #list: Item[] = [];

  constructor(books: Iterable<string> = [], items: Iterable<Item> = []) {
    this.books = new Dictionary(books, 2 ** 24);
    for (const item of items) this.#add(item);
  }

  get list(): readonly Item[] {
    return this.#list;
  }

  bookItem(bookId: string | null, booksCount: number): number {
    const key = `${booksCount} ${bookId ?? ""}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const members = bookId === null ? [] : [this.books.numberOf(bookId)];
    return this.#add({ key, booksCount, isAlone: true, members });
  }

  has(archive: string, booksCount: number): boolean {
    return this.#numbers.has(`${booksCount} ${archive}`);
  }

  /**
   * @param bookIds asked only for an archive that isn't known yet
   */
  archiveItem(archive: string, booksCount: number, bookIds: () => readonly string[]): number {
    const key = `${booksCount} ${archive}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const members = bookIds().map((bookId) => this.books.numberOf(bookId));
    return this.#add({ key, booksCount, isAlone: false, members });
  }

  /** Whether it is the only item of its book alone, as all are unless somebody counts a book as several. */
  isPlain(number: number): boolean {
    const item = this.#list[number];
    return item?.isAlone === true && item.booksCount === 1;
  }

  /** 1 for each item that delivered the book, by its number. */
  itemsWith(book: number): Uint8Array {
    return Uint8Array.from(this.#list, ({ members }) => (members.includes(book) ? 1 : 0));
  }

  #add(item: Item): number {
    const number = this.#list.length;
    this.#numbers.set(item.key, number);
    this.#list.push(item);
    return number;
  }
}

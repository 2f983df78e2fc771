/** Numbers for words and for delivered items: a single book, or a whole language with the books of its archive. */

/** Columns store the number, and the dictionary maps it to the word. */
export class Dictionary<W> {
  /** By number. */
  readonly words: W[] = [];
  readonly #numbers = new Map<W, number>();
  readonly #most: number;

  /** @param most number of distinct words that the column can hold */
  constructor(most = 2 ** 16) {
    this.#most = most;
  }

  /**
   * The number of a word; a new word gets the next number.
   * @throws RangeError if all numbers are in use
   */
  addWord(word: W): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    const number = this.words.length;
    if (number >= this.#most) throw new RangeError(`A column has room for ${this.#most} different values`);
    this.#numbers.set(word, number);
    this.words.push(word);
    return number;
  }

  /** The number of a word; undefined if no row has it. */
  find(word: W): number | undefined {
    return this.#numbers.get(word);
  }
}

export interface Item {
  /** The number of books that the event records. */
  booksCount: number;
  /** Whether it is a single book. */
  isAlone: boolean;
  /** The numbers of its books. */
  members: readonly number[];
}

export class Items {
  readonly books = new Dictionary<string>(2 ** 24);
  /** By the number of books and the id. */
  readonly #numbers = new Map<number, Map<string, number>>();
  /** By number. */
  readonly list: Item[] = [];

  addBookItem(bookId: string | null, booksCount: number): number {
    const bookIds = bookId === null ? [] : [bookId];
    return this.#addItem(bookId ?? "", { booksCount, isAlone: true, bookIds: () => bookIds });
  }

  has(archive: string, booksCount: number): boolean {
    return this.#numbers.get(booksCount)?.has(archive) ?? false;
  }

  /** @param bookIds called only for an unknown archive */
  addArchiveItem(archive: string, booksCount: number, bookIds: () => readonly string[]): number {
    return this.#addItem(archive, { booksCount, isAlone: false, bookIds });
  }

  /** Whether it is the only item for its single book, which is the case unless events count the book as several. */
  isPlain(number: number): boolean {
    const item = this.list[number];
    return item?.isAlone === true && item.booksCount === 1;
  }

  /** By item number: 1 for each item that contains the book. */
  findItemsWith(book: number): Uint8Array {
    return Uint8Array.from(this.list, ({ members }) => (members.includes(book) ? 1 : 0));
  }

  #addItem(
    id: string,
    { bookIds, ...item }: Omit<Item, "members"> & { bookIds: () => readonly string[] },
  ): number {
    const numbers = this.#numbers.getOrInsertComputed(item.booksCount, () => new Map<string, number>());
    const known = numbers.get(id);
    if (known !== undefined) return known;
    const members = bookIds().map((bookId) => this.books.addWord(bookId));
    numbers.set(id, this.list.length);
    return this.list.push({ ...item, members }) - 1;
  }
}

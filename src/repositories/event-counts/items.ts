/** Numbers for words, and for what events delivered: a single book, or a whole language with the books of its archive. */

/** Columns hold the number, the dictionary the word. */
export class Dictionary<W> {
  readonly #numbers = new Map<W, number>();
  readonly #words: W[] = [];
  readonly #most: number;

  /** @param most how many words the column has numbers for */
  constructor(most = 2 ** 16) {
    this.#most = most;
  }

  get words(): readonly W[] {
    return this.#words;
  }

  /**
   * The word's number; a new word gets the next one.
   * @throws RangeError when there are no numbers left
   */
  numberOf(word: W): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    const number = this.#words.length;
    if (number >= this.#most) throw new RangeError(`A column can't tell more than ${this.#most} words apart`);
    this.#numbers.set(word, number);
    this.#words.push(word);
    return number;
  }

  /** Undefined for a word that no row has. */
  find(word: W): number | undefined {
    return this.#numbers.get(word);
  }
}

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
  readonly books = new Dictionary<string>(2 ** 24);
  readonly #numbers = new Map<string, number>();
  readonly #list: Item[] = [];

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

/** Numbers for words: columns hold the number, the dictionary the word. */

export class Dictionary<W> {
  readonly #numbers = new Map<W, number>();
  readonly #words: W[] = [];
  readonly #most: number;

  /** @param most how many words the column has numbers for */
  constructor(words: Iterable<W> = [], most = 2 ** 16) {
    this.#most = most;
    for (const word of words) this.numberOf(word);
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

/** The parts of a picture that are kept: copied one after the other, because a file can have a million of them. */

/** More than what replaces metadata can be longer. */
const ROOM = 256;

export class KeptBytes {
  readonly #given: Buffer;
  readonly #kept: Buffer;
  #length = 0;

  constructor(given: Buffer) {
    this.#given = given;
    this.#kept = Buffer.allocUnsafe(given.length + ROOM);
  }

  /** A part as it is; of a truncated one, what is there. */
  keep(start: number, end = this.#given.length): void {
    if (start >= this.#given.length) return;
    this.#length += this.#given.copy(this.#kept, this.#length, start, Math.min(end, this.#given.length));
  }

  insert(bytes: Buffer): void {
    this.#length += bytes.copy(this.#kept, this.#length);
  }

  /** Where the next part begins. */
  get length(): number {
    return this.#length;
  }

  toBuffer(): Buffer {
    return this.#kept.subarray(0, this.#length);
  }
}

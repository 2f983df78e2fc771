/** The books that contacts got through whole languages, as sets of bits: those of archives, and unions of them. */
import { z } from "zod";
import { int32s } from "./growing-lists.ts";
import type { Items } from "./items.ts";

const WORD_BITS = 32;
const BYTE_VALUES = 256;

export const itemGrouping = z.object({
  by: z.literal("item"),
  size: z.int(),
  /** By item, the number of its only book. */
  bookOf: int32s,
  /** Of a set. */
  words: z.int(),
  /** The sets of the items, then an empty one, then room for a union. */
  bits: int32s,
});
export type ItemGrouping = z.infer<typeof itemGrouping>;

export function itemsOf({ list, books }: Items): ItemGrouping {
  const words = Math.ceil(books.words.length / WORD_BITS);
  const bits = new Int32Array((list.length + 2) * words);
  for (const [item, { members }] of list.entries()) {
    for (const book of members) {
      const word = item * words + Math.floor(book / WORD_BITS);
      bits[word] = (bits[word] ?? 0) | (1 << book);
    }
  }
  const bookOf = Int32Array.from(list, ({ members }) => members[0] ?? 0);
  return { by: "item", size: list.length, bookOf, words, bits };
}

/** A set is named by where its words begin in the bits of the grouping. */
export class BookSets {
  readonly empty: number;
  readonly #deps: ItemGrouping;
  /** How often a byte of a set has gained these bits at once, by its place and its value: few steps for many books. */
  readonly #gains: Int32Array;

  constructor(deps: ItemGrouping) {
    this.#deps = deps;
    const { size, words } = deps;
    this.empty = size * words;
    this.#gains = new Int32Array(words * 4 * BYTE_VALUES);
  }

  of(item: number): number {
    return item * this.#deps.words;
  }

  /** The set with the books of one more item; what it gains is noted. It holds until the next union. */
  unite(set: number, item: number): number {
    const bits = this.#deps.bits;
    const gains = this.#gains;
    const more = this.of(item);
    const union = this.empty + this.#deps.words;
    for (let word = 0; word < this.#deps.words; word += 1) {
      const old = bits[set + word] ?? 0;
      const gained = (bits[more + word] ?? 0) & ~old;
      bits[union + word] = old | gained;
      for (let byte = 0; byte < 4; byte += 1) {
        const at = (word * 4 + byte) * BYTE_VALUES + ((gained >>> (8 * byte)) & 0xff);
        gains[at] = (gains[at] ?? 0) + 1;
      }
    }
    return union;
  }

  /** How often each book was gained. */
  gains(): Float64Array {
    return Float64Array.from({ length: this.#deps.words * WORD_BITS }, (_, book) => {
      const byte = Math.floor(book / 8) * BYTE_VALUES;
      let gains = 0;
      for (let value = 0; value < BYTE_VALUES; value += 1) {
        if (((value >>> (book % 8)) & 1) === 1) gains += this.#gains[byte + value] ?? 0;
      }
      return gains;
    });
  }
}

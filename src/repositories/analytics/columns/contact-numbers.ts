/** Numbers for contacts. Their ids are UUIDs: sixteen bytes each, where a Map of texts would take a hundred. */
import { growing32, grown } from "./growing-lists.ts";

/** The contact of events without one: they are counted, but nobody is. */
export const NOBODY = 0;

const WORDS_AN_ID = 4;
/** A quarter of the slots is free at least, or looking for a free one would take long. */
const SLOTS_A_CONTACT = 4 / 3;
/** By which the ids grow: those of some thousand contacts. */
const MORE_WORDS = 2 ** 14;
const MOST_CONTACTS = 2 ** 26;
const FREE = 0;

/** For the ids of so many contacts, nobody's among them. */
export function roomForIds(contacts: number): Uint32Array<SharedArrayBuffer> {
  const ids = growing32(WORDS_AN_ID * MOST_CONTACTS);
  const words = WORDS_AN_ID * contacts;
  return new Uint32Array(grown(ids, words), 0, words);
}

export class ContactNumbers {
  /** By number, `WORDS_AN_ID` each; zeros for nobody, and for ids that aren't UUIDs. */
  #ids: Uint32Array<SharedArrayBuffer>;
  #size: number;
  /** Numbers, at the place that the id's hash says or at the next free one. */
  #slots = new Uint32Array(0);
  readonly #others: Map<string, number>;
  readonly #sought = new Uint32Array(WORDS_AN_ID);

  constructor(ids = roomForIds(1), others: Iterable<readonly [id: string, number: number]> = []) {
    this.#ids = ids;
    this.#size = ids.length / WORDS_AN_ID;
    this.#others = new Map(others);
    this.#makeSlots();
  }

  get size(): number {
    return this.#size;
  }

  /** Those that the constructor takes, to be read. */
  get ids(): Uint32Array<SharedArrayBuffer> {
    return this.#ids.subarray(0, WORDS_AN_ID * this.#size);
  }

  get others(): [id: string, number: number][] {
    return [...this.#others];
  }

  /** The contact's number; a new one gets the next. */
  numberOf(id: string | null): number {
    if (id === null) return NOBODY;
    if (!parseUuid(id, this.#sought)) return this.#numberOfOther(id);
    const slot = this.#slotOf(this.#sought, 0);
    const known = this.#slots[slot] ?? FREE;
    if (known !== FREE) return known;
    const number = this.#addNumber();
    this.#ids.set(this.#sought, WORDS_AN_ID * number);
    this.#slots[slot] = number;
    if (this.#size * SLOTS_A_CONTACT > this.#slots.length) this.#makeSlots();
    return number;
  }

  #numberOfOther(id: string): number {
    const known = this.#others.get(id);
    if (known !== undefined) return known;
    const number = this.#addNumber();
    this.#others.set(id, number);
    return number;
  }

  #addNumber(): number {
    const length = WORDS_AN_ID * (this.#size + 1);
    if (length > this.#ids.length) {
      const room = length + MORE_WORDS;
      this.#ids = new Uint32Array(grown(this.#ids, room), 0, room);
    }
    return this.#size++;
  }

  #makeSlots(): void {
    const room = Math.max(1024, SLOTS_A_CONTACT * this.#size);
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(room)));
    for (let number = 1; number < this.#size; number += 1) {
      this.#slots[this.#slotOf(this.#ids, WORDS_AN_ID * number)] = number;
    }
  }

  /** Where the id whose words are in `words` from `at` on has its slot, or may have it. */
  #slotOf(words: Uint32Array, at: number): number {
    const [one = 0, two = 0, three = 0, four = 0] = [words[at], words[at + 1], words[at + 2], words[at + 3]];
    const [ids, slots] = [this.#ids, this.#slots];
    const mask = slots.length - 1;
    for (let slot = hashOf(one, two, three, four) & mask; ; slot = (slot + 1) & mask) {
      const number = slots[slot] ?? FREE;
      const place = WORDS_AN_ID * number;
      if (number === FREE) return slot;
      if (ids[place] === one && ids[place + 1] === two && ids[place + 2] === three && ids[place + 3] === four)
        return slot;
    }
  }
}

function hashOf(one: number, two: number, three: number, four: number): number {
  let hash = Math.imul(one ^ (two >>> 15), 0x85ebca6b) ^ two;
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35) ^ three;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) ^ four;
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

const DASH = 0x2d;
const DIGITS = Int8Array.from({ length: 128 }, (_, code) =>
  "0123456789abcdef".indexOf(String.fromCharCode(code)),
);

/** Reads a UUID in its usual form, in small letters. @returns whether it is one, other than the one of zeros */
function parseUuid(text: string, words: Uint32Array): boolean {
  if (text.length !== 36) return false;
  let digits = 0;
  let word = 0;
  let all = 0;
  for (let index = 0; index < 36; index += 1) {
    const code = text.charCodeAt(index);
    if (index === 8 || index === 13 || index === 18 || index === 23) {
      if (code !== DASH) return false;
      continue;
    }
    const digit = DIGITS[code] ?? -1;
    if (digit < 0) return false;
    word = (word << 4) | digit;
    digits += 1;
    if (digits % 8 === 0) {
      words[digits / 8 - 1] = word;
      all |= word;
    }
  }
  return all !== 0;
}

/** Numbers for rows of 32-bit words: in a few bytes each, and outside the heap of a thread, which is limited. */
import { lengthen32 } from "./rows.ts";

const FIRST_SLOTS = 1024;
const GROWTH = 1.25;

export class RowNumbers {
  /** By column of the rows, and in it by number. They have room for further rows. */
  readonly columns: Uint32Array<ArrayBuffer>[];
  /** Number of rows. */
  length = 0;
  /** A hash table of the numbers plus one; 0 is free. At most half of it is in use. */
  #slots = new Uint32Array(FIRST_SLOTS);

  constructor(width: number) {
    this.columns = Array.from({ length: width }, () => new Uint32Array(0));
  }

  /** The number of a row; a new row gets the next one. */
  addRow(row: readonly number[]): number {
    const slot = this.#findSlot(row);
    const known = this.#slots[slot] ?? 0;
    if (known > 0) return known - 1;
    const number = this.length;
    this.#reserve();
    for (const [index, column] of this.columns.entries()) column[number] = row[index] ?? 0;
    this.length += 1;
    this.#slots[slot] = this.length;
    if (this.length * 2 > this.#slots.length) this.#grow();
    return number;
  }

  #reserve(): void {
    const room = this.columns[0]?.length ?? 0;
    if (this.length < room) return;
    for (const [index, column] of this.columns.entries())
      this.columns[index] = lengthen32(column, Math.ceil((room + 16) * GROWTH));
  }

  #grow(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2);
    for (let number = 0; number < this.length; number += 1) {
      const row = this.columns.map((column) => column[number] ?? 0);
      this.#slots[this.#findSlot(row)] = number + 1;
    }
  }

  /** The slot of the row's number, or the free one in which it belongs. */
  #findSlot(row: readonly number[]): number {
    const last = this.#slots.length - 1;
    let slot = mix(row) & last;
    for (let known = this.#slots[slot] ?? 0; known > 0; known = this.#slots[slot] ?? 0) {
      if (this.columns.every((column, index) => column[known - 1] === row[index])) break;
      slot = (slot + 1) & last;
    }
    return slot;
  }
}

const mix = (row: readonly number[]): number => {
  const mixed = row.reduce((hash, word) => Math.imul((hash ^ word) + 1, 0x9e3779b1) ^ (hash >>> 15), 0);
  return mixed ^ (mixed >>> 16);
};

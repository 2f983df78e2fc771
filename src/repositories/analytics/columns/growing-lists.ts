/** Lists of numbers in memory that threads share. They grow where they are: only address space is reserved for them. */

export type GrowingList =
  | Uint32Array<SharedArrayBuffer>
  | Uint16Array<SharedArrayBuffer>
  | Uint8Array<SharedArrayBuffer>;

export const growing32 = (most: number): Uint32Array<SharedArrayBuffer> =>
  new Uint32Array(reserved(4 * most));
export const growing16 = (most: number): Uint16Array<SharedArrayBuffer> =>
  new Uint16Array(reserved(2 * most));
export const growing8 = (most: number): Uint8Array<SharedArrayBuffer> => new Uint8Array(reserved(most));

/** A list of that length is put on it anew: one without a length, which follows by itself, is slower to read. */
export function grown({ buffer, BYTES_PER_ELEMENT }: GrowingList, length: number): SharedArrayBuffer {
  buffer.grow(BYTES_PER_ELEMENT * length);
  return buffer;
}

/** Grows a list of whatever width. */
export function longer(list: GrowingList, length: number): GrowingList {
  const buffer = grown(list, length);
  if (list instanceof Uint32Array) return new Uint32Array(buffer, 0, length);
  return list instanceof Uint16Array ? new Uint16Array(buffer, 0, length) : new Uint8Array(buffer, 0, length);
}

/** The list itself if it can hold the number, else a copy that can and may grow to `most` numbers. */
export function wideEnough(list: GrowingList, number: number, most: number): GrowingList {
  if (number < 2 ** (8 * list.BYTES_PER_ELEMENT)) return list;
  const wide = longer(number < 2 ** 16 ? growing16(most) : growing32(most), list.length);
  wide.set(list);
  return wide;
}

const reserved = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(0, { maxByteLength: bytes });

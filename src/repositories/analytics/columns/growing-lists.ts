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

const reserved = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(0, { maxByteLength: bytes });

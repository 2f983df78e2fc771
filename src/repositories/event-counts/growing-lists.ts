/** Lists of numbers in memory that threads share. They grow where they are: only address space is reserved for them. */
import { z } from "zod";

export type Growing32 = Uint32Array<SharedArrayBuffer>;
export type Growing16 = Uint16Array<SharedArrayBuffer>;
export type Growing8 = Uint8Array<SharedArrayBuffer>;
export type GrowingList = Growing32 | Growing16 | Growing8;

export const growing32 = (most: number): Growing32 => new Uint32Array(reserved(4 * most));
export const growing16 = (most: number): Growing16 => new Uint16Array(reserved(2 * most));
export const growing8 = (most: number): Growing8 => new Uint8Array(reserved(most));

/**
 * The list with room for more numbers, put on anew: one without a length, which follows by itself, is slower to read.
 */
export function longer(list: Growing32, length: number): Growing32;
export function longer(list: Growing16, length: number): Growing16;
export function longer(list: GrowingList, length: number): GrowingList;
export function longer(list: GrowingList, length: number): GrowingList {
  const { buffer, BYTES_PER_ELEMENT } = list;
  buffer.grow(BYTES_PER_ELEMENT * length);
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

// Schemas of lists of numbers as threads hand them to each other, in shared memory or not.

export const uint8s = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
export const uint16s = z.custom<Uint16Array>((value) => value instanceof Uint16Array);
export const uint32s = z.custom<Uint32Array>((value) => value instanceof Uint32Array);
/** Of whatever width. */
export const numbers = z.union([uint8s, uint16s, uint32s]);
export type Numbers = z.infer<typeof numbers>;
export const int32s = z.custom<Int32Array>((value) => value instanceof Int32Array);
export const float64s = z.custom<Float64Array>((value) => value instanceof Float64Array);

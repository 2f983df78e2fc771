/** Schemas of lists of numbers as threads hand them to each other, in shared memory or not. */
import { z } from "zod";

export const uint8s = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
export const uint16s = z.custom<Uint16Array>((value) => value instanceof Uint16Array);
export const uint32s = z.custom<Uint32Array>((value) => value instanceof Uint32Array);
/** Of whatever width. */
export const numbers = z.union([uint8s, uint16s, uint32s]);
export type Numbers = z.infer<typeof numbers>;
export const int32s = z.custom<Int32Array>((value) => value instanceof Int32Array);
export const float64s = z.custom<Float64Array>((value) => value instanceof Float64Array);

/** Chance, from the operating system's generator. */
import { randomInt } from "node:crypto";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** `length` characters out of 62, each equally likely. */
export const randomBase62 = (length: number): string =>
  Array.from({ length }, () => BASE62.charAt(randomInt(BASE62.length))).join("");

/** A whole number from 0 up to, but not including, `limit`. */
export const randomBelow = (limit: number): number => randomInt(limit);

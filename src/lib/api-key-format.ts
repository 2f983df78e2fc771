/** The shape of an API key: `bds_`, 40 random base62 characters, 6 of their checksum. */
import { crc32 } from "node:zlib";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const CHECKSUM_LENGTH = 6;
const SHAPE = /^bds_([0-9A-Za-z]{40})([0-9A-Za-z]{6})$/;

/** The CRC-32 of the random part in 6 base62 characters, highest first; 62^6 is above 2^32, so it always fits. */
export function apiKeyChecksum(random: string): string {
  let rest = crc32(random);
  let checksum = "";
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    checksum = DIGITS.charAt(rest % DIGITS.length) + checksum;
    rest = Math.floor(rest / DIGITS.length);
  }
  return checksum;
}

/** Whether a text can be an API key at all. Typing errors and random guesses fail here, before any look-up. */
export function hasApiKeyShape(key: string): boolean {
  const [, random, checksum] = SHAPE.exec(key) ?? [];
  return random !== undefined && checksum === apiKeyChecksum(random);
}

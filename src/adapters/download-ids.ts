/** The numbers of download events as links carry them: without the key nobody can count by them. */
import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";

/** One block of AES holds a number and as many zeros, which tell a real one from a made-up one. */
const BLOCK_BYTES = 16;
const NUMBER_BYTES = 8;
const CIPHER = "aes-128-ecb";

export class DownloadIds {
  readonly #key: Buffer;

  constructor({ secret }: { secret: string }) {
    this.#key = Buffer.from(hkdfSync("sha256", secret, "book-distribution-service", "download-id", 16));
  }

  /** The same text each time: 22 characters of base64url. */
  seal(id: number): string {
    const block = Buffer.alloc(BLOCK_BYTES);
    block.writeBigUInt64BE(BigInt(id));
    // A single block that no other follows: there is nothing that a chaining mode could add.
    const cipher = createCipheriv(CIPHER, this.#key, null).setAutoPadding(false);
    return Buffer.concat([cipher.update(block), cipher.final()]).toString("base64url");
  }

  /** The number of what `seal` has made; undefined for everything else. */
  open(text: string): number | undefined {
    const sealed = Buffer.from(text, "base64url");
    if (sealed.length !== BLOCK_BYTES || sealed.toString("base64url") !== text) return undefined;
    const decipher = createDecipheriv(CIPHER, this.#key, null).setAutoPadding(false);
    const block = Buffer.concat([decipher.update(sealed), decipher.final()]);
    const id = Number(block.readBigUInt64BE());
    const isOurs = block.subarray(NUMBER_BYTES).every((byte) => byte === 0) && Number.isSafeInteger(id);
    return isOurs ? id : undefined;
  }
}

/** Encrypts texts that the database keeps and only this service may read, with a key from AUTH_SECRET. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { ISSUER } from "./tokens.ts";

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export class SealedTexts {
  readonly #key: Buffer;

  /** @param deps.purpose texts that were sealed for another purpose can't be opened */
  constructor({ secret, purpose }: { secret: string; purpose: string }) {
    this.#key = Buffer.from(hkdfSync("sha256", secret, ISSUER, `sealed:${purpose}`, KEY_BYTES));
  }

  /** @param context where the text belongs, such as the id of its row: it can't be opened elsewhere */
  seal(text: string, context: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
  }

  /** Undefined for a text that was sealed with another secret or in another context, or is damaged. */
  open(sealed: string, context: string): string | undefined {
    const bytes = Buffer.from(sealed, "base64url");
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
    const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
    const decipher = createDecipheriv(CIPHER, this.#key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
    try {
      const opened = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([opened, decipher.final()]).toString("utf8");
    } catch {
      return undefined;
    }
  }
}

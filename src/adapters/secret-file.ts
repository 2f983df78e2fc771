/** The secret that everything signed depends on: made on the first start, kept in DATA_DIR for its owner only. */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const SECRET_BYTES = 48;

/** Reads the secret of a data folder, making it first where there is none. */
export function secretOf(dataDir: string): string {
  const path = join(dataDir, "auth-secret");
  if (!existsSync(path)) {
    writeFileSync(path, `${randomBytes(SECRET_BYTES).toString("base64url")}\n`, {
      mode: 0o600,
      flag: "wx",
      flush: true,
    });
  }
  const secret = readFileSync(path, "utf8").trim();
  if (secret.length < 32)
    throw new Error(`${path} is damaged: it should hold a secret of at least 32 characters`);
  return secret;
}

/** The secret that everything signed depends on: made on the first start, kept in DATA_DIR for its owner only. */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "../config.ts";
import { SECRET_FILE } from "../lib/data-dir-names.ts";
import { explain } from "../schemas/messages.ts";
import { secret as secretText } from "../schemas/variables.ts";

const SECRET_BYTES = 48;

/**
 * Reads the secret of a data folder, making it first where there is none.
 * @throws ConfigError when the file holds what AUTH_SECRET itself may not be
 */
export function secretOf(dataDir: string): string {
  const path = join(dataDir, SECRET_FILE);
  if (!existsSync(path)) makeSecret(path);
  const secret = secretText.safeParse(readFileSync(path, "utf8").trim(), { error: explain });
  if (secret.success) return secret.data;
  const reasons = secret.error.issues.map(({ message }) => message).join(", ");
  throw new ConfigError([
    `AUTH_SECRET: the secret in ${path} ${reasons}. Restore the file, or remove it: a new secret is made, and all users have to log in again.`,
  ]);
}

/** Renamed into place, so that a crash can't leave half a secret behind. */
function makeSecret(path: string): void {
  const unfinished = `${path}.unfinished`;
  writeFileSync(unfinished, `${newSecret()}\n`, { mode: 0o600, flush: true });
  renameSync(unfinished, path);
}

/** Chance, too, writes a forbidden word once in a long time. */
function newSecret(): string {
  for (;;) {
    const made = randomBytes(SECRET_BYTES).toString("base64url");
    if (secretText.safeParse(made).success) return made;
  }
}

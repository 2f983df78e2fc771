/** The secret that everything signed depends on: made on the first start, kept in DATA_DIR for its owner only. */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "../config.ts";
import { SECRET_FILE } from "../lib/data-dir-names.ts";

const SECRET_BYTES = 48;
const LEAST_CHARACTERS = 32;

/**
 * Reads the secret of a data folder, making it first where there is none.
 * @throws ConfigError when the file holds less than a secret
 */
export function secretOf(dataDir: string): string {
  const path = join(dataDir, SECRET_FILE);
  if (!existsSync(path)) makeSecret(path);
  const secret = readFileSync(path, "utf8").trim();
  if (secret.length < LEAST_CHARACTERS) {
    throw new ConfigError([
      `AUTH_SECRET: ${path} should hold at least ${LEAST_CHARACTERS} characters. Restore it, or remove it: everybody then logs in anew.`,
    ]);
  }
  return secret;
}

/** Renamed into place, so that a crash can't leave half a secret behind. */
function makeSecret(path: string): void {
  const unfinished = `${path}.unfinished`;
  writeFileSync(unfinished, `${randomBytes(SECRET_BYTES).toString("base64url")}\n`, {
    mode: 0o600,
    flush: true,
  });
  renameSync(unfinished, path);
}

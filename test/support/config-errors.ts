/** What is wrong with settings. */
import { generateKeyPairSync } from "node:crypto";
import { expect } from "vitest";
import { ConfigError, readConfig } from "../../src/config.ts";

export const DKIM_KEY = generateKeyPairSync("ed25519")
  .privateKey.export({ type: "pkcs8", format: "pem" })
  .toString();

/** The lines of the error, without the heading. */
export function errorsOf(variables: Readonly<Record<string, string>>): string[] {
  try {
    readConfig(variables);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const [heading, ...errors] = error.message.split("\n");
    expect(heading).toBe("The configuration is not valid:");
    return errors.map((line) => line.trim());
  }
  return [];
}

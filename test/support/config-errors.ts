/** What is wrong with settings. */
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { expect } from "vitest";
import { ConfigError, readConfig } from "../../src/config.ts";

export const pemOf = ({ privateKey }: { privateKey: KeyObject }): string =>
  privateKey.export({ type: "pkcs8", format: "pem" }).toString();

export const DKIM_KEY = pemOf(generateKeyPairSync("rsa", { modulusLength: 2048 }));

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

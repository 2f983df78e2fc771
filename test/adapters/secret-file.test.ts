import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readOrCreateSecret } from "../../src/adapters/private-files.ts";
import { ConfigError, readConfig } from "../../src/config.ts";
import { createTempFolder } from "../support/temp-folder.ts";

describe("the secret of a data folder", () => {
  it("is created once, for its owner only, and as strong as a configured one must be", () => {
    const folder = createTempFolder();
    const secret = readOrCreateSecret(folder);
    expect(readConfig({ AUTH_SECRET: secret }).authSecret).toBe(secret);
    expect(Buffer.from(secret, "base64url")).toHaveLength(48);
    expect(readdirSync(folder)).toEqual(["auth-secret"]);
    expect(statSync(join(folder, "auth-secret")).mode & 0o777).toBe(0o600);
    expect(readOrCreateSecret(folder)).toBe(secret);
    expect(readOrCreateSecret(createTempFolder())).not.toBe(secret);
  });

  it("can be provided by the operator", () => {
    const folder = createTempFolder();
    writeFileSync(join(folder, "auth-secret"), "  the operator's own words, 32 or more\r\n");
    expect(readOrCreateSecret(folder)).toBe("the operator's own words, 32 or more");
  });

  it("isn't confused with an incomplete one after a crash", () => {
    const folder = createTempFolder();
    writeFileSync(join(folder, "auth-secret.unfinished"), "half");
    const secret = readOrCreateSecret(folder);
    expect(secret).toHaveLength(64);
    expect(readdirSync(folder)).toEqual(["auth-secret"]);
  });

  it.each(["", "\n", "x".repeat(31), "a".repeat(40), "change-me-7Vd0Zk2mXr9LbT4wYc6NfHs1J"])(
    "is rejected under the rules for AUTH_SECRET, and not replaced: %j",
    (weak) => {
      const folder = createTempFolder();
      const file = join(folder, "auth-secret");
      writeFileSync(file, weak);
      expect(() => readOrCreateSecret(folder)).toThrow(ConfigError);
      expect(() => readOrCreateSecret(folder)).toThrow(`AUTH_SECRET: the secret in ${file} `);
      expect(readFileSync(file, "utf8")).toBe(weak);
    },
  );
});

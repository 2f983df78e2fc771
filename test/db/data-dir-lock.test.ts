import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ConfigError } from "../../src/config.ts";
import { lockDataDir } from "../../src/db/sqlite/data-dir.ts";
import { createTempFolder } from "../support/temp-folder.ts";

describe("the lock on a data folder", () => {
  it("creates the folder, for its owner only", () => {
    const directory = join(createTempFolder(), "deep", "data");
    lockDataDir(directory)[Symbol.dispose]();
    expect(statSync(directory).mode & 0o777).toBe(0o700);
  });

  it("can't be acquired twice until it is released", () => {
    const directory = createTempFolder();
    const lock = lockDataDir(directory);
    expect(() => lockDataDir(directory)).toThrow(expect.objectContaining({ code: "data_dir_in_use" }));
    expect(() => lockDataDir(directory)).toThrow(`Another server is already running on ${directory}`);
    lock[Symbol.dispose]();
    lockDataDir(directory)[Symbol.dispose]();
  });

  it("names the folder that can't be used, and the reason", () => {
    const file = join(createTempFolder(), "file");
    writeFileSync(file, "");
    const directory = join(file, "data");
    expect(() => lockDataDir(directory)).toThrow(ConfigError);
    expect(() => lockDataDir(directory)).toThrow(`DATA_DIR: ${directory} can't be used: ENOTDIR`);
  });
});

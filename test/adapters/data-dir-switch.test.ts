import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DataDirSwitch, rejectHalfRestored } from "../../src/backup/data-dir-switch.ts";
import { ConfigError } from "../../src/config.ts";
import { contentsOf } from "../support/backups.ts";
import { tempFolder } from "../support/temp-folder.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const TIME = "2026-03-01T120000.000Z";

/** Files by their paths. */
function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

const OLD = {
  "database.sqlite-wal": "old log",
  "database.sqlite": "old",
  "files/ab/abc": "old bytes",
  "auth-secret": "old secret",
  "favicon.png": "old icon",
};
const NEW = { "database.sqlite": "new", "files/cd/cde": "new bytes", "favicon.svg": "new icon" };
const OTHERS = { "backups/one": "a backup", "GeoLite2-City.mmdb": "cities" };

/** What is there in the end, whenever the switch was broken off. */
const encoded = (files: Readonly<Record<string, string>>, below = "") =>
  Object.fromEntries(
    Object.entries(files).map(([path, text]) => [below + path, Buffer.from(text).toString("base64")]),
  );
const DONE = { ...encoded(NEW), ...encoded(OTHERS), ...encoded(OLD, `before-restore-${TIME}/`) };

function oldFolder(): string {
  const folder = tempFolder();
  write(folder, { ...OLD, ...OTHERS, "cache/kept.zip": "of the old events" });
  return folder;
}

describe("restored data", () => {
  it("takes the place of what was there, which is kept; what is derived from it goes", async () => {
    const folder = oldFolder();
    const { aside } = await new DataDirSwitch(folder).replaceBy(NOW, async (part) => write(part, NEW));
    expect(aside).toBe(join(folder, `before-restore-${TIME}`));
    expect(contentsOf(folder)).toEqual(DONE);
    expect(existsSync(join(folder, "cache"))).toBe(false);
  });

  it("goes into an empty folder", async () => {
    const folder = tempFolder();
    const { aside } = await new DataDirSwitch(folder).replaceBy(NOW, async (part) => write(part, NEW));
    expect(aside).toBeUndefined();
    expect(contentsOf(folder)).toEqual(encoded(NEW));
    expect(readdirSync(folder).sort()).toEqual(["database.sqlite", "favicon.svg", "files"]);
  });

  it("changes nothing when it can't be made", async () => {
    const folder = oldFolder();
    const before = contentsOf(folder);
    const failing = new DataDirSwitch(folder).replaceBy(NOW, async (part) => {
      write(part, NEW);
      throw new Error("the disk is full");
    });
    await expect(failing).rejects.toThrow("the disk is full");
    expect(contentsOf(folder)).toEqual(before);
    expect(readdirSync(folder).filter((name) => name.startsWith("restore-"))).toEqual([]);
  });
});

describe("a switch that was broken off", () => {
  it("while the data was being copied, is forgotten", async () => {
    const folder = oldFolder();
    const before = contentsOf(folder);
    write(join(folder, `restore-${TIME}.part`), NEW);
    await rejectHalfRestored(folder);
    expect(await new DataDirSwitch(folder).finish()).toBe(false);
    expect(contentsOf(folder)).toEqual(before);
  });

  const entries = ["database.sqlite-wal", "database.sqlite", "files", "auth-secret", "favicon.png"];
  it.each(entries.map((_, index) => index).concat(entries.length))(
    "after %d entries were moved aside, is finished",
    async (count) => {
      const folder = oldFolder();
      write(join(folder, `restore-${TIME}.ready`), NEW);
      const aside = join(folder, `before-restore-${TIME}`);
      if (count > 0) mkdirSync(aside);
      for (const name of entries.slice(0, count)) renameSync(join(folder, name), join(aside, name));
      await expect(rejectHalfRestored(folder)).rejects.toThrow(ConfigError);
      expect(await new DataDirSwitch(folder).finish()).toBe(true);
      expect(contentsOf(folder)).toEqual(DONE);
      await rejectHalfRestored(folder);
      expect(await new DataDirSwitch(folder).finish()).toBe(false);
    },
  );

  const restored = ["database.sqlite", "favicon.svg", "files"];
  it.each([0, 1, 2, 3])("after %d entries were moved to their place, is finished", async (count) => {
    const folder = tempFolder();
    write(folder, OTHERS);
    write(join(folder, `before-restore-${TIME}`), OLD);
    const waiting = join(folder, `restore-${TIME}.switching`);
    write(waiting, NEW);
    for (const name of restored.slice(0, count)) renameSync(join(waiting, name), join(folder, name));
    await expect(rejectHalfRestored(folder)).rejects.toThrow("is being restored");
    expect(await new DataDirSwitch(folder).finish()).toBe(true);
    expect(contentsOf(folder)).toEqual(DONE);
    expect(existsSync(waiting)).toBe(false);
  });
});

/** Restores: what comes back, and damaged backups, of which nothing is used. */
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { openWriter } from "../../src/db/sqlite/connection.ts";
import { lockDataDir } from "../../src/db/sqlite/data-dir.ts";
import { migrate } from "../../src/db/sqlite/migrator.ts";
import { OperatorError } from "../../src/errors.ts";
import { BackupFolder } from "../../src/operation/backup/backup-folder.ts";
import { makeBackup, restoreBackup, verifyBackup } from "../../src/operation/backup/commands.ts";
import { silent } from "../../src/operation/progress.ts";
import { startApp } from "../support/app.ts";
import { flipByte, openToOthers, readContents, SWAP_INDEXES } from "../support/backups.ts";
import { createTxt, expectStored, hashBytes } from "../support/stored-files.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const HASH = hashBytes(createTxt("the well"));
const BYTES = join("files", HASH.slice(0, 2), HASH);

async function backedUp() {
  const app = await startApp();
  await app.make.published("Well", "en", "the well");
  writeFileSync(join(app.dataDir, "favicon.svg"), "<svg/>");
  mkdirSync(join(app.dataDir, "pages"));
  writeFileSync(join(app.dataDir, "pages", "en.json"), "{}");
  const { path } = await makeBackup({ dataDir: app.dataDir, out: join(createTempFolder(), "out") });
  return { app, path };
}

const newFolder = (): string => join(createTempFolder(), "data");

describe("a restore", () => {
  it("restores everything, so that the service runs on it as before", async () => {
    const { path } = await backedUp();
    const dataDir = join(createTempFolder(), "deep", "data");
    expect(await restoreBackup(dataDir, path)).toMatchObject({ foreignData: [] });
    expect(openToOthers(dataDir)).toEqual([]);
    await expectStored(dataDir, createTxt("the well"));
    expect(readFileSync(join(dataDir, "favicon.svg"), "utf8")).toBe("<svg/>");
    expect(readFileSync(join(dataDir, "pages", "en.json"), "utf8")).toBe("{}");
    const { api, container } = await startApp({}, { dataDir });
    expect((await api.get("/api/books")).body.books).toMatchObject([{ slug: "well" }]);
    expect(await container.services.doctor.examine({ deep: true, cloud: false })).toMatchObject({
      isHealthy: true,
    });
  });

  it("accepts an empty folder, as on a new file system or after an interrupted restore", async () => {
    const { path } = await backedUp();
    const dataDir = newFolder();
    mkdirSync(join(dataDir, "lost+found"), { recursive: true });
    lockDataDir(dataDir)[Symbol.dispose]();
    await restoreBackup(dataDir, path);
    const names = ["database.sqlite", "favicon.svg", "files", "lost+found", "pages", "server.lock"];
    expect(readdirSync(dataDir).sort()).toEqual(names);
  });

  it.each(["database.sqlite", "files/tmp/1", "auth-secret", "backups/one/manifest.json", "notes.txt"])(
    "rejects a folder that contains %s, and changes nothing in it",
    async (name) => {
      const { path } = await backedUp();
      const dataDir = newFolder();
      mkdirSync(join(dataDir, name, ".."), { recursive: true });
      writeFileSync(join(dataDir, name), "what was there");
      const before = readContents(dataDir);
      const restored = restoreBackup(dataDir, path);
      await expect(restored).rejects.toThrow(OperatorError);
      await expect(restored).rejects.toThrow("isn't empty (DATA_DIR)");
      expect(readContents(dataDir)).toEqual(before);
    },
  );

  it("doesn't activate sessions that an earlier secret has signed", async () => {
    const { app, path } = await backedUp();
    const admin = await app.make.login("admin");
    expect((await admin.get("/api/auth/session")).body.user).toMatchObject({ role: "admin" });
    expect(Object.keys(readContents(path)).some((name) => name.includes("secret"))).toBe(false);
    const dataDir = newFolder();
    await restoreBackup(dataDir, path);
    expect(existsSync(join(dataDir, "auth-secret"))).toBe(false);
    await startApp({}, { dataDir });
    const own = readFileSync(join(app.dataDir, "auth-secret"), "utf8");
    expect(readFileSync(join(dataDir, "auth-secret"), "utf8")).not.toBe(own);
  });

  it("of an older version's database is migrated at the next start", async () => {
    const [older, dataDir] = [createTempFolder(), join(createTempFolder(), "data")];
    const first = join(createTempFolder(), "migrations");
    mkdirSync(first);
    const [initial = ""] = readdirSync("migrations").sort();
    for (const name of [initial, "support"])
      cpSync(join("migrations", name), join(first, name), { recursive: true });
    symlinkSync(resolve("node_modules"), join(first, "..", "node_modules"));
    const connection = openWriter(join(older, "database.sqlite"));
    await migrate(connection, join(older, "backups"), first);
    connection.close();
    const { path, manifest } = await makeBackup({ dataDir: older, out: join(older, "backups") });
    expect(manifest.migrations).toEqual(["0001-initial"]);
    await restoreBackup(dataDir, path);
    const { container } = await startApp({}, { dataDir });
    expect(container.database.migration.applied).toContain("0002-audit-log");
  });
});

type Damage = [what: string, damage: (path: string) => void, message: string];
const damages: Damage[] = [
  ["a bit of the database", (path) => flipByte(join(path, "database.sqlite")), "database.sqlite was changed"],
  ["a bit of a file", (path) => flipByte(join(path, BYTES)), "book.txt: The stored bytes don't match"],
  ["a bit of an icon", (path) => flipByte(join(path, "favicon.svg")), "favicon.svg was changed"],
  ["a missing database", (path) => rmSync(join(path, "database.sqlite")), "database.sqlite is missing"],
  ["a missing file", (path) => rmSync(join(path, BYTES)), "book.txt: The stored bytes are missing"],
  [
    "all files missing",
    (path) => rmSync(join(path, "files"), { recursive: true }),
    "The stored bytes are missing",
  ],
  ["a missing icon", (path) => rmSync(join(path, "favicon.svg")), "favicon.svg is missing"],
  ["a changed text", (path) => flipByte(join(path, "pages", "en.json")), "pages/en.json was changed"],
  [
    "a text too much",
    (path) => writeFileSync(join(path, "pages", "de.json"), "{}"),
    "de.json doesn't belong",
  ],
  ["a missing manifest", (path) => rmSync(join(path, "manifest.json")), "contains no backup"],
  ["a file too much", (path) => writeFileSync(join(path, "more"), ""), "more doesn't belong"],
  ["a strange file among the bytes", (path) => writeFileSync(join(path, BYTES, "..", "x"), ""), "x doesn't"],
  ["a strange folder of bytes", (path) => mkdirSync(join(path, "files", "xyz")), "xyz doesn't belong"],
  ["a file in place of a folder", (path) => writeFileSync(join(path, "files", "00"), ""), "00 doesn't"],
  ["an upload left over", (path) => writeFileSync(join(path, "files/tmp/1"), ""), "1 doesn't belong"],
  ["bytes that nothing names", (path) => leaveBytes(path, "more"), "belongs to no file and no cover"],
  ["a database cut short", (path) => truncateSync(join(path, "database.sqlite"), 4096), "was changed"],
  ["a file cut short", (path) => truncateSync(join(path, BYTES), 3), "missing or have another size"],
  ["a longer file", (path) => appendFileSync(join(path, BYTES), "more"), "missing or have another size"],
  [
    "a manifest cut short",
    (path) => truncateSync(join(path, "manifest.json"), 99),
    "manifest.json isn't one",
  ],
  ["an empty manifest", (path) => truncateSync(join(path, "manifest.json"), 0), "manifest.json isn't one"],
  ["a huge manifest", (path) => truncateSync(join(path, "manifest.json"), 2e6), "manifest.json isn't one"],
  ["another time", (path) => rewrite(path, /T(\d\d):/, "T99:"), "manifest.json was changed"],
  ["another schema", (path) => rewrite(path, /"0002-audit-log",\s*/, ""), "manifest.json was changed"],
  ["a field more", (path) => rewrite(path, /\{/, '{ "more": 1,'), "manifest.json isn't one"],
  ["a link in place of bytes", (path) => linkBytes(path), "doesn't belong to the backup"],
];

function leaveBytes(path: string, text: string): void {
  const sha256 = hashBytes(createTxt(text));
  mkdirSync(join(path, "files", sha256.slice(0, 2)), { recursive: true });
  writeFileSync(join(path, "files", sha256.slice(0, 2), sha256), text);
}

function rewrite(path: string, part: RegExp, by: string): void {
  const manifest = join(path, "manifest.json");
  writeFileSync(manifest, readFileSync(manifest, "utf8").replace(part, by));
}

function linkBytes(path: string): void {
  const elsewhere = join(path, "..", "elsewhere");
  renameSync(join(path, BYTES), elsewhere);
  symlinkSync(elsewhere, join(path, BYTES));
}

describe("a backup with", () => {
  it.each(damages)("%s is rejected, and nothing is written", async (_, damage, message) => {
    const { path } = await backedUp();
    const [empty, absent] = [createTempFolder(), newFolder()];
    damage(path);
    const damaged = readContents(path);
    await expect(restoreBackup(empty, path)).rejects.toThrow(message);
    await expect(restoreBackup(absent, path)).rejects.toThrow(message);
    expect(readContents(empty)).toEqual({});
    expect(readContents(path)).toEqual(damaged);
    expect(existsSync(absent)).toBe(false);
  });

  it.each([
    ["database.sqlite", "Copying the database", "database.sqlite has changed during the copy"],
    [BYTES, "Copying files", "The stored bytes of book.txt"],
  ])("a change in %s after its verification is rejected", async (name, step, message) => {
    const { path } = await backedUp();
    const dataDir = newFolder();
    const begin = (doing: string) => doing === step && flipByte(join(path, name));
    await expect(restoreBackup(dataDir, path, { ...silent, begin })).rejects.toThrow(message);
    expect(readdirSync(dataDir)).toEqual(["server.lock"]);
  });

  it("any other bit in its manifest is rejected", async () => {
    const { path } = await backedUp();
    const manifest = join(path, "manifest.json");
    const sound = readFileSync(manifest);
    const taken: number[] = [];
    for (let bit = 0; bit < sound.length * 8; bit += 31) {
      const bytes = Buffer.from(sound);
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      writeFileSync(manifest, bytes);
      await verifyBackup(path).then(
        () => taken.push(bit),
        () => {},
      );
    }
    expect(taken).toEqual([]);
    writeFileSync(manifest, sound);
    await verifyBackup(path);
  });

  it("a newer schema is rejected with the version that made it", async () => {
    const { app, path } = await backedUp();
    const manifest = await verifyBackup(path);
    const dataDir = newFolder();
    rmSync(join(path, "manifest.json"));
    const folder = new BackupFolder({ path, newId: app.container.newId });
    await folder.seal({ ...manifest, migrations: [...manifest.migrations, "0099-newer"] });
    await expect(restoreBackup(dataDir, path)).rejects.toThrow(
      "A newer version of this service created the database (it has 0099-newer",
    );
    writeFileSync(join(path, "manifest.json"), '{ "format": 2 }');
    await expect(restoreBackup(dataDir, path)).rejects.toThrow(
      "A newer version of this service created the backup",
    );
    expect(existsSync(dataDir)).toBe(false);
  });

  it("a manifest of another schema than its database's is rejected, even with the right checksum", async () => {
    const { app, path } = await backedUp();
    const manifest = await verifyBackup(path);
    rmSync(join(path, "manifest.json"));
    const folder = new BackupFolder({ path, newId: app.container.newId });
    await folder.seal({ ...manifest, migrations: ["0001-initial"] });
    await expect(verifyBackup(path)).rejects.toThrow("its schema doesn't match the manifest");
  });

  it.each([
    [
      "rows that refer to nothing",
      "update book_files set bookId = 'unknown'",
      "a row of book_files refers to",
    ],
    ["an index that lacks its rows", SWAP_INDEXES, "its database is damaged (row 1 missing from index"],
  ])("%s is rejected, even with the right checksums", async (_, statement, message) => {
    const { app, path } = await backedUp();
    const manifest = await verifyBackup(path);
    const copy = openWriter(join(path, "database.sqlite"));
    copy.pragma("foreign_keys = off");
    copy.unsafeMode().exec(statement);
    copy.pragma("journal_mode = delete");
    copy.close();
    rmSync(join(path, "manifest.json"));
    const folder = new BackupFolder({ path, newId: app.container.newId });
    await folder.seal({ ...manifest, database: await folder.computeChecksum("database.sqlite") });
    await expect(verifyBackup(path)).rejects.toThrow(message);
  });
});

/** Backups: what is in them, what they refuse to be made of, and which of them stay. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readLastBackup } from "../../src/adapters/last-backup.ts";
import { openReader, openWriter } from "../../src/db/sqlite/connection.ts";
import { lockFile } from "../../src/db/sqlite/data-dir.ts";
import { makeBackup, verifyBackup } from "../../src/operation/backup/commands.ts";
import { silent } from "../../src/operation/progress.ts";
import { appVersion } from "../../src/version.ts";
import { startApp } from "../support/app.ts";
import { flipByte, openToOthers } from "../support/backups.ts";
import { createTxt, expectStored, hashBytes } from "../support/stored-files.ts";
import { createTempFolder } from "../support/temp-folder.ts";

/** Where the bytes of a text lie in a data folder, and in a backup. */
const pathOf = (text: string): string => {
  const sha256 = hashBytes(createTxt(text));
  return join("files", sha256.slice(0, 2), sha256);
};

async function filled() {
  const app = await startApp();
  const { book, file } = await app.make.published("Well", "en", "the well");
  return { app, book, file, dataDir: app.dataDir, out: join(createTempFolder(), "out") };
}

/** A real disk of that size; undefined without the right to mount one. */
function smallDisk(size: string): string | undefined {
  const path = createTempFolder();
  if (spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", path]).status !== 0) return undefined;
  onTestFinished(() => void spawnSync("umount", ["-l", path]));
  return path;
}

const namesIn = (out: string) => readdirSync(out).filter((name) => name !== "backup.lock");

describe("a backup", () => {
  it("contains the database, the bytes to which it refers and the operator's icon, for its owner only", async () => {
    const { app, dataDir, out } = await filled();
    writeFileSync(join(dataDir, "favicon.svg"), "<svg/>");
    writeFileSync(join(dataDir, "cache", "kept.zip"), "derived");
    const { path, manifest } = await makeBackup({ dataDir, out });
    expect(path.startsWith(join(out, "backup-20"))).toBe(true);
    expect(readdirSync(path).sort()).toEqual(["database.sqlite", "favicon.svg", "files", "manifest.json"]);
    await expectStored(path, createTxt("the well"));
    expect(openToOthers(out)).toEqual([]);
    expect(manifest).toMatchObject({ format: 1, appVersion, files: { count: 1, sizeBytes: 8 } });
    expect(manifest.migrations).toContain("0001-initial");
    const copy = openReader(join(path, "database.sqlite"));
    expect(copy.prepare("select titleEn from books").pluck().all()).toEqual(["Well"]);
    expect(copy.pragma("journal_mode", { simple: true })).toBe("delete");
    copy.close();
    expect(await verifyBackup(path)).toEqual(manifest);
    expect(await readLastBackup(dataDir)).toEqual({ createdAt: manifest.createdAt, path });
    expect(existsSync(join(app.dataDir, "auth-secret"))).toBe(true);
  });

  it("includes what was committed before it began, even if it is still in the write-ahead log", async () => {
    const { app, dataDir, out } = await filled();
    await app.make.book("The last one");
    const { path } = await makeBackup({ dataDir, out });
    const copy = openReader(join(path, "database.sqlite"));
    expect(copy.prepare("select count(*) from books").pluck().get()).toBe(2);
    copy.close();
  });

  it("is of one moment: writes during the copy of the database aren't in it", async () => {
    const { dataDir, out } = await filled();
    const writer = openWriter(join(dataDir, "database.sqlite"));
    const write = (doing: string) => {
      if (doing === "Copying the database") writer.exec("update books set titleEn = 'Later'");
    };
    const { path } = await makeBackup({ dataDir, out, progress: { ...silent, begin: write } });
    expect(writer.prepare("select titleEn from books").pluck().all()).toEqual(["Later"]);
    writer.close();
    const copy = openReader(join(path, "database.sqlite"));
    expect(copy.prepare("select titleEn from books").pluck().all()).toEqual(["Well"]);
    copy.close();
  });

  it("is complete while files are added and deleted", async () => {
    const { app, book, dataDir, out } = await filled();
    const admin = await app.admin();
    let isOver = false;
    let number = 0;
    const comeAndGo = async () => {
      while (!isOver) {
        number += 1;
        const { id } = await app.make.textFile(book.id, "en", `text ${number}`);
        const response = await admin.delete(`/api/admin/books/${book.id}/files/${id}`);
        expect(response.status).toBe(200);
      }
    };
    const busy = Promise.all([comeAndGo(), comeAndGo(), comeAndGo()]);
    for (let round = 0; round < 5; round += 1) {
      const { path } = await makeBackup({ dataDir, out });
      await verifyBackup(path);
    }
    isOver = true;
    await busy;
    expect(namesIn(out)).toHaveLength(5);
  });

  it("reports its steps to a callback", async () => {
    const { dataDir, out } = await filled();
    const steps: [string, number][] = [];
    const progress = { ...silent, begin: (doing: string, total: number) => void steps.push([doing, total]) };
    await makeBackup({ dataDir, out, progress });
    expect(steps).toEqual([
      ["Copying files", 1],
      ["Copying the database", expect.toSatisfy((pages) => pages > 50)],
      ["Checking the copy of the database", 0],
      ["Reading the copied files", 1],
    ]);
  });
});

describe("a backup fails and leaves nothing", () => {
  it("if bytes are missing, and earlier backups stay", async () => {
    const { dataDir, out } = await filled();
    const { path } = await makeBackup({ dataDir, out });
    rmSync(join(dataDir, pathOf("the well")));
    const error = {
      code: "bytes_missing",
      message: expect.stringMatching(/^The stored bytes of book\.txt .*check-data/),
    };
    await expect(makeBackup({ dataDir, out, keep: 1 })).rejects.toMatchObject(error);
    expect(namesIn(out).map((name) => join(out, name))).toEqual([path]);
    await verifyBackup(path);
  });

  it("if bytes have changed", async () => {
    const { dataDir, out } = await filled();
    writeFileSync(join(dataDir, pathOf("the well")), "the WELL");
    await expect(makeBackup({ dataDir, out })).rejects.toMatchObject({ code: "bytes_changed" });
    expect(namesIn(out)).toEqual([]);
    expect(await readLastBackup(dataDir)).toBeUndefined();
  });

  it.each([
    ["Checking the copy of the database", "database.sqlite"],
    ["Reading the copied files", pathOf("the well")],
  ])("if the disk doesn't keep what was written: %s", async (step, name) => {
    const { dataDir, out } = await filled();
    const damage = (doing: string) => {
      if (doing === step) flipByte(join(out, namesIn(out)[0] ?? "", name));
    };
    const progress = { ...silent, begin: damage };
    await expect(makeBackup({ dataDir, out, progress })).rejects.toMatchObject({ code: "backup_damaged" });
    expect(namesIn(out)).toEqual([]);
    expect(await readLastBackup(dataDir)).toBeUndefined();
  });

  it.for(["Copying files", "Copying the database"])("if the disk becomes full: %s", async (step, context) => {
    const { dataDir } = await filled();
    const out = smallDisk("8m");
    if (out === undefined) return context.skip();
    const fill = (doing: string) => {
      if (doing === step) spawnSync("dd", ["if=/dev/zero", `of=${join(out, "others")}`]);
    };
    const progress = { ...silent, begin: fill };
    await expect(makeBackup({ dataDir, out, progress })).rejects.toMatchObject({ status: 507 });
    expect(namesIn(out)).toEqual(["others"]);
  });

  it("if there isn't enough room: the disk isn't filled", async (context) => {
    const { app, book, dataDir } = await filled();
    await app.make.textFile(book.id, "en", "a longer text ".repeat(100_000));
    const out = smallDisk("1m");
    if (out === undefined) return context.skip();
    const message = expect.stringMatching(/^A backup needs \d\.\d MiB; .* has [01]\.\d MiB free\.$/);
    const steps: string[] = [];
    const progress = { ...silent, begin: (doing: string) => void steps.push(doing) };
    await expect(makeBackup({ dataDir, out, progress })).rejects.toMatchObject({ status: 507, message });
    expect([namesIn(out), steps]).toEqual([[], []]);
  });

  it("if the database is of a newer version", async () => {
    const { dataDir, out } = await filled();
    const newer = openWriter(join(dataDir, "database.sqlite"));
    newer.exec("insert into kysely_migration values ('0099-newer', '2030-01-01')");
    newer.close();
    await expect(makeBackup({ dataDir, out })).rejects.toThrow("newer version");
    expect(existsSync(out)).toBe(false);
  });

  it("while another one is running in the same folder", async () => {
    const { dataDir, out } = await filled();
    mkdirSync(out);
    const lock = lockFile(join(out, "backup.lock"));
    await expect(makeBackup({ dataDir, out })).rejects.toMatchObject({ code: "backup_running" });
    lock?.[Symbol.dispose]();
    await makeBackup({ dataDir, out });
  });
});

describe("--keep", () => {
  it("removes the oldest after the new one is verified, and nothing that isn't a backup", async () => {
    const { dataDir, out } = await filled();
    const paths: string[] = [];
    for (let round = 0; round < 3; round += 1) paths.push((await makeBackup({ dataDir, out })).path);
    writeFileSync(join(out, "before-0002-x.sqlite"), "a copy from before a migration");
    mkdirSync(join(out, "backup-notes"));
    const { path, removed } = await makeBackup({ dataDir, out, keep: 2 });
    expect(removed).toEqual(paths.slice(0, 2));
    const left = [paths[2], path, join(out, "backup-notes"), join(out, "before-0002-x.sqlite")];
    expect(
      namesIn(out)
        .map((name) => join(out, name))
        .sort(),
    ).toEqual(left.sort());
  });

  it("never removes the new one, even if the clock was ahead earlier", async () => {
    const { dataDir, out } = await filled();
    mkdirSync(join(out, "backup-2999-01-01T000000.000Z"), { recursive: true });
    const { path, removed } = await makeBackup({ dataDir, out, keep: 1 });
    expect(removed).toEqual([join(out, "backup-2999-01-01T000000.000Z")]);
    await verifyBackup(path);
  });

  it("removes what a crash has left of a backup or of a removal", async () => {
    const { dataDir, out } = await filled();
    for (const ending of ["part", "removed"]) {
      mkdirSync(join(out, `backup-2026-01-01T000000.000Z.${ending}`, "files"), { recursive: true });
    }
    const { path } = await makeBackup({ dataDir, out });
    expect(namesIn(out).map((name) => join(out, name))).toEqual([path]);
  });
});

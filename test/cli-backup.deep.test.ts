/** Backups and restores from the command line, beside a real server: while it writes, while it runs, and after a kill. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { openWriter } from "../src/db/sqlite/connection.ts";
import { makeBackup, verifyBackup } from "../src/operation/backup/commands.ts";
import { createBook, createFilledFolder, readContents, SWAP_INDEXES } from "./support/backups.ts";
import { giveAway } from "./support/other-user.ts";
import { CLI, runCli, TEST_PROCESS } from "./support/run-cli.ts";
import { ServiceProcess } from "./support/service-process.ts";
import { hashBytes } from "./support/stored-files.ts";
import { createTempFolder } from "./support/temp-folder.ts";

const newDataDir = (): string => join(createTempFolder(), "data");
const run = (dataDir: string, ...args: string[]) => runCli({ args, variables: { DATA_DIR: dataDir } });

async function serverOn(dataDir: string) {
  const service = new ServiceProcess({ DATA_DIR: dataDir, RATE_LIMIT_SUBMIT: "0" });
  return { service, base: await service.waitUntilListening() };
}

/** Waits until something is there, as long as the test may take. */
async function until(isThere: () => boolean): Promise<void> {
  while (!isThere()) await new Promise((resolve) => setTimeout(resolve, 1));
}

const namesIn = (folder: string, ending: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(ending)) : [];

/** Starts a command and kills it as soon as `when` is so. */
async function kill(dataDir: string, args: readonly string[], when: () => boolean): Promise<void> {
  const env = { PATH: process.env.PATH, ...TEST_PROCESS, DATA_DIR: dataDir };
  const child = spawn(process.execPath, [CLI, ...args], { env, stdio: "ignore" });
  const ended = once(child, "exit");
  await until(() => when() || child.exitCode !== null);
  child.kill("SIGKILL");
  expect(await ended).toEqual([null, "SIGKILL"]);
}

/** Asks for the book as a reader. */
async function submit(base: string, email: string): Promise<void> {
  const response = await fetch(`${base}/api/download/submit`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ slug: "the-book", languageCode: "en", contact: { email, firstName: "Sara" } }),
  });
  expect(response.status, await response.text()).toBe(200);
}

/** Writes over the first page of a table. */
function damagePageOf(file: string, table: string): void {
  const database = openWriter(file);
  const root = Number(
    database.prepare("select rootpage from sqlite_master where name = ?").pluck().get(table),
  );
  const size = Number(database.pragma("page_size", { simple: true }));
  database.close();
  const bytes = readFileSync(file);
  bytes.fill(0xff, (root - 1) * size, root * size);
  writeFileSync(file, bytes);
}

const published = z.object({ books: z.array(z.object({ titleEn: z.string() })) });
const titlesAt = async (base: string): Promise<string[]> =>
  published.parse(await (await fetch(`${base}/api/books`)).json()).books.map(({ titleEn }) => titleEn);

describe("bookdist backup", () => {
  it.each(["backup", "check-data"])(
    "and related commands reject a folder that isn't a service's: %s",
    async (name) => {
      const dataDir = newDataDir();
      const errors = `${dataDir} contains no database.\n`;
      expect(await run(dataDir, name)).toEqual({ code: 1, out: "", errors });
      expect(existsSync(dataDir)).toBe(false);
    },
  );

  it.each([
    ["ENOTDIR", (folder: string) => join(folder, "file", "backups"), "a part of the path is not a folder"],
    ["ENOENT", () => "/proc/backups", "no such file or folder"],
    ["EACCES", (folder: string) => join(folder, "closed", "backups"), "permission denied"],
    ["EACCES in a folder that is there", (folder: string) => join(folder, "closed"), "permission denied"],
  ])("names a target that can't be written to in one line: %s", async (_, target, reason) => {
    const dataDir = await createFilledFolder(1);
    writeFileSync(join(dataDir, "file"), "");
    mkdirSync(join(dataDir, "closed"), { mode: 0o555 });
    const user = giveAway(dirname(dataDir));
    const out = target(dataDir);
    const args = ["backup", "--out", out];
    expect(await runCli({ args, variables: { DATA_DIR: dataDir }, ...user })).toEqual({
      code: 78,
      out: "",
      errors: `Can't write backups to ${out}: ${reason}. Make the folder writable for this user, or choose another one with --out.\n`,
    });
  });

  it("includes everything acknowledged before it began, while the server keeps writing", async () => {
    const dataDir = await createFilledFolder(1000);
    const { service, base } = await serverOn(dataDir);
    let [answered, isOver] = [0, false];
    const writing = (async () => {
      while (!isOver) {
        await submit(base, `reader${answered}@example.org`);
        answered += 1;
      }
    })();
    await until(() => answered > 20);
    const before = answered;
    const { code, out, errors } = await run(dataDir, "backup", "--keep", "1");
    isOver = true;
    await writing;
    expect({ code, errors }).toEqual({ code: 0, errors: "" });
    const [name = ""] = namesIn(join(dataDir, "backups"), "Z");
    const path = join(dataDir, "backups", name);
    expect(out).toMatch(/^Verified: database \d+\.\d MiB, 1 files 0\.0 MiB\n/);
    expect(out.endsWith(`${path}\n`)).toBe(true);

    const rejected = await run(dataDir, "restore", path);
    expect(rejected).toMatchObject({ code: 78, out: "" });
    expect(rejected.errors).toMatch(/^Another server is already running on .*\n$/);
    expect(await titlesAt(base)).toEqual(["The book"]);
    await service.end();

    expect(await run(dataDir, "restore", path)).toEqual({
      code: 78,
      out: "",
      errors: `${dataDir} isn't empty (DATA_DIR). A restore needs an empty or a new folder: move this one away, or set DATA_DIR to another one.\n`,
    });
    const old = `${dataDir}.old`;
    renameSync(dataDir, old);
    const restored = await run(dataDir, "restore", join(old, "backups", name));
    expect(restored).toMatchObject({ code: 0, errors: "" });
    expect(restored.out).toMatch(/^Restored .*\nAll users have to log in again .*\n$/);
    const database = openWriter(join(dataDir, "database.sqlite"));
    const readers = database.prepare("select email from contacts").pluck().all();
    database.close();
    const expected = Array.from({ length: before }, (_, index) => `reader${index}@example.org`);
    expect(readers).toEqual(expect.arrayContaining(expected));
    expect(await titlesAt((await serverOn(dataDir)).base)).toEqual(["The book"]);
    expect((await run(dataDir, "check-data")).code).toBe(0);
  });

  it.skipIf(!existsSync("/usr/bin/script"))("shows its progress on a terminal", async () => {
    const dataDir = await createFilledFolder(1000);
    const command = `${process.execPath} ${CLI} backup`;
    const env = { PATH: process.env.PATH, ...TEST_PROCESS, DATA_DIR: dataDir };
    const { stdout } = spawnSync("/usr/bin/script", ["-qec", command, "/dev/null"], {
      env,
      encoding: "utf8",
    });
    expect(stdout).toContain("Copying files ░");
    expect(stdout).toContain("Reading the copied files ░");
    expect(stdout).toContain("\r\u001b[KVerified: ");
  });
});

describe("kill -9", () => {
  it("during a backup leaves nothing that looks complete, and the next one works", async () => {
    const dataDir = await createFilledFolder(20_000_000);
    const out = join(dataDir, "backups");
    const { path } = await makeBackup({ dataDir, out });
    for (const part of ["files/tmp", "database.sqlite"]) {
      const begun = () => namesIn(out, ".part").some((name) => existsSync(join(out, name, part)));
      await kill(dataDir, ["backup", "--keep", "1"], begun);
      expect(namesIn(out, "Z")).toHaveLength(1);
      expect(namesIn(out, ".part")).toHaveLength(1);
    }
    await verifyBackup(path);
    expect((await run(dataDir, "backup", "--keep", "1")).code).toBe(0);
    expect(namesIn(out, ".part")).toEqual([]);
    expect(namesIn(out, "Z")).toHaveLength(1);
    expect(existsSync(path)).toBe(false);
  });

  it("during a restore leaves a folder on which nothing starts until it is emptied", async () => {
    const from = await createFilledFolder(20_000_000);
    const { path } = await makeBackup({ dataDir: from, out: join(createTempFolder(), "out") });
    const dataDir = newDataDir();
    const partial = join(dataDir, "restore.partial");
    await kill(dataDir, ["restore", path], () => existsSync(join(partial, "files/tmp")));
    await expectUnusable(dataDir, path);
    rmSync(dataDir, { recursive: true });
    expect((await run(dataDir, "restore", path)).code).toBe(0);
    const { base } = await serverOn(dataDir);
    expect(await titlesAt(base)).toEqual(["The book"]);
  });

  it("before the database was moved into place also leaves such a folder", async () => {
    const dataDir = await createFilledFolder(1000);
    const { path } = await makeBackup({ dataDir, out: join(createTempFolder(), "out") });
    const partial = join(dataDir, "restore.partial");
    mkdirSync(partial);
    renameSync(join(dataDir, "database.sqlite"), join(partial, "database.sqlite"));
    await expectUnusable(dataDir, path);
  });
});

async function expectUnusable(dataDir: string, backup: string): Promise<void> {
  const before = readContents(dataDir);
  const input = "another long pass phrase\n";
  for (const [args, code, reason] of [
    [["start"], 78, "was interrupted"],
    [["create-admin", "ben@example.org"], 78, "was interrupted"],
    [["check-data"], 1, "contains no database"],
    [["backup"], 1, "contains no database"],
    [["restore", backup], 78, "isn't empty"],
  ] as const) {
    const ended = await runCli({ args, input, variables: { DATA_DIR: dataDir, PORT: "0" } });
    expect({ args, ...ended }).toEqual({ args, code, out: "", errors: expect.stringContaining(reason) });
  }
  expect(readContents(dataDir)).toEqual(before);
}

it("bookdist check-data finds a damaged database, missing rows and changed bytes, names the remedy, and changes nothing", async () => {
  const dataDir = await createFilledFolder(1000);
  const file = join(dataDir, "database.sqlite");
  const hash = hashBytes(createBook(1000));
  const bytes = join(dataDir, "files", hash.slice(0, 2), hash);
  writeFileSync(bytes, Buffer.alloc(1000, "Another line.\n"));
  const changed = await run(dataDir, "check-data");
  expect(changed).toMatchObject({ code: 1, errors: "" });
  expect(changed.out).toMatch(/^error {2}file book\.txt .*\n.*don't match their hash.*\n.*restore a backup/);

  const database = openWriter(file);
  database.pragma("foreign_keys = off");
  database.exec("update translations set bookId = 'unknown'; update book_files set bookId = 'unknown'");
  database.close();
  const broken = await run(dataDir, "check-data", "--json");
  expect(broken.code).toBe(1);
  expect(JSON.parse(broken.out).findings).toContainEqual(
    expect.objectContaining({
      check: "broken_reference",
      advice: expect.stringContaining("bookdist restore"),
    }),
  );

  const another = openWriter(file);
  another.unsafeMode().exec(SWAP_INDEXES);
  another.close();
  const confused = await run(dataDir, "check-data");
  expect(confused).toMatchObject({ code: 1, errors: "" });
  expect(confused.out).toMatch(/^error {2}database .*\n {4}row 1 missing from index .*\n.*restore a backup/);
  damagePageOf(file, "audit_log");
  const damaged = await run(dataDir, "check-data");
  expect(damaged).toMatchObject({ code: 1, errors: "" });
  expect(damaged.out).toMatch(/^error {2}database .*\n.*\n.*restore a backup/);
  expect(damaged.out).not.toContain("missing_bytes");
  writeFileSync(file, "not a database at all".repeat(1000));
  const none = await run(dataDir, "check-data");
  expect(none.code).toBe(1);
  expect(none.errors).toMatch(
    /^The database is damaged \(file is not a database\)\. .*bookdist restore\)\.\n$/,
  );
  expect(readFileSync(file, "utf8")).toContain("not a database");
});

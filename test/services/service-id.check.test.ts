/** Which files belong to which database: all cases of the id on both sides, and what a start does then. */
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { InstallationError } from "../../src/db/assert-installation.ts";
import { readInstallation, updateInstallation } from "../../src/db/installation.ts";
import { makeBackup, restoreBackup } from "../../src/operation/backup/commands.ts";
import { agreeOnServiceId } from "../../src/services/files/service-id.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { startAndEnd } from "../support/start-and-end.ts";
import { createTxt, hashBytes, listStoredNames } from "../support/stored-files.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const A = "01a1fb60-0000-7000-8000-00000000000a";
const B = "01a1fb60-0000-7000-8000-00000000000b";

async function scene() {
  const app = await startApp();
  const { database, store } = app.container;
  const ids = async () => ({
    database: (await readInstallation(database.read)).serviceId ?? undefined,
    files: await store.readServiceId(),
  });
  const put = async (text: string) =>
    store.keep(await store.receive(Readable.from([createTxt(text)]), { maxBytes: 100 }));
  return { app, database, store, ids, put };
}

const refused = (dataDir: string) =>
  expect(startAndEnd({ DATA_DIR: dataDir })).rejects.toThrow(/^The files may belong to another/);

/** A data folder of a service that has ended, with a book of one file. */
async function ended(texts = ["the well"]): Promise<string> {
  const dataDir = createTempFolder();
  const app = await startApp({}, { dataDir });
  await fill(app, texts);
  await app.container.close();
  return dataDir;
}

async function fill({ make }: TestApp, texts: readonly string[]): Promise<void> {
  for (const text of texts) await make.published(text, "en", text);
}

const contents = ["empty", "known", "known and unknown", "unknown", "known, set aside"] as const;

async function putContents({ make, container: { store } }: TestApp, content: (typeof contents)[number]) {
  if (content.startsWith("known")) await make.published("The Well", "en", "the well");
  if (content.endsWith("aside")) await store.setAside(hashBytes(createTxt("the well")), Date.now());
  if (content.endsWith("unknown"))
    await store.keep(await store.receive(Readable.from([createTxt("unknown")]), { maxBytes: 100 }));
}

async function putIds({ container, dataDir }: TestApp, own: string | undefined, files: string | undefined) {
  const { database, store } = container;
  await database.commit(() => updateInstallation(database.writer, { serviceId: own ?? null }));
  rmSync(join(dataDir, "files", "service-id"), { force: true });
  if (files !== undefined) await store.recordServiceId(files);
}

describe("the id of a service", () => {
  const cases = [undefined, A].flatMap((own) =>
    [undefined, A, B].flatMap((files) => contents.map((content) => ({ own, files, content }))),
  );

  it.each(cases)("in the database: $own, beside the files: $files, which are $content", async (given) => {
    const { own, files, content } = given;
    const { app, database, store, ids } = await scene();
    await putContents(app, content);
    await putIds(app, own, files);
    const before = await ids();
    const agreeing = agreeOnServiceId({ database, databaseName: "db", store, newId: () => B });
    const fits = content !== "unknown" && (own === undefined || files === undefined);
    if (fits || (own !== undefined && own === files)) {
      await agreeing;
      const id = own ?? files ?? B;
      expect(await ids()).toEqual({ database: id, files: id });
    } else {
      await expect(agreeing).rejects.toThrow(InstallationError);
      expect(await ids()).toEqual(before);
    }
  });

  it("is rejected in one line that names what was found on both sides, and the remedies", async () => {
    const { app, database, store, put } = await scene();
    await store.recordServiceId(B);
    await put("unknown");
    const { files, ...deps } = { files: join(app.dataDir, "files"), database, store, newId: () => B };
    const error = await agreeOnServiceId({ ...deps, databaseName: "db/books" }).catch(String);
    expect(error).toContain("The database db/books has the id ");
    expect(error).toContain("and names 0 files and covers.");
    expect(error).toContain(
      `${files} has the id ${B} and contains 1 files and covers, of which the database names 0.`,
    );
    expect(error).toContain("Correct DATABASE_URL, STORAGE_URL or DATA_DIR.");
    expect(error).toContain("bookdist adopt-files");
    expect(error).not.toContain("\n");
  });

  it("is the same at the next start", async () => {
    const dataDir = await ended();
    const read = () => readFileSync(join(dataDir, "files", "service-id"), "utf8");
    const before = read();
    expect(await startAndEnd({ DATA_DIR: dataDir })).toMatchObject({ setAside: 0 });
    expect(read()).toBe(before);
  });

  it("is a new one after a restore, with which the service starts; removed/ isn't in a backup", async () => {
    const dataDir = await ended();
    mkdirSync(join(dataDir, "files", "removed"));
    writeFileSync(join(dataDir, "files", "removed", hashBytes(createTxt("removed"))), "removed");
    const { path } = await makeBackup({ dataDir, out: createTempFolder() });
    expect(readdirSync(join(path, "files")).toSorted()).toEqual([
      hashBytes(createTxt("the well")).slice(0, 2),
      "tmp",
    ]);
    const restored = createTempFolder();
    await restoreBackup(restored, path);
    const read = (folder: string) => readFileSync(join(folder, "files", "service-id"), "utf8");
    const id = read(restored);
    expect(id).not.toBe(read(dataDir));
    await startAndEnd({ DATA_DIR: restored });
    expect(read(restored)).toBe(id);
  });
});

describe("a start deletes nothing", () => {
  it("with a new database, or with one of an older version without an id", async () => {
    const dataDir = await ended();
    const before = await listStoredNames(dataDir);
    rmSync(join(dataDir, "database.sqlite"));
    await refused(dataDir);
    rmSync(join(dataDir, "files", "service-id"));
    rmSync(join(dataDir, "database.sqlite"));
    await refused(dataDir);
    await refused(dataDir);
    expect(await listStoredNames(dataDir)).toEqual(before);
    expect(existsSync(join(dataDir, "files", "service-id"))).toBe(false);
  });

  it("after the write-ahead log was lost", async () => {
    const dataDir = createTempFolder();
    const app = await startApp({}, { dataDir });
    await fill(app, ["one", "two"]);
    // As after a kill, without `-wal`.
    const copy = join(createTempFolder(), "data");
    cpSync(dataDir, copy, { recursive: true, filter: (path) => !/-(wal|shm)$/.test(path) });
    const before = await listStoredNames(copy);
    await refused(copy);
    expect(await listStoredNames(copy)).toEqual(before);
  });

  it("after an older database was copied back: newer files are restored with the newer one", async () => {
    const dataDir = await ended();
    const file = join(dataDir, "database.sqlite");
    const [older, newer] = [join(createTempFolder(), "older"), join(createTempFolder(), "newer")];
    copyFileSync(file, older);
    const app = await startApp({}, { dataDir });
    await app.make.published("Newer", "en", "newer");
    await app.container.close();
    const all = await listStoredNames(dataDir);
    copyFileSync(file, newer);
    copyFileSync(older, file);
    expect(await startAndEnd({ DATA_DIR: dataDir })).toMatchObject({ setAside: 1 });
    copyFileSync(newer, file);
    expect(await startAndEnd({ DATA_DIR: dataDir })).toMatchObject({ broughtBack: 1 });
    expect(await listStoredNames(dataDir)).toEqual(all);
  });

  it("after an upgrade from a version without ids, which adopts the files that it knows", async () => {
    const dataDir = await ended();
    rmSync(join(dataDir, "files", "service-id"));
    const app = await startApp({}, { dataDir });
    const id = await app.container.store.readServiceId();
    expect((await readInstallation(app.container.database.read)).serviceId).toBe(id);
  });
});

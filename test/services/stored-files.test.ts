/** Bytes and the rows that name them, on a store and a database of their own. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, it, onTestFinished } from "vitest";
import { FolderStore } from "../../src/adapters/files/folder-store.ts";
import { createIdSource } from "../../src/adapters/system.ts";
import { openSqlite } from "../../src/db/sqlite/database.ts";
import { unavailable } from "../../src/errors.ts";
import { KeptBytesRepository } from "../../src/repositories/kept-bytes.repository.ts";
import { StoredFiles } from "../../src/services/files/stored-files.ts";
import { FakeClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { FakeScheduler } from "../support/fake-scheduler.ts";
import { createTxt, expectStored, hashBytes } from "../support/stored-files.ts";
import { createTempFolder } from "../support/temp-folder.ts";

async function start() {
  const dataDir = createTempFolder();
  const database = await openSqlite(join(dataDir, "database.sqlite"), join(dataDir, "backups"));
  onTestFinished(() => database.close());
  const directory = join(dataDir, "files");
  const clock = new FakeClock();
  const newId = createIdSource(clock);
  const store = new FolderStore({ directory, newId });
  const timers = new FakeScheduler(clock);
  const { schedule } = timers;
  const stored = new StoredFiles({
    store,
    files: new KeptBytesRepository(database.read),
    database,
    clock,
    schedule,
  });
  const receive = (text: string) => store.receive(Readable.from([createTxt(text)]), { maxBytes: 1000 });
  const keep = async (text: string, writeRow: () => Promise<unknown> = async () => {}) =>
    stored.keep(await receive(text), writeRow);
  /** Rows that name bytes need a book and a language to hang on. */
  await database.commit(async () => {
    const times = { createdAt: 1, updatedAt: 1 };
    const flags = { isActive: 1 as const, legacyDownloadCount: 0 };
    const language = {
      id: 1,
      code: "es",
      codeKey: "es",
      name: "",
      nativeName: "",
      direction: "ltr" as const,
    };
    await database.writer
      .insertInto("languages")
      .values({ ...language, ...flags, ...times })
      .execute();
    const book = { id: "book", slug: "b", titleEn: "", description: "", sortOrder: 1, searchText: "" };
    await database.writer
      .insertInto("books")
      .values({ ...book, ...flags, ...times })
      .execute();
  });
  const contentOf = (text: string) => ({
    id: newId(),
    bookId: "book",
    languageId: 1,
    createdAt: 1,
    updatedAt: 1,
    sha256: hashBytes(createTxt(text)),
    fileSizeBytes: 1,
  });
  const file = {
    fileType: "txt",
    sourceType: "local",
    fileName: "a",
    downloadCount: 0,
    isActive: 0,
  } as const;
  const cover = { contentType: "", width: 1, height: 1 };
  const { writer } = database;
  const insert = (query: { execute(): Promise<unknown> }) => database.commit(() => query.execute());
  const fileOf = (text: string) =>
    insert(writer.insertInto("book_files").values({ ...contentOf(text), ...file }));
  const coverOf = (text: string) =>
    insert(writer.insertInto("covers").values({ ...contentOf(text), ...cover }));
  return { dataDir, directory, clock, timers, store, database, stored, receive, keep, fileOf, coverOf };
}

it("stored files keep bytes before their row is written, and return what the write returns", async () => {
  const { dataDir, stored, receive } = await start();
  const response = await stored.keep(await receive("text"), async () => {
    await expectStored(dataDir, createTxt("text"));
    return "the row";
  });
  expect(response).toBe("the row");
  await expectStored(dataDir, createTxt("text"));
});

it("stored files are removed if their row can't be written, unless a file or a cover needs them", async () => {
  const { dataDir, keep, fileOf, coverOf } = await start();
  const error = new Error("no row");
  const fail = () => Promise.reject(error);
  await expect(keep("nobody's", fail)).rejects.toBe(error);
  await expectStored(dataDir);
  await keep("a file's", () => fileOf("a file's"));
  await expect(keep("a file's", fail)).rejects.toBe(error);
  await keep("a cover's", () => coverOf("a cover's"));
  await expect(keep("a cover's", fail)).rejects.toBe(error);
  await expectStored(dataDir, createTxt("a file's"), createTxt("a cover's"));
});

it("stored files keep the bytes of a row that a crash may restore; the next start decides", async () => {
  const { dataDir, stored, keep } = await start();
  const error = unavailable("database_unavailable", "The commit failed at its very end.");
  await expect(keep("nobody's yet", () => Promise.reject(error))).rejects.toBe(error);
  await expectStored(dataDir, createTxt("nobody's yet"));
  expect(await stored.sweep()).toMatchObject({ setAside: 1 });
  await expectStored(dataDir);
});

/** A folder in their place can't be removed as a file. */
function makeStuck(directory: string, text: string): { sha256: string; unstick: () => void } {
  const sha256 = hashBytes(createTxt(text));
  const path = join(directory, sha256.slice(0, 2), sha256);
  rmSync(path, { force: true });
  mkdirSync(path, { recursive: true });
  return {
    sha256,
    unstick() {
      rmSync(path, { recursive: true });
      writeFileSync(path, createTxt(text));
    },
  };
}

it("removes bytes later that can't be removed now, without the caller, and those after them", async () => {
  const { dataDir, directory, timers, stored, keep, fileOf } = await start();
  for (const text of ["stuck", "after it", "used again", "uploaded again"]) await keep(text);
  const { sha256, unstick } = makeStuck(directory, "stuck");
  const after = ["after it", "used again", "uploaded again"].map((text) => hashBytes(createTxt(text)));
  await stored.release([sha256, ...after]);
  await expectStored(dataDir, createTxt("after it"), createTxt("used again"), createTxt("uploaded again"));
  await fileOf("used again");
  const error = unavailable("database_unavailable", "The commit failed at its very end.");
  await expect(keep("uploaded again", () => Promise.reject(error))).rejects.toBe(error);
  timers.pass(10_000);
  await eventually(() => expectStored(dataDir, createTxt("used again"), createTxt("uploaded again")));
  await eventually(() => expect(timers.due).toHaveLength(1));
  unstick();
  await expectStored(dataDir, createTxt("used again"), createTxt("uploaded again"), createTxt("stuck"));
  timers.pass(10_000);
  await eventually(() => expectStored(dataDir, createTxt("used again"), createTxt("uploaded again")));
  expect(timers.due).toEqual([]);
});

it("removes bytes later whose row and removal have both failed", async () => {
  const { dataDir, directory, timers, keep } = await start();
  let unstick = () => {};
  const failing = keep("text", async () => {
    ({ unstick } = makeStuck(directory, "text"));
    throw new Error("no row");
  });
  await expect(failing).rejects.toThrow("no row");
  unstick();
  await expectStored(dataDir, createTxt("text"));
  timers.pass(10_000);
  await eventually(() => expectStored(dataDir));
});

it("tries no removal again after its end", async () => {
  const { directory, timers, stored } = await start();
  const { sha256 } = makeStuck(directory, "stuck");
  await stored.release([sha256]);
  expect(timers.due).toHaveLength(1);
  await stored.stop();
  await stored.release([sha256]);
  expect(timers.due).toEqual([]);
});

it("stored files without a row are deleted on release", async () => {
  const { dataDir, stored, keep, fileOf, coverOf } = await start();
  for (const text of ["a", "b", "c", "d"]) await keep(text);
  await fileOf("a");
  await coverOf("b");
  const hashes = ["a", "b", "c", "c", "never there"].map((text) => hashBytes(createTxt(text)));
  await stored.release([...hashes, null]);
  await expectStored(dataDir, createTxt("a"), createTxt("b"), createTxt("d"));
});

it("stored files are deleted only after their last reader has finished, even if that fails", async () => {
  const { dataDir, stored, keep, fileOf } = await start();
  for (const text of ["gone", "back"]) await keep(text);
  const hashes = ["gone", "back", "gone"].map((text) => hashBytes(createTxt(text)));
  const failing = stored.runWhileRead(hashes, async () => {
    await stored.runWhileRead(hashes, () => stored.release(hashes));
    await expectStored(dataDir, createTxt("gone"), createTxt("back"));
    await fileOf("back");
    throw new Error("the reader failed");
  });
  await expect(failing).rejects.toThrow("the reader failed");
  await expectStored(dataDir, createTxt("back"));
  await keep("gone");
  await stored.runWhileRead(hashes, async () => {});
  await expectStored(dataDir, createTxt("gone"), createTxt("back"));
  await stored.release(hashes);
  await expectStored(dataDir, createTxt("back"));
});

it("a start removes uploads that never ended and bytes without a row", async () => {
  const { dataDir, directory, stored, keep, fileOf, receive } = await start();
  await keep("named", () => fileOf("named"));
  await keep("unnamed");
  await receive("never kept");
  mkdirSync(join(directory, "tmp"), { recursive: true });
  writeFileSync(join(directory, "tmp", "half"), "ha");
  expect(await stored.sweep()).toMatchObject({ uploads: 2, setAside: 1 });
  await expectStored(dataDir, createTxt("named"));
  expect(await stored.sweep()).toMatchObject({ uploads: 0, setAside: 0 });
});

it("stored files stay under concurrent uploads and releases if a row refers to them in the end", async () => {
  const { dataDir, stored, keep, fileOf } = await start();
  const hash = hashBytes(createTxt("shared"));
  await keep("shared");
  await Promise.all([
    stored.release([hash]),
    keep("shared", () => fileOf("shared")),
    stored.release([hash]),
    expect(keep("shared", () => Promise.reject(new Error("no row")))).rejects.toThrow(),
  ]);
  await expectStored(dataDir, createTxt("shared"));
});

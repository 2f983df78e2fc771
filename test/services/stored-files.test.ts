/** Bytes and the rows that name them, on a store and a database of their own. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { describe, expect, it, onTestFinished } from "vitest";
import { FolderStore } from "../../src/adapters/files/folder-store.ts";
import { createIdSource, systemScheduler } from "../../src/adapters/system.ts";
import { updateInstallation } from "../../src/db/installation.ts";
import { openSqlite } from "../../src/db/sqlite/database.ts";
import { HOUR } from "../../src/lib/time.ts";
import { createWriters, readersOf } from "../../src/repositories/index.ts";
import { createStoredFiles } from "../../src/services/files/create-stored-files.ts";
import type { Claim } from "../../src/services/files/removals.ts";
import { FakeClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { passTimeFaster } from "../support/fast-time.ts";
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
  const { reads } = readersOf(database, []);
  const { writeRecords: write } = createWriters({ database, clock, addressStorage: "full" });
  const deps = { store, reads, write, database, newId, clock, schedule: systemScheduler };
  const log = pino({ enabled: false });
  const config = { replacedFilesDays: 30 };
  const { stored, released } = createStoredFiles({ ...deps, config, log, isClockTrusted: () => true });
  await released.recordFirst();
  const sweepLater = () => {
    clock.advance(HOUR);
    return released.run();
  };
  const receive = (text: string) => store.receive(Readable.from([createTxt(text)]), { maxBytes: 1000 });
  const keep = async (text: string, writeRow: () => Promise<unknown> = async () => {}) => {
    const received = await receive(text);
    const writeAll = async (claim: Claim) => {
      await write(claim);
      return writeRow();
    };
    await stored.keep(received, writeAll).finally(() => received.discard());
  };
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
  /** As a deletion does: an hour, or at once. */
  const release = (texts: readonly string[], dueAt = clock.now() + HOUR) =>
    write(({ releasedBytes }) => releasedBytes.release(texts.map(hashOf), dueAt));
  const releaseNow = async (...texts: string[]) => {
    await release(texts, clock.now());
    await released.removeNow(texts.map(hashOf));
  };
  const rows = { fileOf, coverOf, release, releaseNow, sweepLater };
  return {
    dataDir,
    directory,
    clock,
    store,
    database,
    reads,
    write,
    stored,
    released,
    receive,
    keep,
    ...rows,
  };
}

const hashOf = (text: string) => hashBytes(createTxt(text));

it("stored files go an hour after their row couldn't be written, unless a file or a cover needs them", async () => {
  const { dataDir, stored, receive, keep, write, fileOf, coverOf, sweepLater } = await start();
  const error = new Error("no row");
  const fail = async (text: string) => {
    const writeRow = (claim: Claim) =>
      write(async (repositories) => {
        await claim(repositories);
        throw error;
      });
    await expect(stored.keep(await receive(text), writeRow)).rejects.toBe(error);
  };
  await fail("unnamed");
  await keep("a file's", () => fileOf("a file's"));
  await fail("a file's");
  await keep("a cover's", () => coverOf("a cover's"));
  await fail("a cover's");
  await expectStored(dataDir, ...["unnamed", "a file's", "a cover's"].map(createTxt));
  await sweepLater();
  await expectStored(dataDir, createTxt("a file's"), createTxt("a cover's"));
});

it("stored files stay whose removal was due, but that got a row or are stored again before", async () => {
  const { dataDir, keep, fileOf, release, sweepLater, released, clock } = await start();
  for (const text of ["used", "stored", "gone"]) await keep(text);
  await release(["used", "stored", "gone"]);
  await fileOf("used");
  clock.advance(HOUR - 1);
  await released.run();
  await expectStored(dataDir, ...["used", "stored", "gone"].map(createTxt));
  await keep("stored", () => fileOf("stored"));
  await sweepLater();
  await expectStored(dataDir, createTxt("used"), createTxt("stored"));
});

/** A folder in their place can't be removed as a file. */
function makeStuck(directory: string, text: string): () => void {
  const sha256 = hashOf(text);
  const path = join(directory, sha256.slice(0, 2), sha256);
  rmSync(path, { force: true });
  mkdirSync(path, { recursive: true });
  return () => {
    rmSync(path, { recursive: true });
    writeFileSync(path, createTxt(text));
  };
}

it("removes bytes later that can't be removed now, without the caller, and those after them", async () => {
  const { dataDir, directory, keep, fileOf, releaseNow, sweepLater } = await start();
  const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`);
  for (const text of ["stuck", "used again", ...texts]) await keep(text);
  const unstick = makeStuck(directory, "stuck");
  await releaseNow("used again", ...texts, "stuck");
  await fileOf("used again");
  await expect(sweepLater()).rejects.toThrow();
  unstick();
  await sweepLater();
  await expectStored(dataDir, createTxt("used again"));
});

it("makes an upload wait while the same bytes are removed, and stores them again", async () => {
  const { dataDir, store, keep, fileOf, releaseNow } = await start();
  await keep("text");
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const remove = store.remove.bind(store);
  store.remove = async (sha256) => {
    begun.resolve();
    await end.promise;
    await remove(sha256);
  };
  const releasing = releaseNow("text");
  await begun.promise;
  const keeping = keep("text", () => fileOf("text"));
  await sleep(100);
  end.resolve();
  await Promise.all([releasing, keeping]);
  await expectStored(dataDir, createTxt("text"));
});

it("stores bytes again that are removed between them and their row, however often", async () => {
  const { dataDir, stored, receive, write, fileOf, releaseNow } = await start();
  let writes = 0;
  const received = await receive("text");
  await stored.keep(received, async (claim) => {
    writes += 1;
    if (writes < 4) await releaseNow("text");
    await write(claim);
    await fileOf("text");
  });
  expect(writes).toBe(4);
  await received.discard();
  await expectStored(dataDir, createTxt("text"));
});

it("rejects an upload of bytes whose removal has hung for ten seconds, and takes it over after five minutes", async () => {
  const { dataDir, clock, store, keep, fileOf, releaseNow, reads } = await start();
  await keep("text");
  const end = Promise.withResolvers<void>();
  const remove = store.remove.bind(store);
  store.remove = () => end.promise;
  const releasing = releaseNow("text");
  await eventually(async () => {
    expect(await reads.releasedBytes.find(hashOf("text"))).toMatchObject({ state: "removing" });
  });
  store.remove = remove;
  passTimeFaster(100);
  const code = "storage_unavailable";
  await expect(keep("text", () => fileOf("text"))).rejects.toMatchObject({ status: 503, code });
  clock.advance(5 * 60_000);
  await keep("text", () => fileOf("text"));
  end.resolve();
  await releasing;
  await expectStored(dataDir, createTxt("text"));
});

it("doesn't know bytes any more that were removed before their row", async () => {
  const { stored, keep, fileOf, releaseNow, database, write } = await start();
  await keep("text", () => fileOf("text"));
  const known = await stored.findKnown(hashOf("text"));
  const keeping = stored.keep(known, async (claim) => {
    await database.commit(async () => {
      await database.writer.deleteFrom("book_files").execute();
    });
    await releaseNow("text");
    await write(claim);
  });
  await expect(keeping).rejects.toMatchObject({ status: 404, code: "content_unknown" });
});

describe("a removal that was never ended", () => {
  it("is ended by a later sweep, not by one that may run beside it", async () => {
    const { dataDir, clock, keep, release, write, released } = await start();
    await keep("text");
    await release(["text"], clock.now());
    const removal = { id: "crashed", until: clock.now() + 5 * 60_000 };
    await write(({ releasedBytes }) => releasedBytes.beginRemoval([hashOf("text")], clock.now(), removal));
    await released.run();
    await expectStored(dataDir, createTxt("text"));
    clock.advance(5 * 60_000);
    await released.run();
    await expectStored(dataDir);
  });
});

describe("what is due is set aside, and what isn't gets its time again", () => {
  type Scene = Awaited<ReturnType<typeof start>>;
  it.each<[string, (scene: Scene) => Promise<unknown>]>([
    ["after a day without a sweep", async ({ clock }) => clock.advance(25 * HOUR)],
    ["if the clock was put back by a day", async ({ clock }) => clock.advance(-26 * HOUR)],
    [
      "if the database has gone back",
      ({ store, write, clock }) =>
        store
          .recordSweepMark("newer")
          .then(() => write(({ lastSweep }) => lastSweep.record("older", clock.now()))),
    ],
    ["if the files are others", ({ directory }) => rm(join(directory, "removed-sweep"))],
    [
      "after a move, a restore or an adoption",
      ({ database }) => database.commit(() => updateInstallation(database.writer, { serviceId: "another" })),
    ],
  ])("%s", async (_, change) => {
    const scene = await start();
    const { dataDir, store, keep, release, released, clock } = scene;
    for (const text of ["due", "not due"]) await keep(text);
    await change(scene);
    await release(["due"], clock.now() - 1);
    await release(["not due"], clock.now() + 1000);
    await released.run();
    await expectStored(dataDir, createTxt("not due"));
    expect(await store.isSetAside(hashOf("due"))).toBe(true);
    clock.advance(1000);
    await released.run();
    await expectStored(dataDir, createTxt("not due"));
    clock.advance(HOUR - 1000);
    await released.run();
    await expectStored(dataDir);
    expect(await store.isSetAside(hashOf("not due"))).toBe(false);
  });
});

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { writeSnapshot } from "../../../src/adapters/files/snapshot-file.ts";
import { type Connection, openReader, openWriter } from "../../../src/db/connection.ts";
import { openDatabase } from "../../../src/db/database.ts";
import { kyselyOver, withStatementCache } from "../../../src/db/kysely.ts";
import { EventFeed } from "../../../src/repositories/event-counts/event-feed.ts";
import { EventCountsKeeper } from "../../../src/repositories/event-counts/keeper.ts";
import { responseOf } from "../../support/column-responses.ts";
import { EventRows, type GivenEvent } from "../../support/event-rows.ts";
import { tempFolder } from "../../support/temp-folder.ts";

const NOON = Date.UTC(2026, 2, 1, 12);
const filter = { includeBots: false };
/** As many events are enough for a snapshot. */
const DELTA_ROWS = 4;

const event: GivenEvent = {
  downloadedAt: NOON,
  redeemedAt: null,
  contactId: 1,
  booksCount: 1,
  bookId: "book-1",
  archiveId: null,
  languageId: 1,
  countryCode: "KE",
  deviceType: "mobile",
  isBot: 0,
};

/** A database with events, and the file of the snapshot. */
class Scene {
  readonly snapshot = join(tempFolder(), "cache/analytics.snapshot");
  readonly writer: Connection;
  readonly rows: EventRows;
  readonly #reader: Connection;

  constructor(database: string) {
    this.writer = openWriter(database);
    this.writer.pragma("synchronous = off");
    this.rows = new EventRows(this.writer);
    this.#reader = openReader(database);
    onTestFinished(() => {
      this.writer.close();
      this.#reader.close();
    });
  }

  /** One after the other, a second apart. */
  insert(count: number, values: Partial<GivenEvent> = {}): void {
    const last = this.rows.idsWhere("true").length;
    for (let index = 1; index <= count; index += 1) {
      this.rows.insert({ ...event, downloadedAt: NOON + 1000 * (last + index), ...values });
    }
  }

  /** Nothing says that this has happened: whoever sees it has read the table anew. */
  changeSecretly(): void {
    this.writer.exec("update download_events set booksCount = 100 where id = 1");
  }

  newKeeper(): EventCountsKeeper {
    const feed = new EventFeed(kyselyOver(withStatementCache(this.#reader)));
    return new EventCountsKeeper({ feed, snapshot: this.snapshot, deltaRows: DELTA_ROWS });
  }
}

async function newScene(events = DELTA_ROWS): Promise<Scene> {
  const file = join(tempFolder(), "database.sqlite");
  await (await openDatabase(file, tempFolder())).close();
  const scene = new Scene(file);
  scene.insert(events);
  return scene;
}

async function countsOf(keeper: EventCountsKeeper) {
  const [all] = await responseOf(await keeper.upToDate(), { by: "everything", filter });
  return { downloads: all?.downloads ?? 0, books: all?.books ?? 0 };
}

async function save(scene: Scene): Promise<void> {
  const keeper = scene.newKeeper();
  await keeper.upToDate();
  keeper.save();
}

/** Shows whether a new keeper has used the snapshot: it doesn't know what has happened secretly. */
async function usesSnapshot(scene: Scene): Promise<boolean> {
  const events = scene.rows.idsWhere("true").length;
  scene.changeSecretly();
  const { downloads, books } = await countsOf(scene.newKeeper());
  expect(downloads).toBe(events);
  expect([events, events + 99]).toContain(books);
  return books === events;
}

describe("a snapshot", () => {
  it("is used at the next start", async () => {
    const scene = await newScene();
    await save(scene);
    expect(await usesSnapshot(scene)).toBe(true);
    rmSync(scene.snapshot);
    expect(await usesSnapshot(scene)).toBe(false);
  });

  it("takes with it what a kill has left of another", async () => {
    const scene = await newScene();
    await save(scene);
    writeFileSync(`${scene.snapshot}.part`, "half");
    expect(await usesSnapshot(scene)).toBe(true);
    expect(existsSync(`${scene.snapshot}.part`)).toBe(false);
  });

  it("is brought up to date with what has come, changed and gone since", async () => {
    const scene = await newScene(9);
    const keeper = scene.newKeeper();
    await keeper.upToDate();
    scene.rows.change([1], { redeemedAt: NOON });
    scene.rows.remove([8]);
    await keeper.upToDate();
    keeper.save();
    scene.insert(3, { contactId: 2 });
    scene.rows.change([2, 10], { contactId: null, redeemedAt: NOON });
    scene.rows.remove([3]);
    expect(await usesSnapshot(scene)).toBe(true);
    const [all] = await responseOf(await scene.newKeeper().upToDate(), { by: "everything", filter });
    expect(all).toMatchObject({ downloads: 10, redeemed: 3, contacts: 2 });
  });
});

describe("a snapshot is written", () => {
  /** Whether the next save writes one. */
  function isSaved(scene: Scene, keeper: EventCountsKeeper): boolean {
    rmSync(scene.snapshot, { force: true });
    keeper.save();
    return existsSync(scene.snapshot);
  }

  it("once it would have as many new events as are put into the base at once", async () => {
    const scene = await newScene(DELTA_ROWS - 1);
    const keeper = scene.newKeeper();
    expect(isSaved(scene, keeper)).toBe(false);
    await keeper.upToDate();
    expect(isSaved(scene, keeper)).toBe(false);
    scene.insert(1);
    await keeper.upToDate();
    expect(isSaved(scene, keeper)).toBe(true);
    scene.insert(DELTA_ROWS - 1);
    scene.rows.remove([1]);
    await keeper.upToDate();
    expect(isSaved(scene, keeper)).toBe(false);
    scene.rows.change([2], { redeemedAt: NOON });
    await keeper.upToDate();
    expect(isSaved(scene, keeper)).toBe(true);
  });

  it("more seldom the more events there are: a thirty-second of them must be new", async () => {
    const scene = await newScene(32 * 10);
    const keeper = scene.newKeeper();
    await keeper.upToDate();
    expect(isSaved(scene, keeper)).toBe(true);
    scene.insert(9);
    await keeper.upToDate();
    expect(isSaved(scene, keeper)).toBe(false);
    scene.insert(2);
    await keeper.upToDate();
    expect(isSaved(scene, keeper)).toBe(true);
  });

  it("once an event has lost its contact, whom the former one still has", async () => {
    const scene = await newScene();
    const keeper = scene.newKeeper();
    await keeper.upToDate();
    expect(isSaved(scene, keeper)).toBe(true);
    scene.rows.change([1], { contactId: null });
    await keeper.upToDate();
    expect(isSaved(scene, keeper)).toBe(true);
    // Who never was known isn't forgotten.
    scene.insert(1, { contactId: null });
    await keeper.upToDate();
    expect(isSaved(scene, keeper)).toBe(false);
  });

  it("not anew after a start that has used it", async () => {
    const scene = await newScene();
    await save(scene);
    const keeper = scene.newKeeper();
    await keeper.upToDate();
    expect(isSaved(scene, keeper)).toBe(false);
  });

  it("or not, when its folder can't be: the answers are the same", async () => {
    const scene = await newScene();
    writeFileSync(dirname(scene.snapshot), "");
    const keeper = scene.newKeeper();
    expect(await countsOf(keeper)).toEqual({ downloads: 4, books: 4 });
    keeper.save();
    expect(existsSync(scene.snapshot)).toBe(false);
    scene.insert(1);
    expect(await countsOf(keeper)).toEqual({ downloads: 5, books: 5 });
  });
});

describe("a snapshot is not used", () => {
  function damaged(bytes: Buffer): Buffer {
    bytes.subarray(-20, -19).fill(7);
    return bytes;
  }

  it.each<[string, (file: string) => void]>([
    ["is empty", (file) => writeFileSync(file, "")],
    ["is cut off", (file) => writeFileSync(file, readFileSync(file).subarray(0, -1))],
    ["is damaged", (file) => writeFileSync(file, damaged(readFileSync(file)))],
    ["is another file", (file) => writeFileSync(file, "SQLite format 3\0")],
    ["has another header", (file) => writeSnapshot(file, { columns: {} }, [])],
    [
      "is a folder",
      (file) => {
        rmSync(file);
        mkdirSync(file);
      },
    ],
  ])("when it %s", async (_, spoil) => {
    const scene = await newScene();
    await save(scene);
    spoil(scene.snapshot);
    expect(await usesSnapshot(scene)).toBe(false);
  });

  it("when another version of the service has written it", async () => {
    const scene = await newScene();
    await save(scene);
    const whole = readFileSync(scene.snapshot);
    const length = whole.readUInt32LE();
    const header = JSON.parse(whole.toString("utf8", 4, 4 + length));
    const rewrite = (version: number) => {
      const columns = { ...header.columns, version };
      writeSnapshot(scene.snapshot, { ...header, columns }, [whole.subarray(4 + length, -4)]);
    };
    rewrite(header.columns.version);
    expect(await usesSnapshot(scene)).toBe(true);
    rewrite(header.columns.version - 1);
    expect(await usesSnapshot(scene)).toBe(false);
  });

  it.each<[string, (scene: Scene) => void]>([
    ["is empty", ({ rows }) => rows.clear()],
    ["lacks the newest event", ({ writer }) => writer.exec("delete from download_events where id = 4")],
    [
      "had another event at that number",
      ({ writer }) => writer.exec("update download_events set downloadedAt = downloadedAt + 1 where id = 4"),
    ],
    ["had fewer changes", ({ writer }) => writer.exec("delete from event_changes")],
    [
      "had another change at that number",
      ({ writer }) => writer.exec("update event_changes set eventId = 3"),
    ],
    [
      "no longer knows which events have changed since",
      ({ rows }) => {
        rows.change([2, 3], { isBot: 0 });
        rows.pruneChanges();
      },
    ],
  ])("when the table %s, as after a backup was restored", async (_, restore) => {
    const scene = await newScene();
    scene.rows.change([2], { redeemedAt: NOON });
    await save(scene);
    restore(scene);
    if (scene.rows.idsWhere("true").length === 0)
      expect((await countsOf(scene.newKeeper())).downloads).toBe(0);
    else expect(await usesSnapshot(scene)).toBe(false);
  });
});

describe("a page that can't be taken", () => {
  it("is a fault, and nothing of it is counted twice afterwards", async () => {
    const scene = await newScene();
    const keeper = scene.newKeeper();
    await keeper.upToDate();
    scene.insert(2);
    scene.insert(1, { downloadedAt: -1 });
    await expect(keeper.upToDate()).rejects.toThrow("Event 7 has no place in the columns");
    await expect(keeper.upToDate()).rejects.toThrow("Event 7 has no place in the columns");
    scene.rows.remove([7]);
    expect(await countsOf(keeper)).toEqual({ downloads: 6, books: 6 });
  });
});

describe("what is on record of changes", () => {
  it("may be gone when all of it has been taken in, but is read anew when some may be missing", async () => {
    const scene = await newScene();
    const keeper = scene.newKeeper();
    scene.rows.change([2, 3], { redeemedAt: NOON });
    await keeper.upToDate();
    scene.rows.pruneChanges();
    scene.changeSecretly();
    expect(await countsOf(keeper)).toEqual({ downloads: 4, books: 4 });
    scene.rows.change([2], { booksCount: 2 });
    expect(await countsOf(keeper)).toEqual({ downloads: 4, books: 5 });
    scene.rows.change([3, 4], { booksCount: 2 });
    scene.rows.pruneChanges();
    expect(await countsOf(keeper)).toEqual({ downloads: 4, books: 106 });
  });
});

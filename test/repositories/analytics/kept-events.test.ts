/** The columns beside a table that changes: what is read again, and what is not. */
import { describe, expect, it } from "vitest";
import type { Db } from "../../../src/db/kysely.ts";
import type { Connection } from "../../../src/db/sqlite/connection.ts";
import { EventFeed, KeptEvents } from "../../../src/repositories/event-counts/event-feed.ts";
import { responseOf } from "../../support/column-responses.ts";
import { type EventRows, eventsDatabase, type GivenEvent, givenEvent } from "../../support/event-rows.ts";

const NOON = Date.UTC(2026, 2, 1, 12);
const filter = { includeBots: false };
const DELTA_ROWS = 4;

/** A database with events. */
class Scene {
  readonly rows: EventRows;
  readonly #writer: Connection;
  readonly #db: Db;

  constructor({ rows, writer, db }: Awaited<ReturnType<typeof eventsDatabase>>) {
    this.rows = rows;
    this.#writer = writer;
    this.#db = db;
  }

  /** One after the other, a second apart. */
  async insert(count: number, values: Partial<GivenEvent> = {}): Promise<void> {
    const last = (await this.rows.idsOf()).length;
    for (let index = 1; index <= count; index += 1) {
      await this.rows.insert(givenEvent("", { downloadedAt: NOON + 1000 * (last + index), ...values }));
    }
  }

  /** Not on record as a change: only counts that read the table again see it. */
  changeSecretly(): void {
    this.#writer.exec("update download_events set booksCount = 100 where id = 1");
  }

  /** @param replica from which all events are read at the beginning */
  newEvents(replica: Scene = this): KeptEvents {
    return new KeptEvents(new EventFeed(this.#db, { initial: replica.#db }), { deltaRows: DELTA_ROWS });
  }
}

async function newScene(events = DELTA_ROWS): Promise<Scene> {
  const scene = new Scene(await eventsDatabase());
  await scene.insert(events);
  return scene;
}

async function countsOf(events: KeptEvents) {
  const [all] = await responseOf(await events.upToDate(), { by: "everything", filter });
  return { downloads: all?.downloads ?? 0, books: all?.books ?? 0 };
}

describe("a page that can't be taken", () => {
  it("is an error, and nothing of it is counted twice afterwards", async () => {
    const scene = await newScene();
    const events = scene.newEvents();
    await events.upToDate();
    await scene.insert(2);
    await scene.insert(1, { downloadedAt: -1 });
    await expect(events.upToDate()).rejects.toThrow("Event 7 has no place in the columns");
    await expect(events.upToDate()).rejects.toThrow("Event 7 has no place in the columns");
    await scene.rows.remove([7]);
    expect(await countsOf(events)).toEqual({ downloads: 6, books: 6 });
  });
});

describe("a replica for the first reading", () => {
  it("may lack the newest events and changes, which are read from the database itself", async () => {
    const [scene, replica] = [await newScene(6), await newScene(4)];
    await scene.rows.change([2], { redeemedAt: NOON });
    await scene.rows.remove([3]);
    const events = scene.newEvents(replica);
    expect(await countsOf(events)).toEqual({ downloads: 5, books: 5 });
    await scene.insert(1);
    expect(await countsOf(events)).toEqual({ downloads: 6, books: 6 });
  });

  it("isn't used when it lacks changes that are no longer on record", async () => {
    const [scene, replica] = [await newScene(4), await newScene(4)];
    await scene.rows.change([2, 3], { redeemedAt: NOON });
    await scene.rows.pruneChanges();
    await scene.rows.change([1], { redeemedAt: NOON });
    replica.changeSecretly();
    expect(await countsOf(scene.newEvents(replica))).toEqual({ downloads: 4, books: 4 });
  });
});

describe("what is on record of changes", () => {
  it("may be gone when all of it has been taken in, but is read again when some may be missing", async () => {
    const scene = await newScene();
    const events = scene.newEvents();
    await scene.rows.change([2, 3], { redeemedAt: NOON });
    await events.upToDate();
    await scene.rows.pruneChanges();
    scene.changeSecretly();
    expect(await countsOf(events)).toEqual({ downloads: 4, books: 4 });
    await scene.rows.change([2], { booksCount: 2 });
    expect(await countsOf(events)).toEqual({ downloads: 4, books: 5 });
    await scene.rows.change([3, 4], { booksCount: 2 });
    await scene.rows.pruneChanges();
    expect(await countsOf(events)).toEqual({ downloads: 4, books: 106 });
  });
});

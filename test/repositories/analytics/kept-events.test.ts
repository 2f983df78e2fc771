/** The first reading of the events from a replica, and a page of events that the model can't hold. */
import { describe, expect, it } from "vitest";
import { EventFeed, KeptEvents } from "../../../src/repositories/event-counts/event-feed.ts";
import { countInColumns } from "../../support/column-responses.ts";
import { type GivenEvent, givenEvent } from "../../support/event-rows.ts";
import { createEventsDatabase } from "../../support/events-database.ts";

const NOON = Date.UTC(2026, 2, 1, 12);
const DELTA_ROWS = 4;

/** A database with events, one after the other, a second apart. */
async function newScene(events = DELTA_ROWS) {
  const { rows, writer, db } = await createEventsDatabase();
  const insert = async (count: number, values: Partial<GivenEvent> = {}) => {
    const last = (await rows.findIds()).length;
    for (let index = 1; index <= count; index += 1)
      await rows.insert(givenEvent("", { downloadedAt: NOON + 1000 * (last + index), ...values }));
  };
  await insert(events);
  return { rows, writer, db, insert };
}

type Scene = Awaited<ReturnType<typeof newScene>>;

/** @param replica from which all events are read at the beginning */
function newEvents({ db, writer }: Scene, replica: Scene, epoch = "one"): KeptEvents {
  writer.exec("update installation set epoch = 'one'");
  replica.writer.exec(`update installation set epoch = '${epoch}'`);
  return new KeptEvents(new EventFeed(db, { initial: replica.db }), { deltaRows: DELTA_ROWS });
}

async function countsOf(events: KeptEvents) {
  const question = { by: "everything", filter: { includeBots: false } } as const;
  const [all] = countInColumns(await events.readUpToDate(), question);
  return { downloads: all?.downloads ?? 0, books: all?.books ?? 0 };
}

it("the kept events count nothing twice after a page with an event that they can't hold", async () => {
  const scene = await newScene();
  const events = newEvents(scene, scene);
  await events.readUpToDate();
  await scene.insert(2);
  await scene.insert(1, { downloadedAt: -1 });
  await expect(events.readUpToDate()).rejects.toThrow("Event 7 has no place in the columns");
  await expect(events.readUpToDate()).rejects.toThrow("Event 7 has no place in the columns");
  await scene.rows.remove([7]);
  expect(await countsOf(events)).toEqual({ downloads: 6, books: 6 });
});

describe("the kept events, first read from a replica,", () => {
  it("count events and changes that the replica lacks", async () => {
    const [scene, replica] = [await newScene(6), await newScene(4)];
    await scene.rows.change([2], { redeemedAt: NOON });
    await scene.rows.remove([3]);
    const events = newEvents(scene, replica);
    expect(await countsOf(events)).toEqual({ downloads: 5, books: 5 });
    await scene.insert(1);
    expect(await countsOf(events)).toEqual({ downloads: 6, books: 6 });
  });

  it("are read from the primary if the replica is of another epoch", async () => {
    const [scene, replica] = [await newScene(4), await newScene(4)];
    replica.writer.exec("update download_events set booksCount = 100");
    expect(await countsOf(newEvents(scene, replica, "former"))).toEqual({ downloads: 4, books: 4 });
  });

  it("are all read again if the replica has events that the primary has lost", async () => {
    const [scene, replica] = [await newScene(4), await newScene(6)];
    replica.writer.exec("update download_events set booksCount = 100 where id = 5");
    expect(await countsOf(newEvents(scene, replica))).toEqual({ downloads: 4, books: 4 });
  });

  it("are all read again if the replica lacks changes that are no longer recorded", async () => {
    const [scene, replica] = [await newScene(4), await newScene(4)];
    await scene.rows.change([2, 3], { redeemedAt: NOON });
    await scene.rows.pruneChanges();
    await scene.rows.change([1], { redeemedAt: NOON });
    replica.writer.exec("update download_events set booksCount = 100 where id = 1");
    expect(await countsOf(newEvents(scene, replica))).toEqual({ downloads: 4, books: 4 });
  });
});

it("the kept events aren't read again after the newest one was deleted", async () => {
  const scene = await newScene(4);
  const events = newEvents(scene, scene);
  await countsOf(events);
  await scene.rows.remove([4]);
  expect(await countsOf(events)).toEqual({ downloads: 3, books: 3 });
  scene.writer.exec("update download_events set booksCount = 100 where id = 1");
  await scene.insert(1);
  expect(await countsOf(events)).toEqual({ downloads: 4, books: 4 });
});

/** What other systems hear when a book begins or ends: an event for each date, soon after it. */
import { expect, it } from "vitest";
import { DueBooks } from "../../src/services/outbox/due-books.ts";
import { startWithAdmin } from "../support/app.ts";
import { FakeClock } from "../support/clock.ts";
import { FakeScheduler } from "../support/fake-scheduler.ts";
import { addWebhook, deliver, settingsFor, startReceiver } from "../support/webhook-receiver.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

async function scene() {
  const receiver = await startReceiver();
  const started = await startWithAdmin(settingsFor(receiver));
  const { app, client } = started;
  const { book } = await app.make.published("The Well", "es");
  await addWebhook(client, receiver.url, { events: ["book.changed"] });
  const start = app.clock.now();
  const setDates = async (begin: number | null, end: number | null, id = book.id) => {
    const at = (after: number | null) => after && new Date(start + after).toISOString();
    const given = { publishAt: at(begin), unpublishAt: at(end) };
    expect((await client.patch(`/api/admin/books/${id}`, given)).status).toBe(200);
    await deliver(app);
    receiver.received.length = 0;
  };
  /** Whether the book is published, as each event says that has come meanwhile. */
  const pass = async (milliseconds: number) => {
    app.clock.advance(milliseconds);
    await app.container.dueBooks.look();
    await deliver(app);
    return receiver.received.splice(0).map(({ body }) => body.data.isPublished);
  };
  return { ...started, book, receiver, setDates, pass };
}

it("is told of each date once, with the state after it", async () => {
  const { setDates, pass } = await scene();
  await setDates(10 * MINUTE, 20 * MINUTE);
  expect(await pass(10 * MINUTE - 1)).toEqual([]);
  expect(await pass(1)).toEqual([true]);
  expect(await pass(0)).toEqual([]);
  expect(await pass(MINUTE)).toEqual([]);
  expect(await pass(9 * MINUTE)).toEqual([false]);
  expect(await pass(10 * MINUTE)).toEqual([]);
});

it("is told once of two dates within a minute, and of both if none looked between them", async () => {
  const { setDates, pass } = await scene();
  await setDates(10 * MINUTE, 11 * MINUTE);
  expect(await pass(10 * MINUTE)).toEqual([]);
  expect(await pass(MINUTE)).toEqual([false]);
  await setDates(20 * MINUTE, 30 * MINUTE);
  expect(await pass(30 * MINUTE)).toEqual([false]);
});

it("is told of a date in the past by the change that set it, and not of archived books", async () => {
  const { client, book, setDates, pass } = await scene();
  await setDates(-10 * MINUTE, 10 * MINUTE);
  expect(await pass(MINUTE)).toEqual([]);
  expect((await client.delete(`/api/admin/books/${book.id}`)).status).toBe(200);
  expect(await pass(0)).toEqual([false]);
  expect(await pass(10 * MINUTE)).toEqual([]);
});

it("is told by the right clock again after one that was far ahead", async () => {
  const { app, setDates, pass } = await scene();
  await setDates(10 * MINUTE, null);
  await app.container.writeRecords(({ dueBooks }) =>
    dueBooks.setAnnouncedUntil(app.clock.now() + 99 * MINUTE),
  );
  expect(await pass(MINUTE)).toEqual([]);
  expect(await pass(9 * MINUTE)).toEqual([true]);
});

it("is looked for every ten seconds until the service stops", async () => {
  const clock = new FakeClock();
  const scheduler = new FakeScheduler(clock);
  let looks = 0;
  const dueBooks = {
    async readAnnouncedUntil() {
      looks += 1;
      return 0;
    },
    list: async () => [],
  };
  const deps = { clock, schedule: scheduler.schedule, log: { warn: () => expect.unreachable() } };
  const task = new DueBooks({ ...deps, reads: { dueBooks }, write: () => expect.unreachable() });
  task.start();
  await task.look();
  for (const expected of [2, 3]) {
    scheduler.pass(10 * SECOND);
    await task.look();
    expect(looks).toBe(expected);
  }
  await task.stop();
  scheduler.pass(MINUTE);
  expect(looks).toBe(3);
});

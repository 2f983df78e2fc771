/** Whose work is done next, while more is wanted than can be done at once. */
import { expect, it } from "vitest";
import { FairQueue, type QueueClient } from "../../src/adapters/fair-queue.ts";
import { unavailable } from "../../src/errors.ts";

const reader = (key: string): QueueClient => ({ kind: "reader", key });
const user = (key: string): QueueClient => ({ kind: "user", key });
const ADMINISTRATOR = user("admin");
const BUSY = { status: 503, code: "images_busy", headers: { "Retry-After": "2" } };

/** A queue whose first work lasts until `release` is called, and the names of all that was done after it. */
function start() {
  const createError = () => unavailable("images_busy", "Busy.", { headers: BUSY.headers });
  const queue = new FairQueue({ maxOfOne: 50, maxOfAllReaders: 500, createError });
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const first = queue.run(reader("first"), () => promise);
  const done: string[] = [];
  const ask = (client: QueueClient, name: string, signal?: AbortSignal) =>
    queue.run(client, async () => void done.push(name), signal);
  const times = (count: number, client: QueueClient, name: string) =>
    Array.from({ length: count }, (_, index) => ask(client, `${name}${index}`));
  return { queue, first, release, done, ask, times };
}

it("alternates between readers, and serves users every second time", async () => {
  const { release, done, times } = start();
  const all = [
    ...times(3, reader("a"), "a"),
    ...times(1, reader("b"), "b"),
    ...times(2, ADMINISTRATOR, "admin"),
    ...times(1, reader("c"), "c"),
  ];
  release();
  await Promise.all(all);
  expect(done).toEqual(["admin0", "a0", "admin1", "b0", "c0", "a1", "a2"]);
});

it("queues one reader's images up to a limit, beyond which others still find room", async () => {
  const { release, ask, times } = start();
  const hundred = Promise.allSettled(times(100, reader("a"), "a"));
  const other = ask(reader("b"), "b");
  const administrator = ask(ADMINISTRATOR, "admin");
  release();
  await Promise.all([other, administrator]);
  const settled = await hundred;
  const rejected = settled.filter((each) => each.status === "rejected");
  expect(rejected).toHaveLength(50);
  for (const { reason } of rejected) expect(reason).toMatchObject(BUSY);
});

it("is bounded for all readers together, which doesn't affect users", async () => {
  const { release, ask, times } = start();
  const readers = Promise.allSettled(
    Array.from({ length: 11 }, (_, index) => times(50, reader(`${index}`), "x")).flat(),
  );
  const administrator = ask(ADMINISTRATOR, "admin");
  release();
  await administrator;
  const settled = await readers;
  expect(settled.filter((each) => each.status === "rejected")).toHaveLength(50);
});

it("continues after failed work, and is idle after the last", async () => {
  const { first, release, done, ask, queue } = start();
  const failing = queue.run(reader("a"), () => Promise.reject(new Error("no")));
  const after = ask(reader("b"), "b");
  release();
  await first;
  await expect(failing).rejects.toThrow("no");
  await after;
  await ask(reader("a"), "again");
  expect(done).toEqual(["b", "again"]);
});

it("does at most one piece of each other user's work before one's own", async () => {
  const { release, done, times } = start();
  const all = [...times(3, user("a"), "a"), ...times(3, user("b"), "b"), ...times(2, user("c"), "c")];
  release();
  await Promise.all(all);
  expect(done).toEqual(["a0", "b0", "c0", "a1", "b1", "c1", "a2", "b2"]);
});

it("counts the work that runs: another user's comes next, although more of the first one's was there before", async () => {
  const queue = new FairQueue();
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const done: string[] = [];
  const ask = (key: string, name: string) => queue.run(user(key), async () => void done.push(name));
  const all = [queue.run(user("a"), () => promise), ask("a", "a1"), ask("a", "a2"), ask("b", "b0")];
  expect(queue.countWaiting(user("a"))).toBe(2);
  release();
  await Promise.all(all);
  expect(done).toEqual(["b0", "a1", "a2"]);
});

it("drops waiting work whose client leaves, and keeps the rest in its order", async () => {
  const { release, done, ask } = start();
  const left = new AbortController();
  const leaving = [ask(user("a"), "a0", left.signal), ask(user("a"), "a1", left.signal)];
  const others = [ask(user("b"), "b0"), ask(user("a"), "a2")];
  left.abort();
  for (const each of await Promise.allSettled(leaving)) {
    expect(each).toMatchObject({ status: "rejected", reason: { code: "database_unavailable" } });
  }
  release();
  await Promise.all(others);
  expect(done).toEqual(["a2", "b0"]);
  await expect(ask(user("a"), "a3", left.signal)).rejects.toMatchObject({ status: 503 });
});

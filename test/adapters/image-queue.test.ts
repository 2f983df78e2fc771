/** Whose image is made next, while more are wanted than can be made at once. */
import { expect, it } from "vitest";
import { type ImageClient, ImageQueue } from "../../src/adapters/images/image-queue.ts";

const reader = (key: string): ImageClient => ({ kind: "reader", key });
const ADMINISTRATOR: ImageClient = { kind: "administrator" };
const BUSY = { status: 503, code: "images_busy", headers: { "Retry-After": "2" } };

/** A queue whose first work lasts until `release` is called, and the names of all that was done after it. */
function start() {
  const queue = new ImageQueue();
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const first = queue.run(reader("first"), () => promise);
  const done: string[] = [];
  const ask = (client: ImageClient, name: string) => queue.run(client, async () => void done.push(name));
  const times = (count: number, client: ImageClient, name: string) =>
    Array.from({ length: count }, (_, index) => ask(client, `${name}${index}`));
  return { queue, first, release, done, ask, times };
}

it("alternates between readers, and serves administrators every second time", async () => {
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

it("is bounded for all readers together, which doesn't affect administrators", async () => {
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

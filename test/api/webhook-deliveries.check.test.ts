/** How events are delivered to receivers that fail, hang, move away or come back. */
import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { startHost } from "../adapters/cloud-fetch-host.ts";
import { startWithAdmin } from "../support/app.ts";
import type { Client } from "../support/client.ts";
import { expectProblem } from "../support/expect-problem.ts";
import {
  addWebhook,
  deliver,
  expectSigned,
  settingsFor,
  startReceiver,
} from "../support/webhook-receiver.ts";

const PATH = "/api/admin/webhooks";
const SECOND = 1000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const respond =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    response.writeHead(status, headers).end();

/** A webhook to which a test event is sent. */
async function scene(answer: Parameters<typeof startReceiver>[0]) {
  const receiver = await startReceiver(answer);
  const started = await startWithAdmin(settingsFor(receiver));
  const { app, client } = started;
  const webhook = await addWebhook(client, receiver.url);
  const path = `${PATH}/${webhook.id}`;
  /** Moves the clock, and delivers what is due then. */
  const pass = async (milliseconds: number) => {
    app.clock.advance(milliseconds);
    await deliver(app);
  };
  const send = async () => {
    const { body } = await client.post(`${path}/test`);
    await deliver(app);
    return body.deliveryId;
  };
  return { ...started, receiver, webhook, path, pass, send };
}

const listDeliveries = async (client: Client, path: string) =>
  (await client.get(`${path}/deliveries`)).body.deliveries;

describe("a delivery that fails", () => {
  it("is tried ten times in three to four days, with one id, and then has failed", async () => {
    const { client, receiver, path, pass, send } = await scene(respond(500));
    const id = await send();
    const delays = [5 * SECOND, 300 * SECOND, 1800 * SECOND, ...[2, 5, 10, 14, 20, 24].map((h) => h * HOUR)];
    for (const [index, delay] of delays.entries()) {
      const [waiting] = await listDeliveries(client, path);
      expect(waiting).toMatchObject({ state: "waiting", attempts: index + 1, httpStatus: 500 });
      const wait = Date.parse(waiting.nextAttemptAt) - Date.parse(waiting.lastAttemptAt);
      expect(wait).toBeGreaterThanOrEqual(delay);
      expect(wait).toBeLessThanOrEqual(delay * 1.2);
      await pass(wait - 1);
      expect(receiver.received.length).toBe(index + 1);
      await pass(1);
    }
    expect(receiver.received.map((received) => received.id)).toEqual(Array.from({ length: 10 }, () => id));
    expect(await listDeliveries(client, path)).toEqual([
      expect.objectContaining({
        state: "failed",
        attempts: 10,
        nextAttemptAt: null,
        error: "The response was 500.",
      }),
    ]);
  });

  it.each([
    ["3600", HOUR],
    ["Sun, 01 Mar 2026 14:00:00 GMT", 2 * HOUR],
    ["Sunday, 01-Mar-26 14:00:00 GMT", 2 * HOUR],
    ["Sun Mar  1 14:00:00 2026", 2 * HOUR],
    ["9999999", DAY],
    ["99999999999", DAY],
    ["soon", 5 * SECOND],
  ])("waits as long as Retry-After: %s says, up to a day", async (value, expected) => {
    const { app, client, path, send } = await scene(respond(503, { "Retry-After": value }));
    await send();
    const [{ nextAttemptAt }] = await listDeliveries(client, path);
    const wait = Date.parse(nextAttemptAt) - app.clock.now();
    expect(wait).toBeGreaterThanOrEqual(expected);
    expect(wait).toBeLessThanOrEqual(expected === 5 * SECOND ? 6 * SECOND : expected);
  });

  it("isn't followed to another address", async () => {
    const inside = await startHost((_, response) => response.end());
    const { client, path, send } = await scene(respond(307, { Location: inside.url() }));
    await send();
    expect(inside.requests).toEqual([]);
    expect(await listDeliveries(client, path)).toEqual([
      expect.objectContaining({ httpStatus: 307, state: "waiting" }),
    ]);
  });

  it("says what was wrong with the connection, without the address", async () => {
    const { client, path, send } = await scene((response) => response.socket?.destroy());
    await send();
    const [{ error, httpStatus }] = await listDeliveries(client, path);
    expect([error, httpStatus]).toEqual([expect.stringMatching(/^The connection failed/), null]);
    expect(error).not.toContain("127.0.0.1");
  });

  it("is due at once if another clock has set it too late", async () => {
    let status = 500;
    const { receiver, send, pass } = await scene((response) => respond(status)(response));
    await send();
    status = 204;
    await pass(-2 * HOUR);
    expect(receiver.received.length).toBe(2);
  });
});

describe("a receiver", () => {
  it("that responds with 410 gets nothing more, until it is made active again", async () => {
    let status = 410;
    const { client, receiver, path, send, app } = await scene((response) => respond(status)(response));
    await send();
    expect((await client.get(path)).body).toMatchObject({ isActive: 0, disabledReason: "gone" });
    await client.post(`${path}/test`);
    await deliver(app);
    expect(receiver.received.length).toBe(1);
    status = 204;
    await client.patch(path, { isActive: 1 });
    await deliver(app);
    expect(receiver.received.length).toBe(2);
  });

  it("that has failed for five days is disabled", async () => {
    const { client, path, pass, send } = await scene(respond(500));
    await send();
    for (let day = 0; day < 6; day++) {
      await pass(DAY);
      await send();
    }
    expect((await client.get(path)).body).toMatchObject({ isActive: 0, disabledReason: "failing" });
  });

  it("that is silent doesn't delay others", async () => {
    const silent = await startHost(() => undefined);
    const receiver = await startReceiver();
    const { app, client } = await startWithAdmin(settingsFor(silent, receiver));
    const [one, other] = [
      await addWebhook(client, `http://${silent.hostAndPort}/`),
      await addWebhook(client, receiver.url),
    ];
    for (let count = 0; count < 5; count++) await client.post(`${PATH}/${one.id}/test`);
    await client.post(`${PATH}/${other.id}/test`);
    app.container.outbox.wake();
    await expect.poll(() => receiver.received.length).toBe(1);
    expect(silent.requests.length).toBeLessThanOrEqual(2);
  });

  it("verifies both secrets for a day after a rotation", async () => {
    const { client, receiver, path, pass, send, webhook } = await scene(undefined);
    const { body } = await client.post(`${path}/rotate-secret`);
    expect(body.previousUntil).toBe("2026-03-02T12:00:00.000Z");
    await send();
    const [first] = receiver.received;
    if (!first) throw new Error("nothing was received");
    for (const secret of [webhook.secret, body.secret]) expectSigned(first, secret);
    await pass(DAY);
    await send();
    expect(receiver.received.at(-1)?.signatures.length).toBe(1);
    const last = receiver.received.at(-1);
    if (last) expectSigned(last, body.secret);
  });
});

describe("a delivery that waits", () => {
  it("can't be sent again", async () => {
    const { client, path, send } = await scene(respond(500));
    const id = await send();
    expectProblem(await client.post(`${path}/deliveries/${id}/resend`), 409, { code: "delivery_waiting" });
  });

  it("of a book that changes while it is being sent is sent again", async () => {
    const sent = Promise.withResolvers<void>();
    const going = Promise.withResolvers<void>();
    const receiver = await startReceiver(async (response) => {
      sent.resolve();
      await going.promise;
      response.writeHead(204).end();
    });
    const { app, client } = await startWithAdmin(settingsFor(receiver));
    const { id } = await app.make.book("The Well");
    await addWebhook(client, receiver.url, { events: ["book.changed"] });
    await client.patch(`/api/admin/books/${id}`, { slug: "one" });
    app.container.outbox.wake();
    await sent.promise;
    await client.patch(`/api/admin/books/${id}`, { slug: "two" });
    going.resolve();
    await app.container.outbox.settle();
    await deliver(app);
    expect(receiver.received.map(({ body }) => body.data.slug)).toEqual(["one", "two"]);
    expect(new Set(receiver.received.map((received) => received.id)).size).toBe(1);
  });

  it("of a book that was held more than once is released once", async () => {
    let status = 500;
    const receiver = await startReceiver((response) => response.writeHead(status).end());
    const { app, client } = await startWithAdmin(settingsFor(receiver));
    const books = [(await app.make.book("The Well")).id, (await app.make.book("The Cedar")).id];
    for (let count = 0; count < 2; count++)
      await addWebhook(client, receiver.url, { events: ["book.changed"] });
    const { outbox, writeRecords: write } = app.container;
    const change = async (ids: string[], description: string) => {
      for (const id of ids) await client.patch(`/api/admin/books/${id}`, { description });
      await outbox.settle();
    };
    // As after two restores, with changes before each and after the second.
    for (const description of ["one", "two"]) {
      await change(books, description);
      await write((repositories) => repositories.outbox.hold());
    }
    await change(books.slice(0, 1), "three");
    receiver.received.splice(0);
    status = 204;
    // Of the first book, a newer change waits already.
    expect(await write((repositories) => repositories.outbox.release(app.clock.now()))).toBe(2);
    app.clock.advance(10 * SECOND);
    await deliver(app);
    const sent = receiver.received.map(({ body }) => body.data.bookId).sort();
    expect(sent).toEqual([...books, ...books].sort());
  });

  it("is dropped beyond the bound only for the receiver with the most, the newest first", async () => {
    const { app, client, receiver, path, send } = await scene(respond(500));
    const other = await addWebhook(client, receiver.url);
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) ids.push(await send());
    for (let count = 0; count < 2; count++) await client.post(`${PATH}/${other.id}/test`);
    await app.container.outbox.settle();
    const bound = (limit: number) =>
      app.container.writeRecords(({ deliveries }) => deliveries.deleteBeyond(limit, 2));
    expect([await bound(4), await bound(4), await bound(4)]).toEqual([2, 1, 0]);
    const left = await listDeliveries(client, path);
    expect(left.map(({ id }: { id: string }) => id).reverse()).toEqual(ids.slice(0, 2));
    expect(await listDeliveries(client, `${PATH}/${other.id}`)).toHaveLength(2);
  });
});

/** Receivers and a mail server that hang, drip, flood, fail or lead elsewhere, all at once: they delay nothing else. */
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { type Host, startHost, startRawHost } from "./adapters/cloud-fetch-host.ts";
import { startWithAdmin } from "./support/app.ts";
import { bodyOf, type Client } from "./support/client.ts";
import { mailSettings } from "./support/mail-server.ts";
import { addWebhook, settingsFor, startReceiver } from "./support/webhook-receiver.ts";

const PATH = "/api/admin/webhooks";
const FORMS = 12;
/** Bounds of the service: deliveries at once to a webhook, and connections to the mail server. */
const AT_ONCE = 2;
const GIB = 2 ** 30;

/** A byte a second: the whole would take a minute. */
async function drip(socket: Socket, text: string): Promise<void> {
  for (const byte of text) {
    if (socket.destroyed) return;
    socket.write(byte);
    await pause(1000);
  }
}

/** As much as the other side takes, up to 1 GiB. */
function flood(response: ServerResponse, count: (bytes: number) => void): void {
  const block = Buffer.alloc(65_536);
  let left = GIB / block.length;
  const write = () => {
    while (left > 0 && !response.destroyed) {
      left -= 1;
      count(block.length);
      if (!response.write(block)) return;
    }
    response.end();
  };
  response.writeHead(200).on("drain", write);
  write();
}

async function startOddReceivers() {
  const sent = { bytes: 0 };
  const inside = await startHost((_, response) => response.writeHead(204).end());
  const receivers = {
    silent: await startRawHost((socket) => socket.resume()),
    dripping: await startRawHost((socket) => {
      socket.resume();
      void drip(socket, `HTTP/1.1 200 OK\r\nX-Filler: ${"x".repeat(60)}`);
    }),
    flooding: await startHost((_, response) => flood(response, (bytes) => (sent.bytes += bytes))),
    failing: await startHost((_, response) => response.writeHead(500).end()),
    redirecting: await startHost((_, response) =>
      response.writeHead(307, { Location: inside.url("/inside") }).end(),
    ),
  };
  return { receivers, inside, sent };
}

/** Milliseconds. */
async function measureHealth(api: Client): Promise<number> {
  const times: number[] = [];
  for (let number = 0; number < 41; number += 1) {
    const before = performance.now();
    expect((await api.get("/api/health")).status).toBe(200);
    times.push(performance.now() - before);
  }
  return times.sort((a, b) => a - b)[20] ?? Number.POSITIVE_INFINITY;
}

/** The largest number of connections at once, as long as it is watched. */
function watchSockets(hosts: Readonly<Record<string, Host>>) {
  const most: Record<string, number> = {};
  const timer = setInterval(() => {
    for (const [name, host] of Object.entries(hosts))
      most[name] = Math.max(most[name] ?? 0, host.openSockets());
  }, 20);
  return { most, [Symbol.dispose]: () => clearInterval(timer) };
}

it("receivers that hang, drip, flood, fail or lead elsewhere delay neither requests nor others", async () => {
  const { receivers, inside, sent } = await startOddReceivers();
  const mail = await startRawHost((socket) => {
    socket.resume();
    void drip(socket, `220 ${"x".repeat(60)}\r\n`);
  });
  const good = await startReceiver();
  const { app, client } = await startWithAdmin({
    ...settingsFor(good, ...Object.values(receivers)),
    ...mailSettings({ url: `smtp://${mail.hostAndPort}` }, { MAIL_LINK: "true" }),
    RATE_LIMIT_SUBMIT: "0",
  });
  await app.make.published("The Well", "en");
  const webhooks: Record<string, string> = {};
  for (const [name, { hostAndPort }] of Object.entries(receivers))
    webhooks[name] = (await addWebhook(client, `http://${hostAndPort}/hook`)).id;
  await addWebhook(client, good.url);
  const idle = await measureHealth(app.api);

  using sockets = watchSockets({ ...receivers, mail });
  for (let number = 0; number < FORMS; number += 1) {
    const contact = { email: `reader-${number}@example.org`, firstName: "Ana" };
    await bodyOf(app.api.post("/api/download/submit", { slug: "the-well", languageCode: "en", contact }));
    app.container.outbox.wake();
  }
  // Twice as long as when nothing waits, on a machine that is slow anyway.
  expect(await measureHealth(app.api)).toBeLessThan(Math.max(100, 2 * idle));
  await expect.poll(() => good.received.length, { timeout: 60_000 }).toBe(FORMS);
  await expect.poll(() => receivers.silent.openSockets()).toBe(AT_ONCE);

  const read = async (name: string) =>
    (await bodyOf(client.get(`${PATH}/${webhooks[name]}/deliveries`))).deliveries;
  const attempted = async (name: string) => {
    const rows: { state: string; attempts: number; httpStatus: number | null }[] = await read(name);
    return rows.filter(({ attempts }) => attempts > 0);
  };
  // Their deadline ends the requests to those that never end.
  for (const name of ["silent", "dripping"])
    await expect
      .poll(() => attempted(name), { timeout: 60_000, interval: 500 })
      .toContainEqual(expect.objectContaining({ state: "waiting", httpStatus: null }));
  expect(await attempted("flooding")).toContainEqual(expect.objectContaining({ state: "delivered" }));
  for (const [name, httpStatus] of [["failing", 500] as const, ["redirecting", 307] as const])
    expect(await attempted(name)).toContainEqual(expect.objectContaining({ state: "waiting", httpStatus }));
  expect(await measureHealth(app.api)).toBeLessThan(Math.max(100, 2 * idle));
  expect(inside.requests).toEqual([]);
  expect(sent.bytes).toBeLessThan(GIB);
  // Those that their deadline has just ended may still be seen beside the next ones.
  for (const [name, most] of Object.entries(sockets.most))
    expect([name, most <= 2 * AT_ONCE]).toEqual([name, true]);
  const { waiting } = await bodyOf(client.get("/api/admin/mail"));
  expect(waiting).toBe(FORMS);
});

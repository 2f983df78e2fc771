/** The outbox of two instances on one database: one delivers, and the other takes over. */
import { expect, it } from "vitest";
import { startHost } from "../adapters/cloud-fetch-host.ts";
import { startInstances } from "../support/instances.ts";
import { addWebhook, settingsFor, startReceiver } from "../support/webhook-receiver.ts";

const PATH = "/api/admin/webhooks";

it("delivers each event once, wherever it was written, while both look for them", async () => {
  const receiver = await startReceiver();
  const instances = await startInstances(settingsFor(receiver));
  const [one] = instances;
  const client = await one.admin();
  const { id } = await addWebhook(client, receiver.url);
  const clients = await Promise.all(instances.map((app) => app.admin()));
  for (let count = 0; count < 40; count++)
    expect((await clients[count % 2]?.post(`${PATH}/${id}/test`))?.status).toBe(202);
  await expect
    .poll(async () => {
      for (const { container } of instances) container.outbox.wake();
      return receiver.received.length;
    })
    .toBeGreaterThanOrEqual(40);
  await Promise.all(instances.map(({ container }) => container.outbox.settle()));
  expect(new Set(receiver.received.map((event) => event.id)).size).toBe(40);
  expect(receiver.received.length).toBe(40);
});

it("is taken over when the instance that delivers has stopped in the middle", async () => {
  const silent = await startHost(() => undefined);
  const receiver = await startReceiver();
  const [one, another] = await startInstances(settingsFor(silent, receiver));
  const client = await one.admin();
  const waiting = await addWebhook(client, `http://${silent.hostAndPort}/`);
  const { id } = await addWebhook(client, receiver.url);
  await client.post(`${PATH}/${waiting.id}/test`);
  await expect.poll(() => silent.requests.length).toBe(1);
  // The first one holds the lock while its request is under way.
  another.container.outbox.wake();
  await another.container.outbox.settle();
  expect(silent.requests.length).toBe(1);
  await one.container.outbox.stop();
  await (await another.admin()).post(`${PATH}/${id}/test`);
  await expect.poll(() => receiver.received.length).toBe(1);
});

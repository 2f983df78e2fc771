/** Letters of two instances on one database: the limits of an address hold for both together. */
import { expect, it } from "vitest";
import { contact } from "../support/factory.ts";
import { startInstances } from "../support/instances.ts";
import { mailSettings, startMailServer } from "../support/mail-server.ts";

it("writes one letter for 40 forms at once that name one mailbox", async () => {
  const server = await startMailServer();
  const instances = await startInstances(mailSettings(server, { MAIL_LINK: "true" }));
  const [{ make }] = instances;
  await make.published("The Well", "en");
  const ask = (number: number) => {
    const email = number % 3 === 0 ? "Mira@example.org" : `mira+${number}@example.org`;
    const request = { contact: { ...contact, email }, slug: "the-well", languageCode: "en" };
    return instances[number % 2 === 0 ? 0 : 1].api.post("/api/download/submit", request);
  };
  const responses = await Promise.all(Array.from({ length: 40 }, (_, number) => ask(number)));
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  const settle = () =>
    Promise.all(
      instances.map(async ({ container }) => {
        container.outbox.wake();
        await container.outbox.settle();
      }),
    );
  await expect.poll(async () => (await settle()) && server.received.length).toBe(1);
  await settle();
  expect(server.received.length).toBe(1);
});

it("sends each letter once while both instances look for them", async () => {
  const server = await startMailServer();
  const instances = await startInstances(mailSettings(server, { MAIL_LINK: "true" }));
  const [{ make }] = instances;
  await make.published("The Well", "en");
  for (let number = 0; number < 30; number++) {
    const email = `reader${number}@example.org`;
    const request = { contact: { ...contact, email }, slug: "the-well", languageCode: "en" };
    const { api } = instances[number % 2 === 0 ? 0 : 1];
    expect((await api.post("/api/download/submit", request)).status).toBe(200);
  }
  await expect
    .poll(
      () => {
        for (const { container } of instances) container.outbox.wake();
        return server.received.length;
      },
      { timeout: 20_000 },
    )
    .toBe(30);
  await Promise.all(instances.map(({ container }) => container.outbox.settle()));
  expect(new Set(server.received.map(({ mail }) => mail.messageId)).size).toBe(30);
  expect(server.received.length).toBe(30);
});

/** What operators see of the outbox: the doctor, `bookdist outbox`, a restore and a new secret. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startApp, startWithAdmin, type TestApp } from "./support/app.ts";
import { runCli } from "./support/run-cli.ts";
import { createTempFolder } from "./support/temp-folder.ts";
import { addWebhook, deliver, expectSigned, settingsFor, startReceiver } from "./support/webhook-receiver.ts";

const PATH = "/api/admin/webhooks";

/** A webhook whose receiver is away, and an event that waits for it. */
async function scene(variables: Record<string, string> = {}) {
  const receiver = await startReceiver((response) => response.writeHead(500).end());
  const settings = { ...settingsFor(receiver), ...variables, DATABASE_URL: "" };
  const dataDir = createTempFolder();
  const started = await startWithAdmin(settings, { dataDir });
  const webhook = await addWebhook(started.client, receiver.url, { name: "CRM" });
  await started.client.post(`${PATH}/${webhook.id}/test`);
  await deliver(started.app);
  const command = (...args: string[]) => runCli({ args, variables: { DATA_DIR: dataDir } });
  return { ...started, dataDir, settings, receiver, webhook, command };
}

/** A backup has no secret. */
const secretOf = (letter: string) => `${letter.repeat(3)}-4fTq9zXkB7nLw2RsV8cYdHjM3gPaE6uK1tZx5QiN0o`;

const listFindings = async (app: TestApp) => {
  const { body } = await (await app.admin()).get("/api/admin/doctor");
  return body.findings.map(({ check, severity }: { check: string; severity: string }) => [check, severity]);
};

it("bookdist outbox lists what waits by receiver, and releases or drops what is held", async () => {
  const { app, client, webhook, command } = await scene();
  const since = "the oldest since 2026-03-01T12:00:00.000Z";
  expect(await command("outbox")).toEqual({ code: 0, out: `CRM: 1 waiting, ${since}\n`, errors: "" });
  await app.container.writeRecords(({ outbox }) => outbox.hold());
  expect(await listFindings(app)).toContainEqual(["outbox_held", "warning"]);
  const { deliveries } = (await client.get(`${PATH}/${webhook.id}/deliveries?state=waiting`)).body;
  expect(deliveries).toMatchObject([{ state: "waiting", nextAttemptAt: null }]);
  const listed = await command("outbox");
  expect(listed.out).toMatch(/^CRM: 0 waiting, 1 held, the oldest since .*\n.*--release.*--drop\.\n$/);
  expect((await command("outbox", "--release")).out).toMatch(/^Released 1 held/);
  await app.container.writeRecords(({ outbox }) => outbox.hold());
  expect((await command("outbox", "--drop")).out).toBe("Dropped 1 held deliveries.\n");
  expect((await command("outbox")).out).toBe("Nothing waits to be delivered.\n");
  const [dropped] = (await client.get(`${PATH}/${webhook.id}/deliveries`)).body.deliveries;
  expect(dropped.state).toBe("dropped");
  expect((await command("outbox", "--drop", "--release")).code).toBe(64);
});

it("after a restore nothing is sent a second time before an operator decides", async () => {
  const { dataDir, receiver, settings, command } = await scene({ AUTH_SECRET: secretOf("a") });
  expect((await command("backup")).code).toBe(0);
  const restored = join(createTempFolder(), "data");
  const backups = join(dataDir, "backups");
  const [name = ""] = readdirSync(backups);
  const args = ["restore", join(backups, name)];
  expect((await runCli({ args, variables: { DATA_DIR: restored } })).code).toBe(0);
  const before = receiver.received.length;
  const again = await startApp(settings, { dataDir: restored });
  again.clock.advance(86_400_000);
  await deliver(again);
  expect(receiver.received.length).toBe(before);
  await again.container.writeRecords(({ outbox }) => outbox.release(again.clock.now()));
  await deliver(again);
  expect(receiver.received.length).toBe(before + 1);
});

it("with another AUTH_SECRET nothing is sent until the secret of the webhook was renewed", async () => {
  const { dataDir, settings, webhook } = await scene({ AUTH_SECRET: secretOf("a") });
  const receiver = await startReceiver();
  const hosts = settingsFor(receiver);
  const { app, client } = await startWithAdmin(
    { ...settings, ...hosts, AUTH_SECRET: secretOf("b") },
    { dataDir },
  );
  expect(await listFindings(app)).toContainEqual(["webhook_secret", "error"]);
  expect((await client.patch(`${PATH}/${webhook.id}`, { url: receiver.url })).status).toBe(200);
  app.clock.advance(86_400_000);
  await deliver(app);
  expect(receiver.received).toEqual([]);
  const { body } = await client.post(`${PATH}/${webhook.id}/rotate-secret`);
  await deliver(app);
  const [first] = receiver.received;
  if (!first) throw new Error("nothing was received");
  expectSigned(first, body.secret);
  expect(first.signatures.length).toBe(1);
  expect(await listFindings(app)).not.toContainEqual(["webhook_secret", "error"]);
});

it("the doctor reports webhooks that are disabled, and events that were dropped", async () => {
  const { app, client, webhook } = await scene();
  await app.container.writeRecords(({ webhooks }) =>
    webhooks.disable(webhook.id, "failing", app.clock.now()),
  );
  await app.container.writeRecords(({ outbox }) => outbox.countDropped(3, app.clock.now()));
  const { body } = await client.get("/api/admin/doctor");
  expect(body.findings).toMatchObject([
    { check: "webhook_disabled", object: { kind: "webhook", id: webhook.id, name: "CRM" } },
    { check: "outbox_dropped", message: expect.stringContaining("3 events were dropped") },
  ]);
  app.clock.advance(8 * 86_400_000);
  const later = await app.container.services.doctor.examine({ deep: false, cloud: false });
  expect(later.findings.map(({ check }) => check)).not.toContain("outbox_dropped");
});

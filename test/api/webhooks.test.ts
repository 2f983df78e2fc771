/** Webhooks: how they are made, and what reaches them. */
import { describe, expect, it } from "vitest";
import { startApp, startWithAdmin } from "../support/app.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { contact } from "../support/factory.ts";
import { AGENTS, linkTo } from "../support/reader.ts";
import {
  addWebhook,
  deliver,
  expectSigned,
  settingsFor,
  startReceiver,
} from "../support/webhook-receiver.ts";

const PATH = "/api/admin/webhooks";

async function scene(events: readonly string[], more: Record<string, unknown> = {}) {
  const receiver = await startReceiver();
  const started = await startWithAdmin(settingsFor(receiver));
  const { app, client } = started;
  const { book } = await app.make.published("The Well", "en");
  const webhook = await addWebhook(client, receiver.url, { events, ...more });
  return { ...started, receiver, book, webhook, request: { slug: "the-well", languageCode: "en" } };
}

describe("a webhook", () => {
  it("is created with a secret, which no other response has", async () => {
    const { client, webhook } = await scene(["contact.erased", "download.requested"]);
    expect(webhook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const listed = (await client.get(PATH)).body.webhooks;
    expect(listed).toEqual([
      expect.objectContaining({
        id: webhook.id,
        name: "",
        events: ["download.requested", "contact.erased"],
        includeContact: false,
        isActive: 1,
        disabledReason: null,
        lastDelivery: null,
        waiting: 0,
      }),
    ]);
    expect(JSON.stringify(listed)).not.toContain("whsec_");
    expect((await client.get(`${PATH}/${webhook.id}`)).body).toEqual(listed[0]);
  });

  it("needs PUBLIC_BASE_URL", async () => {
    const { client } = await startWithAdmin();
    const given = { url: "https://crm.example.org/", events: ["webhook.test"] };
    expectProblem(await client.post(PATH, given), 409, { code: "public_base_url_missing" });
  });

  it("can be one of ten", async () => {
    const { client, receiver } = await scene(["webhook.test"]);
    for (let count = 1; count < 10; count++) await addWebhook(client, receiver.url);
    const response = await client.post(PATH, { url: receiver.url, events: ["webhook.test"] });
    expectProblem(response, 409, { code: "too_many_webhooks" });
  });

  it("is changed, disabled and deleted, each time with an entry in the audit log without its secret", async () => {
    const { client, webhook } = await scene(["download.requested"]);
    const path = `${PATH}/${webhook.id}`;
    const changed = await client.patch(path, { name: "CRM", events: ["book.changed"], isActive: 0 });
    expect(changed.body.webhook).toMatchObject({
      name: "CRM",
      events: ["book.changed"],
      isActive: 0,
      disabledReason: "manual",
    });
    expect((await client.put(path, { isActive: 1 })).body.webhook.disabledReason).toBeNull();
    await client.post(`${path}/rotate-secret`);
    expectProblem(await client.with({ "If-Match": '"other"' }).delete(path), 412, {
      code: "changed_meanwhile",
    });
    expect((await client.delete(path)).status).toBe(200);
    expectProblem(await client.get(path), 404, { code: "webhook_not_found" });
    const { entries } = (await client.get("/api/admin/audit?objectKind=webhook")).body;
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      "delete",
      "update",
      "update",
      "update",
      "create",
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/whsec_|[A-Za-z0-9_-]{60}/);
  });
});

describe("an event", () => {
  it("of a form and its download reaches the receiver, signed, without a person", async () => {
    const { app, client, receiver, webhook, book, request } = await scene([
      "contact.created",
      "download.requested",
      "download.redeemed",
    ]);
    const submitted = await app.api.post("/api/download/submit?utm_source=flyer", { contact, ...request });
    const link = submitted.body.downloadUrl;
    await app.api.get(link, { "User-Agent": AGENTS.chrome });
    await deliver(app);
    for (const received of receiver.received) expectSigned(received, webhook.secret);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(3);
    const [created, requested, redeemed] = receiver.received
      .map(({ body }) => body)
      .sort((one, other) => one.sequence - other.sequence);
    const contactId = created?.data.contactId;
    expect(created).toMatchObject({ type: "contact.created", timestamp: "2026-03-01T12:00:00.000Z" });
    const download = {
      eventId: "1",
      contactId,
      bookId: book.id,
      slug: "the-well",
      languageCode: "en",
      fileType: "txt",
      isDownloadAll: 0,
      booksCount: 1,
      utmSource: "flyer",
      utmMedium: null,
      utmCampaign: null,
    };
    expect(requested).toMatchObject({ type: "download.requested", data: download });
    expect(redeemed).toMatchObject({ type: "download.redeemed", data: download });
    expect(receiver.received.map(({ raw }) => raw).join()).not.toContain(contact.email);
    expect((await client.get(`${PATH}/${webhook.id}`)).body).toMatchObject({
      waiting: 0,
      lastDelivery: { at: "2026-03-01T12:00:00.000Z", status: 204 },
    });
  });

  it("has the reader where the webhook includes contacts", async () => {
    const { app, receiver, request } = await scene(["contact.created"], { includeContact: true });
    const consent = { marketing: true, textVersion: "2026-03" };
    await linkTo(app.api, { ...request, consent });
    await deliver(app);
    expect(receiver.received[0]?.body.data.contact).toEqual({
      email: contact.email,
      firstName: contact.firstName,
      marketing: "yes",
      marketingTextVersion: "2026-03",
      verifiedAt: null,
    });
  });

  it("has null as the reader who was erased", async () => {
    const { app, client, receiver, request } = await scene(["contact.erased"], { includeContact: true });
    await linkTo(app.api, request);
    const [{ id }] = (await client.get("/api/admin/contacts")).body.contacts;
    expect((await client.delete(`/api/admin/contacts/${id}`)).status).toBe(200);
    await deliver(app);
    expect(receiver.received.map(({ body }) => body.data)).toEqual([{ contactId: id, contact: null }]);
  });

  it("of a book is one, with the state at sending, however often the book changed", async () => {
    const { app, client, receiver, webhook, book } = await scene(["book.changed"]);
    await client.put(`${PATH}/${webhook.id}`, { isActive: 0 });
    await client.patch(`/api/admin/books/${book.id}`, { description: "Not sent." });
    await client.put(`${PATH}/${webhook.id}`, { isActive: 1 });
    await deliver(app);
    expect(receiver.received).toEqual([]);
    await client.patch(`/api/admin/books/${book.id}`, { slug: "a-well" });
    await deliver(app);
    const published = { bookId: book.id, slug: "a-well", isPublished: true, publishedLanguages: ["en"] };
    expect(receiver.received.at(-1)?.body.data).toEqual(published);
    await client.delete(`/api/admin/books/${book.id}`);
    await deliver(app);
    expect(receiver.received.at(-1)?.body.data).toMatchObject({ isPublished: false, publishedLanguages: [] });
  });

  it("of a language, a channel or a visibility names the languages", async () => {
    const { app, receiver } = await scene(["catalogue.changed"]);
    const { id } = await app.make.language("en-GB");
    await app.make.channel("Schools");
    await deliver(app);
    const events = receiver.received.map(({ body }) => body);
    expect(events.sort((one, other) => one.sequence - other.sequence).map(({ data }) => data)).toEqual([
      { languageCodes: ["en-GB"] },
      { languageCodes: ["en", "en-GB"] },
    ]);
    expect(id).toBeGreaterThan(0);
  });

  it("of an erased contact isn't sent, but that of the erasure is", async () => {
    const { app, client, receiver, webhook, request } = await scene(["contact.erased", "download.requested"]);
    await client.put(`${PATH}/${webhook.id}`, { isActive: 0 });
    await client.put(`${PATH}/${webhook.id}`, { isActive: 1 });
    await linkTo(app.api, request);
    await deliver(app);
    const [{ id }] = (await client.get("/api/admin/contacts")).body.contacts;
    expect((await client.delete(`/api/admin/contacts/${id}`)).status).toBe(200);
    await deliver(app);
    expect(receiver.received.map(({ body }) => [body.type, body.data.contactId])).toEqual([
      ["download.requested", id],
      ["contact.erased", id],
    ]);
    const { deliveries } = (await client.get(`${PATH}/${webhook.id}/deliveries`)).body;
    const sent = deliveries.find(({ event }: { event: string }) => event === "download.requested");
    const again = await client.post(`${PATH}/${webhook.id}/deliveries/${sent.id}/resend`);
    expectProblem(again, 409, { code: "contact_erased" });
  });

  it("costs nothing without a webhook", async () => {
    const app = await startApp();
    await app.make.published("The Well", "en");
    await linkTo(app.api, { slug: "the-well", languageCode: "en" });
    const rows = await app.container.database.read.selectFrom("outbox").select("id").execute();
    expect(rows).toEqual([]);
  });
});

it("a test event is sent without a subscription, listed, and sent again with its id", async () => {
  const { app, client, receiver, webhook } = await scene(["book.changed"]);
  const path = `${PATH}/${webhook.id}`;
  const { status, body } = await client.post(`${path}/test`);
  expect(status).toBe(202);
  await deliver(app);
  const { deliveries, pagination } = (await client.get(`${path}/deliveries?state=delivered`)).body;
  expect(pagination.total).toBe(1);
  expect(deliveries).toEqual([
    {
      id: body.deliveryId,
      event: "webhook.test",
      state: "delivered",
      attempts: 1,
      lastAttemptAt: "2026-03-01T12:00:00.000Z",
      nextAttemptAt: null,
      httpStatus: 204,
      error: null,
      durationMs: expect.any(Number),
    },
  ]);
  expect((await client.post(`${path}/deliveries/${body.deliveryId}/resend`)).status).toBe(202);
  await deliver(app);
  expect(receiver.received.map(({ id }) => id)).toEqual([body.deliveryId, body.deliveryId]);
  expectProblem(await client.post(`${path}/deliveries/none/resend`), 404, { code: "delivery_not_found" });
});

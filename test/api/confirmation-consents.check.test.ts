/** A consent to marketing that waits until the owner of the address confirms it. */
import { describe, expect, it } from "vitest";
import { MAX_STATEMENTS } from "../../src/services/contacts/consent-ledger.ts";
import { bodyOf } from "../support/client.ts";
import { startWithConfirmation } from "../support/confirmations.ts";
import { contact } from "../support/factory.ts";
import { readCsv } from "../support/read-csv.ts";
import { addWebhook, deliver, startReceiver } from "../support/webhook-receiver.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const yes = { consent: { marketing: true, textVersion: "1" } };
const no = { consent: { marketing: false, textVersion: "1" } };

async function scene(rule: "optional" | "required" = "optional") {
  const started = await startWithConfirmation(rule);
  const { app, client, ask, findReader, receivePath, press } = started;
  const marketing = async () => (await findReader()).marketing;
  /** Asks, and presses the button of the letter for it. */
  const confirm = async (said: object) => {
    app.clock.advance(MINUTE * 2);
    await ask(said);
    await press(await receivePath());
  };
  const readStatements = async () => {
    const { consents, consent } = await bodyOf(client.get(`/api/admin/contacts/${(await findReader()).id}`));
    return { consents, consent };
  };
  return { ...started, marketing, confirm, readStatements };
}

describe("a yes of a form", () => {
  it.each(["optional", "required"] as const)("counts once the address is confirmed: %s", async (rule) => {
    const { app, ask, marketing, receivePath, press, readStatements } = await scene(rule);
    await ask(yes);
    expect(await marketing()).toBe("pending");
    const waiting = await readStatements();
    expect(waiting.consent).toMatchObject({ state: "pending", marketing: false });
    expect(waiting.consents).toMatchObject([{ marketing: true, confirmation: "pending" }]);
    app.clock.advance(HOUR);
    const path = await receivePath();
    await press(path);
    expect(await marketing()).toBe("yes");
    expect((await readStatements()).consents).toMatchObject([
      {
        marketing: true,
        textVersion: "1",
        source: "form",
        confirmation: "confirmed",
        givenAt: "2026-03-01T13:00:00.000Z",
        ipAddress: "127.0.0.1",
      },
      { marketing: true, confirmation: "pending" },
    ]);
    await press(path);
    expect((await readStatements()).consents).toHaveLength(2);
  });

  it("waits for seven days, and can't be confirmed after that", async () => {
    const { app, ask, marketing, receivePath, press } = await scene();
    await ask(yes);
    await receivePath();
    app.clock.advance(6 * DAY);
    await ask();
    const path = await receivePath();
    expect(await marketing()).toBe("pending");
    app.clock.advance(DAY);
    // The session has ended meanwhile.
    const analyst = await app.make.login("analyst");
    const isUnknown = async () => {
      const { contacts } = await bodyOf(analyst.get("/api/admin/contacts?marketing=unknown"));
      return contacts.map((each: { marketing: string }) => each.marketing);
    };
    expect(await isUnknown()).toEqual(["unknown"]);
    await press(path);
    expect(await isUnknown()).toEqual(["unknown"]);
  });

  it("changes nothing of what was agreed", async () => {
    const { ask, marketing, confirm } = await scene();
    await confirm(yes);
    await ask(yes);
    await ask({ consent: { marketing: true, textVersion: "2" } });
    expect(await marketing()).toBe("yes");
  });

  it("counts again after a withdrawal, since only the mailbox can confirm it", async () => {
    const { app, client, ask, findReader, marketing, confirm, receivePath, press } = await scene();
    await confirm(yes);
    app.clock.advance(HOUR);
    await ask(no);
    expect(await marketing()).toBe("withdrawn");
    await receivePath();
    app.clock.advance(HOUR);
    await ask(yes);
    expect(await marketing()).toBe("pending");
    await press(await receivePath());
    expect(await marketing()).toBe("yes");
    await bodyOf(client.patch(`/api/admin/contacts/${(await findReader()).id}`, { marketing: false }));
    expect(await marketing()).toBe("withdrawn");
    app.clock.advance(HOUR);
    await confirm(yes);
    expect(await marketing()).toBe("yes");
  });

  it("isn't confirmed after a no", async () => {
    const { app, ask, marketing, receivePath, press } = await scene();
    await ask(yes);
    const path = await receivePath();
    app.clock.advance(1000);
    await ask(no);
    await press(path);
    expect(await marketing()).toBe("no");
  });

  it("isn't confirmed for another address than the one for which it was said", async () => {
    const { app, client, ask, findReader, marketing, receivePath, press } = await scene();
    await ask(yes);
    await receivePath();
    const email = "new@example.org";
    await bodyOf(client.patch(`/api/admin/contacts/${(await findReader()).id}`, { email }));
    expect(await marketing()).toBe("unknown");
    app.clock.advance(HOUR);
    await ask({ contact: { ...contact, email } });
    await press(await receivePath());
    expect(await marketing()).toBe("unknown");
    app.clock.advance(HOUR);
    await ask({ contact: { ...contact, email }, ...yes });
    expect(await marketing()).toBe("pending");
    await press(await receivePath());
    expect(await marketing()).toBe("yes");
  });

  it("leaves a bounded ledger, however often it is confirmed", async () => {
    const { app, ask, marketing, receivePath, press, readStatements } = await scene();
    await ask(yes);
    const path = await receivePath();
    for (let time = 0; time < MAX_STATEMENTS; time += 1) {
      app.clock.advance(1000);
      await press(path);
      await ask(yes);
    }
    await press(path);
    expect((await readStatements()).consents).toHaveLength(MAX_STATEMENTS);
    expect(await marketing()).toBe("yes");
  });
});

it("contacts show when the address was confirmed, in lists, details and exports, and are found by it", async () => {
  const { app, client, ask, confirm } = await scene();
  await confirm(yes);
  await ask({ contact: { ...contact, email: "other@example.org" }, ...yes });
  const verifiedAt = new Date(app.clock.now()).toISOString();
  const find = async (query: string) => {
    const { contacts } = await bodyOf(client.get(`/api/admin/contacts?${query}`));
    return contacts.map((each: { email: string; verifiedAt: string | null }) => [
      each.email,
      each.verifiedAt,
    ]);
  };
  expect(await find("verified=true")).toEqual([[contact.email, verifiedAt]]);
  expect(await find("verified=false")).toEqual([["other@example.org", null]]);
  expect(await find("marketing=pending")).toEqual([["other@example.org", null]]);
  expect(await find("marketing=unknown")).toEqual([]);
  const read = async (query: string) =>
    readCsv((await client.get(`/api/admin/contacts/export?${query}`)).body.toString());
  const [header = [], first = []] = await read("verified=true");
  expect(header.slice(-2)).toEqual(["verifiedAt", "mailState"]);
  expect(first.slice(-2)).toEqual([verifiedAt, "ok"]);
  expect((await read("marketing=pending")).length).toBe(2);
  const [columns, subscriber = []] = await read("format=listmonk");
  expect(columns).toEqual(["email", "name", "attributes"]);
  expect(JSON.parse(subscriber[2] ?? "")).toMatchObject({ confirmed: true });
});

it("a press is told to other systems, once, and events about the reader say when it was", async () => {
  const receiver = await startReceiver();
  const { app, client, ask, receivePath, press } = await startWithConfirmation("required", {
    WEBHOOK_ALLOW_HOSTS: receiver.hostAndPort,
  });
  await addWebhook(client, receiver.url, { events: ["contact.confirmed"], includeContact: true });
  await ask(yes);
  const path = await receivePath();
  for (const minutes of [1, 1]) {
    app.clock.advance(minutes * MINUTE);
    await press(path);
    await deliver(app);
  }
  expect(receiver.received.map(({ body }) => body)).toMatchObject([
    {
      type: "contact.confirmed",
      data: {
        contactId: expect.any(String),
        contact: { email: contact.email, marketing: "yes", verifiedAt: "2026-03-01T12:01:00.000Z" },
      },
    },
  ]);
});

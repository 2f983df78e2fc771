/** How letters end: by their reader, by mail programs, and by servers that don't know an address. */
import { describe, expect, it } from "vitest";
import { startApp, startWithAdmin } from "../support/app.ts";
import { bodyOf, type Client } from "../support/client.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { contact } from "../support/factory.ts";
import { mailSettings, type Replies, sendLetters, startMailServer } from "../support/mail-server.ts";

const HOUR = 3_600_000;
const consent = { marketing: true, textVersion: "1" };

async function scene(replies: Replies = {}) {
  const server = await startMailServer(replies);
  const started = await startWithAdmin(mailSettings(server, { MAIL_LINK: "true" }));
  const { app, client } = started;
  await app.make.published("The Well", "en");
  const ask = async (more: object = {}) => {
    const request = { contact, slug: "the-well", languageCode: "en", ...more };
    await bodyOf(app.api.post("/api/download/submit", request));
    await sendLetters(app);
    app.clock.advance(HOUR);
  };
  /** The contact as a list has it. */
  const findReader = async () => (await bodyOf(client.get("/api/admin/contacts"))).contacts[0];
  return { ...started, server, ask, findReader };
}

/** The path of the address that stops letters, and its header. */
async function stopOf({ server, ask }: Pick<Awaited<ReturnType<typeof scene>>, "server" | "ask">) {
  await ask({ consent });
  const { mail } = server.only();
  server.received.length = 0;
  const header = (key: string) => mail.headers.find((one) => one.key === key)?.value;
  const path = /<https:\/\/books\.example\.org\/library(\/api\/mail\/\w{22}\/stop)>/.exec(
    header("list-unsubscribe") ?? "",
  )?.[1];
  expect(mail.text).toContain(path);
  expect(mail.html).toContain(path);
  return { path: path ?? "", oneClick: header("list-unsubscribe-post") };
}

const pageOf = async (sent: ReturnType<Client["get"]>) => {
  const { status, headers, body } = await sent;
  expect(status).toBe(200);
  expect(headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(headers["referrer-policy"]).toBe("no-referrer");
  expect(headers["cache-control"]).toBe("private, no-store");
  return String(body);
};

describe("the address that stops letters", () => {
  it("shows a page with one button, and changes nothing", async () => {
    const started = await scene();
    const { app, server, ask, findReader } = started;
    const { path } = await stopOf(started);
    const page = await pageOf(app.api.get(path));
    expect(page.match(/<button/g)).toHaveLength(1);
    expect(page).toContain('<form method="post" action="stop">');
    expect(page).toBe(await pageOf(app.api.get("/api/mail/unknown/stop")));
    expect((await findReader()).marketing).toBe("yes");
    await ask();
    expect(server.received.length).toBe(1);
  });

  it.each([
    ["as a mail program presses it", "List-Unsubscribe=One-Click", "https://mail.example.com"],
    ["as the page does", "", undefined],
  ])("stops them when it is pressed %s, again and again", async (_, body, Origin) => {
    const started = await scene();
    const { app, server, ask, findReader } = started;
    const { path, oneClick } = await stopOf(started);
    expect(oneClick).toBe("List-Unsubscribe=One-Click");
    const headers = {
      "Content-Type": "application/x-www-form-urlencoded",
      ...(Origin && { Origin, "Sec-Fetch-Site": "cross-site" }),
    };
    const press = () => pageOf(app.api.call("post", path, { headers, body }));
    const page = await press();
    expect(page).toBe(await press());
    expect(page).toBe(await pageOf(app.api.call("post", "/api/mail/unknown/stop", { headers, body })));
    expect((await findReader()).marketing).toBe("withdrawn");
    await ask();
    expect(server.received).toEqual([]);
    const consents = await app.container.database.read.selectFrom("consents").selectAll().execute();
    expect(consents.map(({ marketing }) => marketing)).toEqual([1, 0]);
  });

  it("allows letters again, but not the newsletter", async () => {
    const started = await scene();
    const { app, server, ask, findReader } = started;
    const { path } = await stopOf(started);
    const stopped = await pageOf(app.api.post(path));
    expect(stopped).toContain('name="undo" value="true"');
    for (const undo of [{ undo: true }, { undo: true }]) await pageOf(app.api.post(path, undo));
    expect((await findReader()).marketing).toBe("withdrawn");
    await ask();
    expect(server.received.length).toBe(1);
  });

  it("is in the language of the browser", async () => {
    const { app } = await scene();
    const french = await pageOf(
      app.api.get("/api/mail/unknown/stop", { "Accept-Language": "fr-CA, en;q=0.5" }),
    );
    expect(french).toContain('<html lang="fr" dir="ltr">');
    expect(french).toContain("Plus de messages");
  });

  it("withdraws a yes that has come since it was pressed", async () => {
    const started = await scene();
    const { app, client, findReader } = started;
    const { path } = await stopOf(started);
    await pageOf(app.api.post(path));
    const { id } = await findReader();
    await bodyOf(client.patch(`/api/admin/contacts/${id}`, { marketing: true }));
    expect((await findReader()).marketing).toBe("yes");
    for (let press = 0; press < 2; press++) await pageOf(app.api.post(path));
    expect(await findReader()).toMatchObject({ marketing: "withdrawn", mailState: "stopped" });
    const consents = await app.container.database.read.selectFrom("consents").selectAll().execute();
    expect(consents.length).toBe(4);
  });

  it("is the same for all keys that no letter has, with any characters", async () => {
    const { app } = await scene();
    const page = await pageOf(app.api.post("/api/mail/unknown/stop"));
    for (const key of ["%00", "a%00b", "%0D%0A", "%F0%9F%98%80", "'", "k".repeat(100)])
      expect(await pageOf(app.api.post(`/api/mail/${key}/stop`))).toBe(page);
  });

  it("works without a mail server, for letters that went before", async () => {
    const { app, client } = await startWithAdmin();
    await app.make.published("The Well", "en");
    const request = { contact, consent, slug: "the-well", languageCode: "en" };
    await bodyOf(app.api.post("/api/download/submit", request));
    const readers = app.container.database.read.selectFrom("contacts").select(["id", "mailState"]);
    const { id } = await readers.executeTakeFirstOrThrow();
    await app.container.writeRecords(({ contacts }) => contacts.keepMailKey(id, "sent"));
    const state = async () => {
      const { contacts } = await bodyOf(client.get("/api/admin/contacts"));
      return [contacts[0].marketing, (await readers.executeTakeFirst())?.mailState];
    };
    expect(await pageOf(app.api.get("/api/mail/sent/stop"))).toBe(
      await pageOf(app.api.get("/api/mail/unknown/stop")),
    );
    expect(await state()).toEqual(["yes", "ok"]);
    await pageOf(app.api.post("/api/mail/sent/stop"));
    expect(await state()).toEqual(["withdrawn", "stopped"]);
    await pageOf(app.api.post("/api/mail/sent/stop", { undo: true }));
    expect(await state()).toEqual(["withdrawn", "ok"]);
  });
});

it("an address that its server doesn't know gets no letters after three that were refused in a row", async () => {
  let reply: string | undefined = "550 no such user";
  const { app, server, ask } = await scene({ recipient: () => reply });
  const states = () =>
    app.container.database.read.selectFrom("contacts").select(["mailState", "mailFailures"]).execute();
  await ask();
  await ask();
  reply = undefined;
  await ask();
  expect(await states()).toEqual([{ mailState: "ok", mailFailures: 0 }]);
  server.received.length = 0;
  reply = "550 no such user";
  for (let day = 0; day < 3; day++) {
    app.clock.advance(24 * HOUR);
    await ask();
  }
  expect(await states()).toEqual([{ mailState: "failing", mailFailures: 3 }]);
  reply = undefined;
  app.clock.advance(24 * HOUR);
  await ask();
  expect(server.received).toEqual([]);
  const ended = await app.container.database.read
    .selectFrom("outbox")
    .select(["state", "httpStatus"])
    .execute();
  expect(ended.filter(({ state }) => state === "failed")).toEqual(
    Array.from({ length: 5 }, () => ({ state: "failed", httpStatus: 550 })),
  );
});

it("a refused log-in stops all letters for a while, and loses none", async () => {
  let reply: string | undefined = "535 wrong password";
  const tried: number[] = [];
  const login = () => {
    tried.push(0);
    return reply;
  };
  const server = await startMailServer({ login });
  const url = server.url.replace("//", "//books:word@");
  const app = await startApp(mailSettings({ url }, { MAIL_LINK: "true" }));
  await app.make.published("The Well", "en");
  for (const name of ["a", "b", "c", "d"]) {
    const reader = { ...contact, email: `${name}@example.org` };
    await bodyOf(
      app.api.post("/api/download/submit", { contact: reader, slug: "the-well", languageCode: "en" }),
    );
  }
  await sendLetters(app);
  await sendLetters(app);
  const before = tried.length;
  // Two connections, each of which may try two ways to log in.
  expect(before).toBeLessThanOrEqual(4);
  app.clock.advance(4 * 60_000);
  await sendLetters(app);
  expect(tried.length).toBe(before);
  reply = undefined;
  app.clock.advance(2 * 60_000);
  await sendLetters(app);
  expect(server.received.map(({ to }) => to.join()).sort()).toEqual(
    ["a", "b", "c", "d"].map((name) => `${name}@example.org`),
  );
  const rows = await app.container.database.read.selectFrom("outbox").select("attempts").execute();
  expect(rows.every(({ attempts }) => attempts === 1)).toBe(true);
  expect(JSON.stringify(app.logged)).not.toContain("@example.org");
});

describe("a contact", () => {
  it("that is failing gets letters again by an administrator, one that has stopped them only by its reader", async () => {
    const replies: Replies = { recipient: () => "550 no such user" };
    const started = await scene(replies);
    const { app, client, server, ask, findReader } = started;
    for (let letter = 0; letter < 3; letter++) {
      await ask();
      app.clock.advance(24 * HOUR);
    }
    const { id, mailState } = await findReader();
    expect(mailState).toBe("failing");
    const path = `/api/admin/contacts/${id}`;
    expect((await bodyOf(client.patch(path, { mailState: "ok" }))).contact.mailState).toBe("ok");
    delete replies.recipient;
    server.replies.recipient = () => undefined;
    const { path: stop } = await stopOf(started);
    await pageOf(app.api.post(stop));
    expect((await bodyOf(client.get(path))).contact.mailState).toBe("stopped");
    const refused = await client.patch(path, { mailState: "ok" });
    expectProblem(refused, 409, { code: "letters_stopped" });
    expectProblem(await client.patch(path, { mailState: "failing" }), 400, {
      errors: ["mailState invalid_value"],
    });
  });

  it("whose address is corrected gets none of the letters to the former one", async () => {
    let reply: string | undefined;
    const started = await scene({ recipient: () => reply });
    const { app, client, server, ask, findReader } = started;
    const { path: stop } = await stopOf(started);
    reply = "450 later";
    await ask();
    const { id } = await findReader();
    await bodyOf(client.patch(`/api/admin/contacts/${id}`, { email: "new@example.org" }));
    reply = undefined;
    app.clock.advance(HOUR);
    await sendLetters(app);
    expect(server.received).toEqual([]);
    // The link of the former mailbox stops nothing at the new one.
    await pageOf(app.api.post(stop));
    expect(await findReader()).toMatchObject({
      email: "new@example.org",
      mailState: "ok",
      marketing: "unknown",
    });
    // That of the new one withdraws what was said for it, which is nothing.
    await ask({ contact: { ...contact, email: "new@example.org" } });
    const [letter] = server.received;
    await pageOf(app.api.post(/\/api\/mail\/\w{22}\/stop/.exec(letter?.mail.text ?? "")?.[0] ?? ""));
    expect(await findReader()).toMatchObject({ mailState: "stopped", marketing: "unknown" });
  });

  it("has no state of letters without a mail server", async () => {
    const { app, client } = await startWithAdmin();
    await app.make.published("The Well", "en");
    await bodyOf(app.api.post("/api/download/submit", { contact, slug: "the-well", languageCode: "en" }));
    const { contacts } = await bodyOf(client.get("/api/admin/contacts"));
    expect(Object.keys(contacts[0])).not.toContain("mailState");
    const details = await bodyOf(client.get(`/api/admin/contacts/${contacts[0].id}`));
    expect(Object.keys(details.contact)).not.toContain("mailState");
  });
});

/** Letters to readers: what arrives, when, and how often. */
import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { bodyOf } from "../support/client.ts";
import { contact } from "../support/factory.ts";
import { mailSettings, type Replies, sendLetters, startMailServer } from "../support/mail-server.ts";

const MINUTE = 60_000;

/** A service that sends each link by mail, too. */
async function scene(replies: Replies = {}, more: Readonly<Record<string, string>> = {}) {
  const server = await startMailServer(replies);
  const started = await startWithAdmin(mailSettings(server, { MAIL_LINK: "true", ...more }));
  const { app } = started;
  await app.make.published("The Well", "en");
  const ask = (email = contact.email) => {
    const request = { slug: "the-well", languageCode: "en" };
    return app.api.post("/api/download/submit", { contact: { ...contact, email }, ...request });
  };
  return { ...started, server, ask };
}

describe("with MAIL_LINK, a request", () => {
  it("sends the link to the reader, once", async () => {
    const { app, server, ask } = await scene();
    const { status, body } = await ask();
    expect([status, Object.keys(body).sort()]).toEqual([
      200,
      ["downloadUrl", "expiresAt", "fileName", "fileSizeBytes", "fileType"],
    ]);
    await sendLetters(app);
    await sendLetters(app);
    const { from, to, mail } = server.only();
    expect({ from, to }).toEqual({ from: "books@example.org", to: [contact.email] });
    expect(mail.subject).toBe("Your book: The Well");
    const link = /https:\/\/books\.example\.org\/library(\/api\/download\/[\w.-]+)/.exec(
      mail.text ?? "",
    )?.[1];
    expect(mail.html).toContain(link);
    expect(mail.text).not.toContain(contact.firstName);
    expect((await app.api.get(link ?? "")).status).toBe(200);
    app.clock.advance(23 * 60 * MINUTE);
    expect((await app.api.get(link ?? "")).status).toBe(200);
  });

  it("for a whole language names it", async () => {
    const { app, server } = await scene();
    await bodyOf(app.api.post("/api/download/submit-all", { contact, languageCode: "en" }));
    await sendLetters(app);
    const [english] = (await bodyOf(app.api.get("/api/languages"))).languages;
    expect(server.only().mail.subject).toBe(`Your book: All books in ${english.nativeName}`);
  });

  it("writes no person and no link into the outbox", async () => {
    const { app, ask } = await scene({ recipient: () => "450 later" });
    await ask();
    await sendLetters(app);
    const rows = await app.container.database.read.selectFrom("outbox").selectAll().execute();
    expect(rows).toEqual([
      expect.objectContaining({ event: "letter.download", state: "waiting", attempts: 1 }),
    ]);
    const recipients = await app.container.database.read.selectFrom("mail_recipients").selectAll().execute();
    expect(recipients.length).toBe(1);
    expect(JSON.stringify([rows, recipients])).not.toMatch(/example|mira|download\//i);
  });

  it("is sent again after a failure of the moment, with the same id", async () => {
    let reply: string | undefined = "450 greylisted";
    const { app, server, ask } = await scene({ recipient: () => reply });
    await ask();
    await sendLetters(app);
    reply = undefined;
    app.clock.advance(6000);
    await sendLetters(app);
    const [{ id } = { id: "" }] = await app.container.database.read
      .selectFrom("outbox")
      .select("id")
      .execute();
    expect(server.received.map(({ mail }) => mail.messageId)).toEqual([`<${id}@example.org>`]);
  });

  it("sends nothing after the reader was erased", async () => {
    const { app, client, server, ask } = await scene({ recipient: () => "450 later" });
    await ask();
    await sendLetters(app);
    server.replies.recipient = () => undefined;
    const [{ id }] = (await client.get("/api/admin/contacts")).body.contacts;
    expect((await client.delete(`/api/admin/contacts/${id}`)).status).toBe(200);
    app.clock.advance(MINUTE);
    await sendLetters(app);
    expect(server.received).toEqual([]);
    for (const table of ["outbox", "mail_recipients"] as const)
      expect(await app.container.database.read.selectFrom(table).selectAll().execute()).toEqual([]);
  });
});

it("without MAIL_LINK nothing is written", async () => {
  const { app, ask } = await scene({}, { MAIL_LINK: "false" });
  await ask();
  expect(await app.container.database.read.selectFrom("outbox").selectAll().execute()).toEqual([]);
});

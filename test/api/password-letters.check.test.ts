/** The letters of invitations and forgotten passwords: whom they reach, what they say, and where they lead. */
import { describe, expect, it } from "vitest";
import { changeUser, createAccount, logIn } from "../support/accounts.ts";
import { startApp } from "../support/app.ts";
import { startWithMail } from "../support/app-with-mail.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { mailSettings, sendLetters, startMailServer } from "../support/mail-server.ts";
import { RESET_PATH } from "../support/password-links.ts";

const PATH = "/api/admin/users";
const NEW_PASSWORD = "a new and even longer pass phrase";
const BEN = { email: "ben@example.org", name: "Ben <b>Okoro</b>", role: "editor", invite: true };
const LETTERS_NEEDED = { code: "mail_not_configured", errors: ["invite mail_not_configured"] };

const LINK = /https:\/\/books\.example\.org\/console\/reset#([\w.-]+)/g;

/** The token of the only link in a text. */
function tokenIn(text: string | undefined): string {
  const tokens = [...(text ?? "").matchAll(LINK)].map(([, token]) => token);
  expect(new Set(tokens).size).toBe(1);
  return tokens[0] ?? "";
}

async function start() {
  const app = await startWithMail();
  const account = await createAccount(app, "editor");
  const ask = (language = "en", email = account.email) =>
    app.api.with({ "Accept-Language": language }).post(RESET_PATH, { email });
  return { ...app, app, account, ask, admin: await app.admin(), server: app.mailServer };
}

describe("the letter of an invitation", () => {
  it("has a link that sets the first password, and no text that somebody has typed", async () => {
    const { app, api, admin, server } = await start();
    expect((await admin.post(PATH, BEN)).status).toBe(201);
    await sendLetters(app);
    await sendLetters(app);
    const { to, mail, raw } = server.only();
    expect(to).toEqual([BEN.email]);
    expect(mail.subject).toBe("Invitation to books.example.org");
    expect(raw).not.toContain("Okoro");
    expect(raw).not.toContain("List-Unsubscribe");
    const token = tokenIn(mail.text);
    expect(tokenIn(mail.html)).toBe(token);
    expect((await api.post(`${RESET_PATH}/${token}`, { newPassword: NEW_PASSWORD })).status).toBe(200);
    await logIn(app, BEN.email, NEW_PASSWORD);
  });

  it("goes to the address that the account has when it is sent", async () => {
    const { app, admin, server } = await start();
    server.replies.recipient = () => "450 later";
    const { body } = await admin.post(PATH, BEN);
    await sendLetters(app);
    expect((await admin.put(`${PATH}/${body.id}`, { email: "b@example.org", invite: true })).status).toBe(
      200,
    );
    server.replies.recipient = () => undefined;
    app.clock.advance(60_000);
    await sendLetters(app);
    expect(server.only().to).toEqual(["b@example.org"]);
  });
});

describe("the letter for a forgotten password", () => {
  it("reaches the account alone, in a language of the browser", async () => {
    const { app, ask, account, server } = await start();
    expect((await ask("xx, ar;q=0.9, de;q=0.8")).status).toBe(202);
    expect((await ask("en", "unknown@example.org")).status).toBe(202);
    await sendLetters(app);
    const { to, mail } = server.only();
    expect(to).toEqual([account.email]);
    expect(mail.html).toContain('<html lang="ar" dir="rtl">');
    expect(mail.subject).toContain("كلمة مرور جديدة");
    tokenIn(mail.text);
  });

  it("leaves neither person nor token in the database", async () => {
    const { app, ask, server } = await start();
    server.replies.recipient = () => "450 later";
    await ask();
    await sendLetters(app);
    const { read } = app.container.database;
    const rows = await read.selectFrom("outbox").selectAll().execute();
    expect(rows).toEqual([expect.objectContaining({ event: "letter.reset", state: "waiting", attempts: 1 })]);
    const links = await read.selectFrom("password_links").selectAll().execute();
    const [link] = links;
    const { token } = (await app.container.services.passwordLinks.describe(link?.id ?? "")) ?? {};
    expect(token).toBeDefined();
    expect(JSON.stringify([rows, links])).not.toMatch(/example\.org|eyJ/);
    expect(JSON.stringify(app.logged)).not.toContain(token);
  });

  it("is sent again after a failure of the moment, and each of both works", async () => {
    const { app, api, ask, server } = await start();
    let reply: string | undefined = "450 later";
    server.replies.recipient = () => reply;
    await ask();
    await sendLetters(app);
    reply = undefined;
    app.clock.advance(60_000);
    await sendLetters(app);
    expect((await api.get(`${RESET_PATH}/${tokenIn(server.only().mail.text)}`)).status).toBe(200);
  });

  it.each([
    ["the account was deactivated", { isActive: 0 as const }],
    ["it got another password", { password: NEW_PASSWORD }],
  ])("isn't sent any more once %s", async (_, change) => {
    const { app, ask, account, server } = await start();
    server.replies.recipient = () => "450 later";
    await ask();
    await sendLetters(app);
    await changeUser(app, account.id, change);
    server.replies.recipient = () => undefined;
    app.clock.advance(60_000);
    await sendLetters(app);
    expect(server.received).toEqual([]);
    expect(await app.container.database.read.selectFrom("outbox").selectAll().execute()).toEqual([]);
  });

  it("isn't sent once the user was deleted, and nothing of it is left", async () => {
    const { app, ask, account, admin, server } = await start();
    server.replies.recipient = () => "450 later";
    await ask();
    await sendLetters(app);
    expect((await admin.delete(`${PATH}/${account.id}`)).status).toBe(200);
    app.clock.advance(60_000);
    await sendLetters(app);
    for (const table of ["outbox", "password_links"] as const)
      expect(await app.container.database.read.selectFrom(table).selectAll().execute()).toEqual([]);
  });
});

it("has a text in each of the languages of readers' pages", async () => {
  const { app, admin, server } = await start();
  const codes = ["ar", "bo", "de", "en", "es", "fa", "fr", "hi", "id", "ja", "pt", "ru", "sw", "tr", "zh"];
  for (const code of codes) {
    const invited = { ...BEN, email: `${code}@example.org` };
    expect((await admin.with({ "Accept-Language": code }).post(PATH, invited)).status).toBe(201);
  }
  await sendLetters(app);
  const subjects = server.received.map(({ to: [address = ""], mail }) => [address.slice(0, 2), mail.subject]);
  expect(subjects.map(([code]) => code).sort()).toEqual(codes);
  expect(new Set(subjects.map(([, subject]) => subject)).size).toBe(codes.length);
  for (const { to, mail } of server.received)
    expect(mail.html).toContain(`<html lang="${to[0]?.slice(0, 2)}"`);
});

it("needs the console, to which the links lead", async () => {
  const server = await startMailServer();
  const app = await startApp(
    mailSettings(server, { PUBLIC_BASE_URL: "https://books.example.org", CONSOLE: "false" }),
  );
  const admin = await app.admin();
  expectProblem(await admin.post(PATH, BEN), 400, LETTERS_NEEDED);
  expectProblem(await app.api.post(RESET_PATH, { email: BEN.email }), 404, { code: "no_letters" });
});

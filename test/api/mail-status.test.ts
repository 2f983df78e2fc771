/** What administrators see of letters: counts, the last error, the doctor, and what the service has. */
import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { bodyOf } from "../support/client.ts";
import { contact } from "../support/factory.ts";
import { mailSettings, type Replies, sendLetters, startMailServer } from "../support/mail-server.ts";

const PATH = "/api/admin/mail";
const NONE = { waiting: 0, sentLast24h: 0, failedLast24h: 0, lastError: null, held: 0 };
const DAY = 24 * 3_600_000;

async function scene(replies: Replies = {}, url?: (url: string) => string) {
  const server = await startMailServer(replies);
  const settings = mailSettings({ url: url?.(server.url) ?? server.url }, { MAIL_LINK: "true" });
  const started = await startWithAdmin(settings);
  const { app } = started;
  await app.make.published("The Well", "en");
  const ask = async (name: string) => {
    const reader = { ...contact, email: `${name}@example.org` };
    await bodyOf(
      app.api.post("/api/download/submit", { contact: reader, slug: "the-well", languageCode: "en" }),
    );
  };
  return { ...started, server, ask };
}

interface Finding {
  check: string;
  message: string;
}

describe("GET /api/admin/mail", () => {
  it("counts letters that wait, were sent and have failed", async () => {
    const replies: Record<string, string> = { b: "550 no <b@example.org> here", c: "450 later" };
    const { app, client, ask } = await scene({ recipient: (address) => replies[address.slice(0, 1)] });
    expect(await bodyOf(client.get(PATH))).toEqual({ configured: true, ...NONE });
    for (const name of ["a", "b", "c"]) await ask(name);
    await sendLetters(app);
    const state = await bodyOf(client.get(PATH));
    expect(state).toEqual({
      configured: true,
      waiting: 1,
      sentLast24h: 1,
      failedLast24h: 1,
      lastError: expect.stringMatching(/^(550|450) /),
      held: 0,
    });
    expect(JSON.stringify(state)).not.toContain("@");
    await app.container.writeRecords(({ outbox }) => outbox.hold());
    app.clock.advance(2 * DAY);
    expect(await bodyOf(client.get(PATH))).toMatchObject({ waiting: 0, sentLast24h: 0, held: 1 });
    expect(await app.container.reads.deliveries.listTargets()).toMatchObject([
      { name: null, url: null, waiting: 0, held: 1 },
    ]);
  });

  it("says that letters are off", async () => {
    const { client } = await startWithAdmin();
    expect(await bodyOf(client.get(PATH))).toEqual({ configured: false, ...NONE });
  });
});

it("the session says what the service has", async () => {
  const { client } = await scene();
  const { features } = await bodyOf(client.get("/api/auth/session"));
  const off = { emailConfirmation: false, oidc: false };
  expect(features).toEqual({ ...off, mail: true, webhooks: true, library: true });
  const { client: without } = await startWithAdmin({ LIBRARY: "false" });
  const plain = await bodyOf(without.get("/api/auth/session"));
  expect(plain.features).toEqual({ ...off, mail: false, webhooks: false, library: false });
});

describe("the doctor", () => {
  it.each<[string, Replies, (url: string) => string, RegExp | undefined]>([
    ["works", {}, (url) => url, undefined],
    [
      "refuses the log-in",
      { login: () => "535 wrong" },
      (url) => url.replace("//", "//books:hunter2@"),
      /refuses the log-in: .*535/,
    ],
    ["isn't there", {}, () => "smtp://127.0.0.1:9", /isn't reached: .*ECONNREFUSED/],
  ])("names a mail server that %s", async (_, replies, url, expected) => {
    const { client } = await scene(replies, url);
    const { findings, checks } = await bodyOf(client.get("/api/admin/doctor"));
    const found = findings.filter(({ check }: Finding) => check === "mail_server");
    expect(found.map(({ message }: Finding) => message)).toEqual(
      expected ? [expect.stringMatching(expected)] : [],
    );
    expect(checks).toContainEqual({ check: "mail_server", found: expected ? 1 : 0 });
    expect(JSON.stringify(findings)).not.toContain("hunter2");
  });
});

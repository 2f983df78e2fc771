/** How many letters leave: for an address, for a client, and in all. */
import { describe, expect, it } from "vitest";
import { startApp } from "../support/app.ts";
import { contact } from "../support/factory.ts";
import { mailSettings, sendLetters, startMailServer } from "../support/mail-server.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

async function scene(more: Readonly<Record<string, string>> = {}) {
  const server = await startMailServer();
  const settings = mailSettings(server, { MAIL_LINK: "true", TRUST_PROXY: "1", ...more });
  const app = await startApp(settings);
  await app.make.published("The Well", "en");
  /** @param from the address of the client */
  const ask = async (email: string, from = "192.0.2.1") => {
    const request = { contact: { ...contact, email }, slug: "the-well", languageCode: "en" };
    const response = await app.api.with({ "X-Forwarded-For": from }).post("/api/download/submit", request);
    expect(response.status).toBe(200);
    return Object.keys(response.body).sort();
  };
  /** Sends what may leave. @returns to whom letters have gone since the last call */
  const send = async () => {
    await sendLetters(app);
    return server.received.splice(0).flatMap(({ to }) => to);
  };
  return { app, server, ask, send };
}

describe("an address", () => {
  it("gets one letter in two minutes, however it is typed, and the response is the same", async () => {
    const { app, ask, send } = await scene();
    const first = await ask("mira@example.org");
    for (const email of ["MIRA@example.org", "mira+1@example.org", "Mira+a+b@Example.org"])
      expect(await ask(email, "192.0.2.9")).toEqual(first);
    await ask("mira@example.com");
    expect((await send()).sort()).toEqual(["mira@example.com", "mira@example.org"]);
    app.clock.advance(2 * MINUTE - 1);
    await ask("mira@example.org");
    expect(await send()).toEqual([]);
    app.clock.advance(1);
    await ask("mira+2@example.org");
    expect(await send()).toEqual(["mira+2@example.org"]);
  });

  it("is one in both notations of its domain", async () => {
    const { ask, send } = await scene();
    await ask("mira@bücher.example");
    await ask("mira@xn--bcher-kva.example", "192.0.2.9");
    expect(await send()).toHaveLength(1);
  });

  it("gets five a day and ten a week", async () => {
    const { app, ask, send } = await scene();
    const perDay: number[] = [];
    for (let day = 0; day < 9; day++) {
      let letters = 0;
      for (let time = 0; time < 8; time++) {
        await ask("mira@example.org");
        letters += (await send()).length;
        app.clock.advance(3 * MINUTE);
      }
      perDay.push(letters);
      app.clock.advance(DAY - 8 * 3 * MINUTE);
    }
    expect(perDay).toEqual([5, 5, 0, 0, 0, 0, 0, 5, 5]);
  });

  it("gets letters again after a clock was wrong", async () => {
    const { app, ask, send } = await scene();
    app.clock.advance(365 * DAY);
    await ask("mira@example.org");
    expect(await send()).toHaveLength(1);
    app.clock.advance(-365 * DAY);
    await ask("mira@example.org");
    expect(await send()).toHaveLength(1);
  });
});

describe("letters above the limit of an hour", () => {
  it("wait, the oldest first, for the client that asked for too many", async () => {
    const { app, ask, send } = await scene({ MAIL_PER_SENDER_HOUR: "3" });
    for (const number of [1, 2, 3, 4, 5, 6, 7]) {
      await ask(`reader${number}@example.org`, "2001:db8::1");
      app.clock.advance(1000);
    }
    // The same network, and another one.
    await ask("neighbour@example.org", "2001:db8::2");
    await ask("other@example.org", "192.0.2.7");
    expect((await send()).sort()).toEqual(
      [1, 2, 3]
        .map((n) => `reader${n}@example.org`)
        .concat("other@example.org")
        .sort(),
    );
    expect(await send()).toEqual([]);
    app.clock.advance(60 * MINUTE);
    expect((await send()).sort()).toEqual([4, 5, 6].map((n) => `reader${n}@example.org`));
    app.clock.advance(60 * MINUTE);
    expect((await send()).sort()).toEqual(["neighbour@example.org", "reader7@example.org"]);
  });

  it("wait for all, and leave as the hour moves on", async () => {
    const { app, ask, send } = await scene({ MAIL_PER_HOUR: "2" });
    for (const number of [1, 2, 3, 4, 5]) await ask(`reader${number}@example.org`, `192.0.2.${number}`);
    const sent = [await send()];
    for (let hour = 0; hour < 2; hour++) {
      app.clock.advance(60 * MINUTE);
      sent.push(await send());
    }
    expect(sent.map((letters) => letters.sort())).toEqual(
      [[1, 2], [3, 4], [5]].map((numbers) => numbers.map((number) => `reader${number}@example.org`)),
    );
  });

  it("don't keep back one to an account, which leaves first", async () => {
    const { app, ask, send } = await scene({
      MAIL_PER_HOUR: "2",
      PUBLIC_BASE_URL: "https://books.example.org",
    });
    for (const number of [1, 2, 3, 4, 5]) await ask(`reader${number}@example.org`);
    expect(await send()).toHaveLength(2);
    const { email } = await app.make.user("editor");
    app.clock.advance(MINUTE);
    expect((await app.api.post("/api/auth/password-reset", { email })).status).toBe(202);
    expect(await send()).toEqual([]);
    app.clock.advance(60 * MINUTE);
    expect((await send()).sort()).toEqual([email, "reader3@example.org"].sort());
  });

  it("aren't written once a day's worth of the client's waits, so that it can't fill the outbox", async () => {
    const { app, ask, send } = await scene({ MAIL_PER_SENDER_HOUR: "1" });
    const waiting = app.container.database.read.selectFrom("outbox").where("state", "=", "waiting");
    const countWaiting = async () => (await waiting.select("id").execute()).length;
    await ask("reader@example.org");
    expect(await send()).toHaveLength(1);
    for (let number = 0; number < 30; number++) await ask(`reader${number}@example.org`);
    expect(await countWaiting()).toBe(24);
    await ask("other@example.org", "192.0.2.7");
    expect(await send()).toEqual(["other@example.org"]);
    app.clock.advance(60 * MINUTE);
    expect(await send()).toEqual(["reader0@example.org"]);
    await ask("reader29@example.org");
    await ask("reader28@example.org");
    expect(await countWaiting()).toBe(24);
  });

  it("leave nothing of the client behind", async () => {
    const { app, ask, send } = await scene();
    await ask("mira@example.org");
    await send();
    app.clock.advance(8 * DAY);
    await send();
    const { read } = app.container.database;
    expect(await read.selectFrom("outbox").select(["state", "sender"]).execute()).toEqual([
      { state: "delivered", sender: null },
    ]);
    expect(await read.selectFrom("mail_recipients").selectAll().execute()).toEqual([]);
  });
});

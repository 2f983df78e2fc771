/** What readers agree to when they ask for a download. */
import { describe, expect, it } from "vitest";
import { MAX_STATEMENTS } from "../../src/services/contacts/consent-ledger.ts";
import { startApp } from "../support/app.ts";
import { dumpOf } from "../support/database-dump.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { contact } from "../support/factory.ts";
import { AGENTS, listContacts, listEvents } from "../support/reader.ts";

const SUBMIT = "/api/download/submit";
const SUBMIT_ALL = "/api/download/submit-all";
const consent = { marketing: true, textVersion: "2026-03" };

async function scene(variables: Record<string, string> = {}) {
  const app = await startApp({ TRUST_PROXY: "1", ...variables });
  await app.make.published("The Well", "pt-BR");
  const asked = { slug: "the-well", languageCode: "PT-br", contact };
  const submit = (more: object, path = SUBMIT) => app.api.post(path, { ...asked, ...more });
  const consents = () =>
    app.container.database.read.selectFrom("consents").selectAll().orderBy("givenAt").execute();
  /** What counts now, as administrators are told. */
  const current = async () => {
    const [reader] = await listContacts(app);
    const analyst = await app.make.login("analyst");
    return (await analyst.get(`/api/admin/contacts/${reader?.publicId}`)).body.consent;
  };
  return { app, submit, consents, current };
}

describe("a consent", () => {
  it.each([SUBMIT, SUBMIT_ALL])(
    "is stored with its time, language, download and address by %s",
    async (path) => {
      const { app, submit, consents } = await scene();
      expect((await submit({ consent }, path)).status).toBe(200);
      const [reader] = await listContacts(app);
      expect(await consents()).toEqual([
        {
          id: expect.any(String),
          contactId: reader?.id,
          marketing: 1,
          textVersion: "2026-03",
          languageCode: "pt-BR",
          givenAt: app.clock.now(),
          repeatedAt: null,
          eventId: 1,
          ipAddress: "127.0.0.1",
          userId: null,
          userName: null,
          confirmation: null,
          formerAddress: 0,
        },
      ]);
    },
  );

  it("is optional, and can be a refusal", async () => {
    const { submit, consents } = await scene();
    expect((await submit({})).status).toBe(200);
    expect(await consents()).toEqual([]);
    expect((await submit({ consent: { ...consent, marketing: false } })).status).toBe(200);
    expect(await consents()).toMatchObject([{ marketing: 0 }]);
  });

  it("is stored each time, and the last one stays the last even if the clock is set back", async () => {
    const { app, submit, consents } = await scene();
    const say = (textVersion: string) => submit({ consent: { ...consent, textVersion } });
    await say("first");
    // In the same moment, and after the clock was put back.
    await say("second");
    app.clock.advance(-60_000);
    await say("third");
    app.clock.advance(120_000);
    await say("fourth");
    expect((await consents()).map(({ textVersion }) => textVersion)).toEqual([
      "first",
      "second",
      "third",
      "fourth",
    ]);
    const times = (await consents()).map(({ givenAt }) => givenAt);
    expect(new Set(times).size).toBe(4);
    expect(times[3]).toBe(app.clock.now());
  });

  it("is stored with as much of the form's address as IP_STORAGE permits", async () => {
    for (const [IP_STORAGE, ipAddress] of [
      ["truncated", "192.0.2.0"],
      ["none", null],
    ] as const) {
      const { app, submit, consents } = await scene({ IP_STORAGE });
      const reader = app.api.with({ "X-Forwarded-For": "192.0.2.7" });
      const asked = { slug: "the-well", languageCode: "pt-BR", contact, consent };
      const { body } = await reader.post(SUBMIT, asked);
      await app.api.get(body.downloadUrl, { "User-Agent": AGENTS.chrome, "X-Forwarded-For": "198.51.100.9" });
      expect(await consents()).toMatchObject([{ ipAddress }]);
      expect((await submit({ consent: { ...consent, marketing: false } })).status).toBe(200);
    }
  });

  it("can't be flooded: a stranger's statements for a known e-mail are bounded, and hide no withdrawal", async () => {
    const { submit, consents, current } = await scene();
    const say = (marketing: boolean, textVersion: string) => submit({ consent: { marketing, textVersion } });
    await say(true, "1");
    await say(false, "1");
    for (let number = 0; number < MAX_STATEMENTS + 10; number += 1) await say(number % 2 === 0, `${number}`);
    await say(true, "1");
    expect(await consents()).toHaveLength(MAX_STATEMENTS);
    expect((await current()).state).toBe("conflict");
  });

  it.each([SUBMIT, SUBMIT_ALL])(
    "never costs a reader the book: what isn't understood is no (%s)",
    async (path) => {
      const { submit, consents } = await scene();
      const yes = [true, 1, "1", "true", "on", "yes", "y", "YES", "True", " On\n"];
      const no = [false, 0, "", "off", "no", "n", "false", "maybe", "sí", 2, -1, 1.5, [true], ["yes"], {}];
      for (const marketing of [...yes, ...no]) {
        const textVersion = JSON.stringify(marketing);
        expect((await submit({ consent: { marketing, textVersion } }, path)).status, textVersion).toBe(200);
      }
      const stated = (await consents()).map(({ marketing, textVersion }) => [textVersion, marketing]);
      expect(stated).toEqual([
        ...yes.map((marketing) => [JSON.stringify(marketing), 1]),
        ...no.map((marketing) => [JSON.stringify(marketing), 0]),
      ]);
    },
  );

  it("is recorded with a version of its text only, and none costs a reader the book", async () => {
    const { submit, consents } = await scene();
    const without = [
      ...[true, "yes", 7, [], {}],
      ...[{ marketing: true }, { textVersion: "1" }, { marketing: true, textVersion: {} }],
      ...["", " \n", "\ud800", null].map((textVersion) => ({ marketing: true, textVersion })),
    ];
    for (const given of without)
      expect((await submit({ consent: given })).status, JSON.stringify(given)).toBe(200);
    expect(await consents()).toEqual([]);
    const more = { marketing: true, textVersion: 7, newsletter: 1 };
    expect((await submit({ consent: more })).status).toBe(200);
    const long = { marketing: true, textVersion: "x".repeat(500) };
    expect((await submit({ consent: long })).status).toBe(200);
    expect((await consents()).map(({ textVersion }) => textVersion)).toEqual(["7", "x".repeat(100)]);
  });

  it("is written together with the download, or not at all", async () => {
    const { app, submit } = await scene();
    const { database } = app.container;
    const { schema } = database.writer;
    await database.commit(() => schema.alterTable("consents").renameColumn("marketing", "lost").execute());
    expectProblem(await submit({ consent }), 500);
    expect([await listContacts(app), await listEvents(app)]).toEqual([[], []]);
  });

  it("doesn't reveal in the response whether the contact is known, or what the contact agreed to", async () => {
    const { submit } = await scene();
    const shape = async (more: object) => {
      const { status, body, headers } = await submit(more);
      const { downloadUrl, ...rest } = body;
      expect(downloadUrl).toEqual(expect.any(String));
      return { status, rest, names: Object.keys(headers).sort() };
    };
    const unknown = await shape({ consent });
    expect(await shape({ consent })).toEqual(unknown);
    expect(await shape({ consent: { ...consent, marketing: false } })).toEqual(unknown);
    expect(await shape({})).toEqual(unknown);
    expect(await shape({ contact: { email: "other@example.org", firstName: "Ben" } })).toEqual(unknown);
  });

  it("is deleted with its contact", async () => {
    const { app, submit } = await scene();
    await submit({ consent });
    const [reader] = await listContacts(app);
    expect((await (await app.admin()).delete(`/api/admin/contacts/${reader?.publicId}`)).status).toBe(200);
    expect((await dumpOf(app)).rows.consents).toEqual([]);
  });
});

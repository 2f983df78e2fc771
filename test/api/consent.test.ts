/** What readers agree to when they ask for a download. */
import { describe, expect, it } from "vitest";
import { startApp } from "../support/app.ts";
import { dumpOf } from "../support/database-dump.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { contact } from "../support/factory.ts";
import { contactsOf, eventsOf } from "../support/reader.ts";

const SUBMIT = "/api/download/submit";
const SUBMIT_ALL = "/api/download/submit-all";
const consent = { marketing: true, textVersion: "2026-03" };

async function scene() {
  const app = await startApp();
  await app.make.language("pt-BR");
  await app.make.published("The Well", "pt-BR");
  const asked = { slug: "the-well", languageCode: "PT-br", contact };
  const submit = (more: object, path = SUBMIT) => app.api.post(path, { ...asked, ...more });
  const consents = () =>
    app.container.database.read.selectFrom("consents").selectAll().orderBy("givenAt").execute();
  return { app, submit, consents };
}

describe("a consent", () => {
  it.each([SUBMIT, SUBMIT_ALL])("is kept with its time and language by %s", async (path) => {
    const { app, submit, consents } = await scene();
    expect((await submit({ consent }, path)).status).toBe(200);
    const [reader] = await contactsOf(app);
    expect(await consents()).toEqual([
      {
        ...{ id: expect.any(String), contactId: reader?.id, marketing: 1, textVersion: "2026-03" },
        ...{ languageCode: "pt-BR", givenAt: app.clock.now() },
      },
    ]);
  });

  it("needn't be given, and may be a refusal", async () => {
    const { submit, consents } = await scene();
    expect((await submit({})).status).toBe(200);
    expect(await consents()).toEqual([]);
    expect((await submit({ consent: { ...consent, marketing: false } })).status).toBe(200);
    expect(await consents()).toMatchObject([{ marketing: 0 }]);
  });

  it("is kept each time, and the last one stays the last whatever the clock does (T35)", async () => {
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
      ...["first", "second", "third", "fourth"],
    ]);
    const times = (await consents()).map(({ givenAt }) => givenAt);
    expect(new Set(times).size).toBe(4);
    expect(times[3]).toBe(app.clock.now());
  });

  it("T26 is refused with every fault when it isn't one, and nothing is written", async () => {
    const { app, submit } = await scene();
    const long = "x".repeat(101);
    const faulty = { consent: { marketing: "yes", textVersion: long } };
    for (const path of [SUBMIT, SUBMIT_ALL]) {
      const answer = await submit(faulty, path);
      expectProblem(answer, 400, {
        faults: ["consent.marketing invalid_value", "consent.textVersion too_big"],
      });
    }
    for (const textVersion of ["", " ", "a\u0000", "a\ud800", "a\nb", 7, null]) {
      expectProblem(await submit({ consent: { marketing: true, textVersion } }), 400);
    }
    for (const given of [
      true,
      [],
      "yes",
      { marketing: true },
      { textVersion: "1" },
      { marketing: 2, textVersion: "1" },
    ]) {
      expectProblem(await submit({ consent: given }), 400);
    }
    expect([await contactsOf(app), await eventsOf(app)]).toEqual([[], []]);
    // As everywhere in the public forms, what isn't known is ignored.
    expect((await submit({ consent: { ...consent, newsletter: 1 } })).status).toBe(200);
  });

  it("is written together with the download, or not at all", async () => {
    const { app, submit } = await scene();
    const { database } = app.container;
    await database.commit(async () => {
      await database.writer.schema.dropIndex("consents_contact").execute();
      await database.writer.schema.alterTable("consents").renameTo("consents_elsewhere").execute();
    });
    expectProblem(await submit({ consent }), 500);
    expect([await contactsOf(app), await eventsOf(app)]).toEqual([[], []]);
  });

  it("T36 doesn't show in the answer whether the contact is known, or what they agreed to", async () => {
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

  it("goes with its contact", async () => {
    const { app, submit } = await scene();
    await submit({ consent });
    const [reader] = await contactsOf(app);
    expect((await (await app.admin()).delete(`/api/admin/contacts/${reader?.publicId}`)).status).toBe(200);
    expect((await dumpOf(app)).rows.consents).toEqual([]);
  });
});

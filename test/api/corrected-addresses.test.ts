/** What a contact has agreed to stays with the address for which it was stated. */
import { describe, expect, it } from "vitest";
import { startWithAdmin } from "../support/app.ts";
import { readAuditLog } from "../support/audit-log.ts";
import { bodyOf } from "../support/client.ts";
import { dumpOf } from "../support/database-dump.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { contact } from "../support/factory.ts";
import { readCsv } from "../support/read-csv.ts";
import { addWebhook, deliver, settingsFor, startReceiver } from "../support/webhook-receiver.ts";

const PATH = "/api/admin/contacts";
const email = "right@example.org";
const UNKNOWN = { marketing: "unknown", marketingTextVersion: null, marketingAt: null };

/** A reader who has agreed to the first text, with an address that isn't right. */
async function scene(variables: Record<string, string> = {}) {
  const started = await startWithAdmin(variables);
  const { app, client } = started;
  await app.make.published("The Well", "es");
  const say = async (marketing: boolean, more: { textVersion?: string; email?: string } = {}) => {
    const { textVersion = "1", email: address = contact.email } = more;
    app.clock.advance(1000);
    const asked = { slug: "the-well", languageCode: "es", contact: { ...contact, email: address } };
    await bodyOf(app.api.post("/api/download/submit", { ...asked, consent: { marketing, textVersion } }));
  };
  await say(true);
  /** The contact as the list has it. */
  const findReader = async () => (await bodyOf(client.get(PATH))).contacts[0];
  const path = `${PATH}/${(await findReader()).id}`;
  const readDetails = () => bodyOf(client.get(path));
  const correct = (body: object = { email }) => bodyOf(client.patch(path, body));
  const list = async (marketing: string) => {
    const { contacts, pagination } = await bodyOf(client.get(`${PATH}?marketing=${marketing}`));
    expect(pagination.total).toBe(contacts.length);
    return contacts.map((each: { email: string }) => each.email);
  };
  const readExport = async (query: string) =>
    readCsv((await client.get(`${PATH}/export?${query}`)).body.toString());
  return { ...started, path, say, findReader, readDetails, correct, list, readExport };
}

describe("a corrected address", () => {
  it.each(["", "1,2"])("has agreed to nothing: accepted texts %j", async (texts) => {
    const { findReader, readDetails, correct, list, readExport } = await scene({
      CONSENT_TEXT_VERSIONS: texts,
    });
    expect(await findReader()).toMatchObject({ marketing: "yes", marketingTextVersion: "1" });
    const { contact: corrected } = await correct();
    const listed = await findReader();
    expect(listed).toEqual({ ...corrected, ...UNKNOWN });
    const { contact: detailed, consent, consents } = await readDetails();
    expect(detailed).toEqual(corrected);
    expect(consent).toEqual({
      state: "none",
      marketing: false,
      textVersion: null,
      languageCode: null,
      givenAt: null,
    });
    expect(consents).toMatchObject([{ marketing: true, textVersion: "1", formerAddress: true }]);
    expect(await list("unknown")).toEqual([email]);
    for (const marketing of ["yes", "no", "withdrawn", "conflict"]) expect(await list(marketing)).toEqual([]);
    const [header = [], row = []] = await readExport("marketing=unknown");
    const value = (name: string) => row[header.indexOf(name)];
    expect([value("marketing"), value("marketingAt"), value("consentState")]).toEqual(["unknown", "", ""]);
    for (const format of ["listmonk", "mailchimp"])
      expect(await readExport(`format=${format}`)).toHaveLength(1);
  });

  it("has its own statements, which aren't joined to those for the former one", async () => {
    const { client, path, say, findReader, readDetails, correct, list } = await scene();
    await say(false);
    expect(await findReader()).toMatchObject({ marketing: "withdrawn" });
    await correct();
    await say(false, { email });
    expect(await findReader()).toMatchObject({ marketing: "no", marketingTextVersion: "1" });
    // A yes after the withdrawal at the former address isn't a conflict.
    await say(true, { email });
    expect(await list("yes")).toEqual([email]);
    const marked = async () =>
      (await readDetails()).consents.map((each: { marketing: boolean; formerAddress: boolean }) => [
        each.marketing,
        each.formerAddress,
      ]);
    expect(await marked()).toEqual([
      [true, false],
      [false, false],
      [false, true],
      [true, true],
    ]);
    // The document for the reader has all of them, too.
    const document = await bodyOf(client.get(`${path}/personal-data`));
    expect(document.consents.map((each: { formerAddress: boolean }) => each.formerAddress)).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(document.consent).toMatchObject({ state: "agreed" });
    // Back again, it is another correction: what was once said for an address doesn't come back.
    await correct({ email: contact.email });
    expect(await findReader()).toMatchObject(UNKNOWN);
  });

  it("gets the decision of the same request, which needs the version of a text", async () => {
    const { app, client, path, readDetails, correct, findReader } = await scene();
    const { rows: before } = await dumpOf(app);
    const needed = await client.patch(path, { email, marketing: true });
    expectProblem(needed, 400, { errors: ["textVersion text_version_needed"] });
    expect((await dumpOf(app)).rows).toEqual(before);
    await correct({ email, marketing: true, textVersion: "2" });
    expect(await findReader()).toMatchObject({ email, marketing: "yes", marketingTextVersion: "2" });
    expect((await readDetails()).consents).toMatchObject([
      { marketing: true, textVersion: "2", source: "administrator", formerAddress: false },
      { marketing: true, textVersion: "1", source: "form", formerAddress: true },
    ]);
    await correct({ email: "again@example.org", marketing: false });
    expect(await findReader()).toMatchObject({ marketing: "withdrawn", marketingTextVersion: "" });
  });

  it("keeps what was agreed if it is the same one, or another field is corrected", async () => {
    const { findReader, readDetails, correct } = await scene();
    const before = await findReader();
    await correct({ email: contact.email.toUpperCase(), firstName: "Sarah" });
    expect(await findReader()).toMatchObject({ marketing: "yes", marketingAt: before.marketingAt });
    expect((await readDetails()).consents).toMatchObject([{ formerAddress: false }]);
  });

  it("is in the audit log with the consent that it ends, and without values", async () => {
    const { app, correct } = await scene();
    await correct();
    await correct({ email: "again@example.org" });
    const changed = { before: "[masked]", after: "[masked]" };
    const lines = (await readAuditLog(app)).filter(({ objectKind }) => objectKind === "contact");
    expect(lines.map(({ changes }) => changes)).toEqual([
      { email: changed, consent: { ...changed, after: null } },
      { email: changed },
    ]);
  });

  it("is reported to other systems once as a change of the consent, if there was one", async () => {
    const receiver = await startReceiver();
    const { app, client, correct } = await scene(settingsFor(receiver));
    await addWebhook(client, receiver.url, { events: ["contact.consent_changed"], includeContact: true });
    const next = async (body: object) => {
      await correct(body);
      await deliver(app);
      return receiver.received.splice(0).map((event) => event.body.data.contact);
    };
    const silent = { marketing: "unknown", marketingTextVersion: null };
    expect(await next({ email })).toMatchObject([{ email, ...silent }]);
    expect(await next({ email: "second@example.org" })).toEqual([]);
    expect(await next({ email, marketing: true, textVersion: "2" })).toMatchObject([
      { email, marketing: "yes", marketingTextVersion: "2" },
    ]);
    const third = { email: "third@example.org", marketing: true, textVersion: "3" };
    expect(await next(third)).toMatchObject([{ marketing: "yes", marketingTextVersion: "3" }]);
    expect(await next({ firstName: "Sarah" })).toEqual([]);
  });
});

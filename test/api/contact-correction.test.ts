/** An administrator corrects a contact, and settles what counts of their consents. */
import { describe, expect, it } from "vitest";
import { startApp } from "../support/app.ts";
import { readAuditLog } from "../support/audit-log.ts";
import { dumpOf } from "../support/database-dump.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { contact } from "../support/factory.ts";
import { linkTo, listContacts } from "../support/reader.ts";

const PATH = "/api/admin/contacts";

/** A contact with what a stranger has filled in for them. */
async function scene(variables: Record<string, string> = {}) {
  const app = await startApp(variables);
  await app.make.published("The Well", "es");
  const asked = { slug: "the-well", languageCode: "es" };
  const squatted = { ...contact, lastName: "Squatted", phone: "+666" };
  const say = (marketing: boolean, textVersion = "1") => {
    app.clock.advance(1000);
    return linkTo(app.api, { ...asked, contact: squatted, consent: { marketing, textVersion } });
  };
  await linkTo(app.api, { ...asked, contact: squatted });
  const admin = await app.admin();
  const path = `${PATH}/${(await listContacts(app))[0]?.publicId}`;
  const current = async () => (await admin.get(path)).body.consent;
  return { app, say, admin, path, current };
}

describe("PUT /api/admin/contacts/{contactId}", () => {
  it("corrects what a stranger has entered, and the contact is found by the corrected values", async () => {
    const { admin, path } = await scene();
    const given = { firstName: "Sara", lastName: "Núñez", phone: "", country: "Kenya" };
    const response = await admin.put(path, given);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ success: true, contact: (await admin.get(path)).body.contact });
    expect(response.body.contact).toMatchObject({ ...given, email: contact.email, totalDownloads: 1 });
    const found = async (search: string) =>
      (await admin.get(`${PATH}?search=${search}`)).body.pagination.total;
    expect([await found("nunez"), await found("squatted"), await found("666")]).toEqual([1, 0, 0]);
    expect((await admin.put(path, {})).body).toEqual(response.body);
  });

  it("corrects the e-mail address: downloads and statements stay, forms find the contact by the new one", async () => {
    const { app, say, admin, path } = await scene();
    await say(true);
    const before = (await admin.get(path)).body;
    const response = await admin.put(path, { email: " Right\u200b@Example.org" });
    expect(response.status).toBe(200);
    expect(response.body.contact).toEqual({
      ...before.contact,
      email: "right@example.org",
      version: expect.not.stringMatching(before.contact.version),
    });
    const after = (await admin.get(path)).body;
    const consents = before.consents.map((each: object) => ({ ...each, formerAddress: true }));
    expect([after.consents, after.events]).toEqual([consents, before.events]);
    const found = async (search: string) =>
      (await admin.get(`${PATH}?search=${search}`)).body.pagination.total;
    expect([await found("right@example.org"), await found(contact.email)]).toEqual([1, 0]);
    await linkTo(app.api, {
      slug: "the-well",
      languageCode: "es",
      contact: { ...contact, email: "RIGHT@example.org" },
    });
    expect((await admin.get(path)).body.contact.totalDownloads).toBe(before.contact.totalDownloads + 1);
    const entry = (await readAuditLog(app)).findLast(({ action }) => action === "update");
    expect(JSON.stringify(entry)).toContain("email");
    expect(JSON.stringify(entry)).not.toContain("right@example.org");
    expect((await admin.put(path, { email: "right@example.org" })).status).toBe(200);
  });

  it("returns 409 for an address that another contact has, and 412 for a former version, and changes nothing", async () => {
    const { app, admin, path } = await scene();
    const other = { ...contact, email: "other@example.org" };
    await linkTo(app.api, { slug: "the-well", languageCode: "es", contact: other });
    const { rows: before } = await dumpOf(app);
    const taken = await admin.put(path, { email: "Other@example.org", firstName: "New" });
    expectProblem(taken, 409, { code: "email_taken" });
    const stale = await admin.with({ "If-Match": '"former"' }).put(path, { email: "new@example.org" });
    expectProblem(stale, 412, { code: "changed_meanwhile" });
    expectProblem(await admin.put(path, { email: null }), 400, { errors: ["email invalid_type"] });
    expect((await dumpOf(app)).rows).toEqual(before);
    expect((await admin.patch(path, { email: "new@example.org" })).status).toBe(200);
  });

  it("settles a conflict: a consent counts by the text that the reader knows", async () => {
    const { say, admin, path, current } = await scene({ CONSENT_TEXT_VERSIONS: "1,2" });
    await say(true);
    await say(false);
    await say(true);
    await say(true, "odd");
    expect((await current()).state).toBe("conflict");
    expect((await admin.put(path, { marketing: true })).status).toBe(200);
    expect(await current()).toMatchObject({
      state: "agreed",
      marketing: true,
      textVersion: "1",
      languageCode: "es",
    });
    await say(false);
    expect((await current()).state).toBe("withdrawn");
    expect((await admin.put(path, { marketing: true, textVersion: "2" })).status).toBe(200);
    expect(await current()).toMatchObject({ state: "agreed", textVersion: "2" });
  });

  it("settles a conflict by a refusal, after which a form's consent is a conflict again", async () => {
    const { app, say, admin, path, current } = await scene();
    expect((await admin.put(path, { marketing: false })).status).toBe(200);
    expect(await current()).toMatchObject({ state: "withdrawn", textVersion: "", languageCode: "" });
    await say(true);
    expect((await current()).state).toBe("conflict");
    const { consents } = (await admin.get(path)).body;
    const { user } = (await admin.get("/api/auth/session")).body;
    expect(consents).toMatchObject([
      { marketing: true, source: "form", eventId: "2", ipAddress: "127.0.0.1", administrator: null },
      { marketing: false, source: "administrator", eventId: null, ipAddress: null, administrator: user.name },
    ]);
    expect((await dumpOf(app)).rows.consents).toMatchObject([{ userId: user.id }, { userId: null }]);
    // The document for the reader names no member of the staff.
    const { body } = await admin.get(`${path}/personal-data`);
    expect(body.consents).toMatchObject([{ source: "form" }, { source: "administrator" }]);
    expect(body.consents[1]).not.toHaveProperty("administrator");
  });

  it("refers a refusal to the last text that the reader saw, in its language", async () => {
    const { app, say, admin, path, current } = await scene();
    await app.make.published("The Hill", "fr");
    const refuse = async () => {
      expect((await admin.put(path, { marketing: false })).status).toBe(200);
      return current();
    };
    await say(true, "1");
    expect(await refuse()).toMatchObject({ state: "withdrawn", textVersion: "1", languageCode: "es" });
    app.clock.advance(1000);
    const consent = { marketing: true, textVersion: "2" };
    await linkTo(app.api, { slug: "the-hill", languageCode: "fr", contact, consent });
    expect(await refuse()).toMatchObject({ state: "withdrawn", textVersion: "2", languageCode: "fr" });
  });

  it("rejects a consent to a text that doesn't count, or to none", async () => {
    const { app, say, admin, path } = await scene({ CONSENT_TEXT_VERSIONS: "1" });
    await say(true, "odd");
    const { rows: before } = await dumpOf(app);
    const needed = await admin.put(path, { marketing: true, firstName: "Sarah" });
    expectProblem(needed, 400, { errors: ["textVersion text_version_needed"] });
    const unknown = await admin.put(path, { marketing: true, textVersion: "odd" });
    expectProblem(unknown, 400, { errors: ["textVersion unknown_text_version"] });
    expect((await dumpOf(app)).rows).toEqual(before);
    expect((await admin.put(path, { marketing: false, textVersion: "odd" })).status).toBe(200);
  });

  it("adds an entry without values to the audit log each time something changes", async () => {
    const { app, say, admin, path } = await scene();
    await say(true, "secret text");
    for (const body of [
      { lastName: "Núñez", phone: "+254 20" },
      { lastName: "Núñez" },
      { marketing: true },
      { marketing: true },
    ]) {
      expect((await admin.put(path, body)).status).toBe(200);
    }
    const changed = { before: "[masked]", after: "[masked]" };
    const lines = (await readAuditLog(app)).filter(({ objectKind }) => objectKind === "contact");
    expect(lines.map(({ changes }) => changes)).toEqual([
      { lastName: changed, phone: changed },
      { consent: changed },
      { consent: changed },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/Núñez|\+254|secret text|reader@example/);
  });
});

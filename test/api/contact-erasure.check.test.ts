/** Erasing a person: contact and consents go, events and totals stay. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startApp, startWithAdmin, type TestApp } from "../support/app.ts";
import { readAuditLog } from "../support/audit-log.ts";
import { addContacts, addEvent } from "../support/contact-rows.ts";
import { dumpOf } from "../support/database-dump.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { contact } from "../support/factory.ts";
import { failOn } from "../support/failing-rows.ts";
import { itInFolder } from "../support/on-s3.ts";
import { AGENTS, downloadCounts, linkTo, linkToAll, listContacts, listEvents } from "../support/reader.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { isOnPostgres } from "../support/test-database.ts";

const PATH = "/api/admin/contacts";

/** Sara has asked twice, with her consent, by a page that names her; Ben once. */
async function scene() {
  const app = await startApp({ TRUST_PROXY: "1" });
  const { file } = await app.make.published("The Well", "en");
  const form = app.api.with({
    "User-Agent": AGENTS.chrome,
    "X-Forwarded-For": "192.0.2.7",
    Referer: "https://example.org/?mail=reader@example.org",
  });
  const asked = { slug: "the-well", languageCode: "en" };
  const consent = { marketing: true, textVersion: "2026-03" };
  const link = await linkTo(form, { ...asked, consent });
  await linkTo(form, asked);
  const ben = { email: "ben@example.org", firstName: "Ben" };
  await linkTo(form.with({ Referer: "https://example.org/" }), { ...asked, contact: ben, consent });
  const sara = (await listContacts(app)).find(({ email }) => email === contact.email);
  const admin = await app.admin();
  return { app, file, form, asked, link, admin, sara: sara?.id ?? 0, path: `${PATH}/${sara?.publicId}` };
}

const addEvents = ({ container: { database, clock } }: TestApp, contactId: number, count: number) =>
  database.commit(async () => {
    for (let number = 0; number < count; number += 1)
      await addEvent(database, { contactId, downloadedAt: clock.now() });
  });

describe("DELETE /api/admin/contacts/{contactId}", () => {
  it("deletes the contact and the consents; the events stay without contact, address and referrer", async () => {
    const { app, admin, sara, path } = await scene();
    const before = await listEvents(app);
    const response = await admin.delete(path);
    expect([response.status, response.body]).toEqual([200, { success: true }]);
    expect((await listContacts(app)).map(({ email }) => email)).toEqual(["ben@example.org"]);
    const { rows } = await dumpOf(app);
    expect(rows.consents).toHaveLength(1);
    expect(await listEvents(app)).toEqual(
      before.map((event) =>
        event.contactId === sara ? { ...event, contactId: null, ipAddress: null, referrer: "" } : event,
      ),
    );
    expect(JSON.stringify({ ...rows, users: [], audit_log: [] })).not.toContain(contact.email);
    expectProblem(await admin.get(path), 404);
    expectProblem(await admin.delete(path), 404, { code: "contact_not_found" });
    expect((await admin.get(PATH)).body.pagination.total).toBe(1);
    const log = (await admin.get("/api/admin/analytics/downloads")).body;
    expect(log.pagination.total).toBe(3);
    expect(log.downloads[1]).toMatchObject({ ipAddress: "", contactEmail: "", contactFirstName: "" });
  });

  it("records which events have changed, for the counts of reports", async () => {
    const { app, admin, path } = await scene();
    await admin.delete(path);
    expect((await dumpOf(app)).rows.event_changes).toEqual([
      { revision: 1, eventId: 1 },
      { revision: 2, eventId: 2 },
    ]);
  });

  it("adds one entry to the audit log, without personal data", async () => {
    const { app, admin, path } = await scene();
    await admin.delete(path);
    const publicId = path.slice(PATH.length + 1);
    const lines = (await readAuditLog(app)).filter(({ objectKind }) => objectKind === "contact");
    const gone = { before: "[masked]" };
    expect(lines).toMatchObject([
      {
        actorKind: "user",
        action: "delete",
        objectId: publicId,
        objectName: publicId,
        ipAddress: "127.0.0.1",
      },
    ]);
    // A new column of contacts is masked, too.
    expect(lines[0]?.changes).toEqual({
      email: gone,
      firstName: gone,
      lastName: gone,
      phone: gone,
      country: gone,
      firstDownloadAt: gone,
      lastDownloadAt: gone,
      totalDownloads: gone,
    });
  });

  it("isn't undone by a link that still works: the download counts, without address and referrer", async () => {
    const { app, admin, form, link, file, path } = await scene();
    await admin.delete(path);
    const response = await form.get(link, { "User-Agent": AGENTS.iphone });
    expect(response.body.toString()).toBe("Text of The Well");
    expect((await listEvents(app))[0]).toMatchObject({
      redeemedAt: app.clock.now(),
      deviceType: "mobile",
      contactId: null,
      ipAddress: null,
      referrer: "",
    });
    expect(await downloadCounts(app)).toEqual({ [file.id]: 1 });
  });

  it("creates a new contact with an unused number if the same person returns", async () => {
    const { app, admin, form, asked } = await scene();
    const before = await listContacts(app);
    for (const { publicId } of before) await admin.delete(`${PATH}/${publicId}`);
    await linkTo(form, asked);
    const [known] = await listContacts(app);
    expect(known).toMatchObject({ totalDownloads: 1 });
    expect(known?.id).toBeGreaterThan(Math.max(...before.map(({ id }) => id)));
  });

  it("lets other writes in between, regardless of the number of downloads", async () => {
    const { app, client: admin } = await startWithAdmin();
    const { database } = app.container;
    const [id] = await addContacts(app, [{ events: Array.from({ length: 2000 }, () => ({})) }]);
    let isOver = false;
    const erasure = admin.delete(`${PATH}/${id}`).finally(() => {
      isOver = true;
    });
    let others = 0;
    for (; !isOver; others += 1) await database.commit(async () => undefined);
    expect((await erasure).status).toBe(200);
    expect(others).toBeGreaterThan(10);
    const left = await database.read
      .selectFrom("download_events")
      .select((eb) => [eb.fn.countAll().as("events"), eb.fn.count("contactId").as("withContact")])
      .executeTakeFirst();
    expect(left).toEqual({ events: 2000, withContact: 0 });
  });

  it("loses no download that the same person requests concurrently, and restores no erased contact", async () => {
    const { app, admin, form, asked, sara, path } = await scene();
    await addEvents(app, sara, 1000);
    const [response] = await Promise.all([
      admin.delete(path),
      ...Array.from({ length: 20 }, () => linkTo(form, asked)),
    ]);
    expect(response.status).toBe(200);
    const events = await listEvents(app);
    expect(events).toHaveLength(3 + 1000 + 20);
    expect(events.filter(({ contactId }) => contactId === sara)).toEqual([]);
    const back = (await listContacts(app)).find(({ email }) => email === contact.email);
    const own = events.filter(({ contactId }) => contactId !== null && contactId === back?.id);
    expect(own).toHaveLength(back?.totalDownloads ?? 0);
  });

  it("continues after an interruption, and the contact exists until all is done", async () => {
    const { app, admin, sara, path } = await scene();
    await addEvents(app, sara, 1000);
    const mend = await failOn(app.container.database, "delete", "contacts");
    expectProblem(await admin.delete(path), 500);
    // Of 1,002: as few as the last transaction takes.
    expect((await admin.get(path)).body.events).toHaveLength(2);
    await mend();
    expect((await admin.delete(path)).status).toBe(200);
    expect((await listEvents(app)).filter(({ contactId }) => contactId === sara)).toEqual([]);
    const lines = (await readAuditLog(app)).filter(({ objectKind }) => objectKind === "contact");
    expect(lines).toHaveLength(1);
  });
});

describe("the events of an erased person", () => {
  itInFolder("leave no data of the person in the data folder or the log", async ({ skip }) => {
    if (isOnPostgres()) return skip("the data folder has no database");
    const { app, admin, form, link, asked, path } = await scene();
    const all = await linkToAll(form, asked.languageCode);
    await form.get(link, { "X-Forwarded-For": "198.51.100.9" });
    await form.get(all);
    await admin.delete(path);
    await app.container.close();
    const entries = await readdir(app.dataDir, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    const kept = await Promise.all(files.map((file) => readFile(file)));
    expect(kept.length).toBeGreaterThan(3);
    const logged = JSON.stringify(app.logged);
    for (const text of [contact.email, "198.51.100.9"]) {
      expect(files.filter((_, index) => kept[index]?.includes(text))).toEqual([]);
      expect(logged).not.toContain(text);
    }
  });

  itInFolder("are in no snapshot of an older version after a start, which deletes it", async () => {
    const dataDir = createTempFolder();
    const cache = join(dataDir, "cache");
    await mkdir(cache);
    const names = ["analytics.snapshot", "analytics.snapshot.part"];
    for (const name of names) await writeFile(join(cache, name), "numbers of contacts");
    await startApp({}, { dataDir });
    const kept = await readdir(cache);
    expect(kept).toContain("covers");
    for (const name of names) expect(kept).not.toContain(name);
  });

  it("count in every report except as a contact", async () => {
    const { admin, form, link, path } = await scene();
    await form.get(link);
    const reports = async () => {
      const responses = await Promise.all(
        ["by-date", "by-book", "by-country", "by-language", "by-device"].map((report) =>
          admin.get(`/api/admin/analytics/${report}`),
        ),
      );
      return responses.map(({ body }) => body.data);
    };
    const before = await reports();
    await admin.delete(path);
    expect(before.map((rows) => rows[0].uniqueContacts)).toEqual([2, 2, 2, 2, 2]);
    expect(await reports()).toEqual(
      before.map((rows) => rows.map((row: object) => ({ ...row, uniqueContacts: 1 }))),
    );
  });
});

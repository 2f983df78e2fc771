/** Files that are delivered while the database takes no changes: their redemptions wait, and are recorded later. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { eventually } from "../support/eventually.ts";
import { contact } from "../support/factory.ts";
import { failOn } from "../support/failing-rows.ts";
import { AGENTS, downloadCounts, linkTo, linkToAll, listContacts, listEvents } from "../support/reader.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const fileOf = (app: Pick<TestApp, "dataDir">) => join(app.dataDir, "unwritten-redemptions.jsonl");
const linesOf = (app: TestApp): string[] =>
  existsSync(fileOf(app)) ? readFileSync(fileOf(app), "utf8").split("\n").slice(0, -1) : [];
const waitingIn = (app: TestApp) => linesOf(app).map((line) => JSON.parse(line));

async function scene(variables: Record<string, string> = {}, given: Parameters<typeof startApp>[1] = {}) {
  const app = await startApp(variables, given);
  const { file } = await app.make.published("The Well", "en", "content");
  const request = (email: string) =>
    linkTo(app.api, { slug: "the-well", languageCode: "en", contact: { ...contact, email } });
  /** From now on, until the result is called. */
  const breakWrites = () => failOn(app.container.database, "update", "download_events");
  const { unwritten } = app.container;
  return { app, api: app.api, file, request, breakWrites, unwritten };
}

const doctorOf = async (app: TestApp) => {
  const { body } = await (await app.admin()).get("/api/admin/doctor");
  const findings: { check: string; message: string }[] = body.findings;
  return findings.filter(({ check }) => check === "unwritten_redemptions").map(({ message }) => message);
};

describe("a delivery that can't be recorded", () => {
  it("waits in a file of its owner's, and is recorded with the time of the delivery", async () => {
    const { app, api, file, request, breakWrites, unwritten } = await scene({
      IP_STORAGE: "truncated",
      TRUST_PROXY: "1",
    });
    const link = await request("sara@example.org");
    const mend = await breakWrites();
    const headers = { "User-Agent": AGENTS.iphone, "X-Forwarded-For": "198.51.100.77" };
    expect((await api.get(link, headers)).status).toBe(200);
    const deliveredAt = app.clock.now();
    expect(statSync(fileOf(app)).mode & 0o777).toBe(0o600);
    expect(waitingIn(app)).toMatchObject([
      { redemption: { redeemedAt: deliveredAt, fileIds: [file.id], seen: { ipAddress: "198.51.100.0" } } },
    ]);
    expect(readFileSync(fileOf(app), "utf8")).not.toMatch(/sara|198\.51\.100\.77/);
    expect(await doctorOf(app)).toEqual([
      "1 delivered downloads, since 2026-03-01T12:00:00.000Z, wait to be recorded as redeemed.",
    ]);

    app.clock.advance(5 * MINUTE);
    await mend();
    await unwritten.writeAll();
    expect(await listEvents(app)).toMatchObject([
      { redeemedAt: deliveredAt, deviceType: "mobile", ipAddress: "198.51.100.0" },
    ]);
    expect(await downloadCounts(app)).toEqual({ [file.id]: 1 });
    expect(existsSync(fileOf(app))).toBe(false);
    expect(await doctorOf(app)).toEqual([]);
  });

  it("counts once, however often the link is used meanwhile and afterwards", async () => {
    const { app, api, file, request, breakWrites, unwritten } = await scene();
    const [one, two] = [await request("one@example.org"), await request("two@example.org")];
    const mend = await breakWrites();
    for (const link of [one, two, one, one]) expect((await api.get(link)).status).toBe(200);
    expect(waitingIn(app)).toHaveLength(2);
    const deliveredAt = app.clock.now();
    app.clock.advance(5 * MINUTE);
    await mend();
    // The next use of a link records its first delivery.
    await api.get(one);
    expect(await listEvents(app)).toMatchObject([{ redeemedAt: deliveredAt }, { redeemedAt: null }]);
    await unwritten.writeAll();
    await unwritten.writeAll();
    await api.get(two);
    expect((await listEvents(app)).map(({ redeemedAt }) => redeemedAt)).toEqual([deliveredAt, deliveredAt]);
    expect(await downloadCounts(app)).toEqual({ [file.id]: 2 });
  });

  it("of a whole language counts every file of the delivered set", async () => {
    const { app, api, file, breakWrites, unwritten } = await scene();
    const links = [
      await linkToAll(api, "en"),
      await linkToAll(api, "en", { ...contact, email: "b@example.org" }),
    ];
    const two = await app.make.published("Two", "en");
    const mend = await breakWrites();
    for (const link of links) await api.get(link);
    // The files of the set are in it once.
    expect(waitingIn(app).map((line) => Object.keys(line)[0])).toEqual(["set", "redemption", "redemption"]);
    await mend();
    await unwritten.writeAll();
    const [event] = await listEvents(app);
    expect(event).toMatchObject({ redeemedAt: app.clock.now(), booksCount: 2 });
    expect(event?.deliveredVersion).toBe(`"${event?.archiveId}"`);
    expect(await downloadCounts(app)).toEqual({ [file.id]: 2, [two.file.id]: 2 });
  });

  it("doesn't hold up others that can be recorded", async () => {
    const { app, api, request, unwritten } = await scene();
    const links = [
      await request("a@example.org"),
      await request("b@example.org"),
      await request("c@example.org"),
    ];
    const [, second] = await listEvents(app);
    const mendAll = await failOn(app.container.database, "update", "download_events");
    for (const link of links) await api.get(link);
    await mendAll();
    const mend = await failOn(app.container.database, "update", "download_events", second?.id);
    await unwritten.writeAll();
    expect((await listEvents(app)).map(({ redeemedAt }) => redeemedAt !== null)).toEqual([true, false, true]);
    expect(waitingIn(app)).toMatchObject([{ redemption: { eventId: second?.id } }]);
    await mend();
    await unwritten.writeAll();
    expect((await listEvents(app)).every(({ redeemedAt }) => redeemedAt !== null)).toBe(true);
  });

  it("waits in memory only while the file can't be written, and says so once", async () => {
    const { app, api, request, breakWrites, unwritten } = await scene();
    const [one, two] = [await request("a@example.org"), await request("b@example.org")];
    mkdirSync(fileOf(app));
    const mend = await breakWrites();
    for (const link of [one, two]) expect((await api.get(link)).status).toBe(200);
    const said = app.logged.filter(
      ({ msg }) => msg === "redemptions that can't be recorded wait in memory only",
    );
    expect(said).toHaveLength(1);
    rmdirSync(fileOf(app));
    await unwritten.writeAll();
    expect(waitingIn(app)).toHaveLength(2);
    await mend();
    await unwritten.writeAll();
    expect((await listEvents(app)).every(({ redeemedAt }) => redeemedAt !== null)).toBe(true);
  });
});

describe("after a restart", () => {
  const leave = async (change: (app: TestApp) => void | Promise<void> = () => {}) => {
    const dataDir = createTempFolder();
    const { app, api, file, request, breakWrites } = await scene({}, { dataDir });
    const links = [await request("a@example.org"), await request("b@example.org")];
    const mend = await breakWrites();
    for (const link of links) await api.get(link);
    await mend();
    await change(app);
    await app.container.unwritten.stop();
    const again = await startApp({}, { dataDir });
    again.container.unwritten.start();
    const settle = () => eventually(async () => expect(await redeemed()).toEqual([true, true]));
    const redeemed = async () => (await listEvents(again)).map(({ redeemedAt }) => redeemedAt !== null);
    return { app, again, file, settle, redeemed };
  };

  it("what waited is recorded", async () => {
    const { again, file, settle } = await leave();
    await settle();
    expect(await downloadCounts(again)).toEqual({ [file.id]: 2 });
    await eventually(() => expect(existsSync(fileOf(again))).toBe(false));
  });

  it("what was recorded although the response was lost counts once", async () => {
    const { again, file, settle } = await leave(async (app) => {
      const before = readFileSync(fileOf(app));
      await app.container.unwritten.writeAll();
      expect(existsSync(fileOf(app))).toBe(false);
      writeFileSync(fileOf(app), before, { mode: 0o600 });
    });
    await settle();
    await eventually(() => expect(existsSync(fileOf(again))).toBe(false));
    expect(await downloadCounts(again)).toEqual({ [file.id]: 2 });
  });

  it("whole lines of a damaged file are recorded, and one line of the log says so", async () => {
    const { again, settle } = await leave((app) => {
      appendFileSync(
        fileOf(app),
        `{"redemption":{"eventId":"seven"}}\n\0\0\0\n${linesOf(app)[0]?.slice(0, 80)}`,
      );
    });
    await settle();
    expect(again.logged).toContainEqual(
      expect.objectContaining({ msg: "some waiting redemptions can't be read", unreadable: 3 }),
    );
  });

  it("an event of the same number in another database isn't touched", async () => {
    const { again, redeemed } = await leave((app) => {
      const [first = "", second = ""] = linesOf(app);
      writeFileSync(fileOf(app), `${first.replace(/"requestedAt":\d+/, '"requestedAt":1')}\n${second}\n`);
    });
    await eventually(async () => expect(await redeemed()).toEqual([false, true]));
    await eventually(() => expect(existsSync(fileOf(again))).toBe(false));
  });
});

describe("an erased contact", () => {
  it("leaves the file at once, and nothing of it is recorded", async () => {
    const { app, api, file, request, breakWrites, unwritten } = await scene();
    const [link, other] = [await request("sara@example.org"), await request("b@example.org")];
    const mend = await breakWrites();
    for (const each of [link, other]) await api.get(each, { Referer: "https://example.org/sara" });
    await mend();
    const sara = (await listContacts(app)).find(({ email }) => email.startsWith("sara"));
    expect((await (await app.admin()).delete(`/api/admin/contacts/${sara?.publicId}`)).status).toBe(200);
    expect(waitingIn(app)).toHaveLength(1);
    await unwritten.writeAll();
    expect(await listEvents(app)).toMatchObject([
      { redeemedAt: null, contactId: null, ipAddress: null, referrer: "" },
      { redeemedAt: app.clock.now() },
    ]);
    expect(await downloadCounts(app)).toEqual({ [file.id]: 1 });
  });

  it("that another instance erased is dropped when it would be recorded", async () => {
    const { app, api, request, breakWrites, unwritten } = await scene();
    const link = await request("sara@example.org");
    const mend = await breakWrites();
    await api.get(link);
    await mend();
    const { commit, writer } = app.container.database;
    await commit(() =>
      writer.updateTable("download_events").set({ contactId: null, ipAddress: null }).execute(),
    );
    await unwritten.writeAll();
    expect(await listEvents(app)).toMatchObject([{ redeemedAt: null, contactId: null, ipAddress: null }]);
    expect(existsSync(fileOf(app))).toBe(false);
  });
});

describe("bounds", () => {
  it("drop what waits for more than a day, and the doctor names it", async () => {
    const { app, api, request, breakWrites, unwritten } = await scene();
    const [old, young] = [await request("a@example.org"), await request("b@example.org")];
    const mend = await breakWrites();
    await api.get(old);
    app.clock.advance(5 * MINUTE);
    await api.get(young);
    app.clock.advance(DAY - 2 * MINUTE);
    await unwritten.writeAll();
    expect(waitingIn(app).filter((line) => "redemption" in line)).toHaveLength(1);
    await mend();
    await unwritten.writeAll();
    expect(await doctorOf(app)).toEqual([
      "1 delivered downloads, the last of them given up at 2026-03-02T12:03:00.000Z, are not recorded as redeemed.",
    ]);
    expect(app.logged).toContainEqual(
      expect.objectContaining({
        level: 50,
        msg: "dropped redemptions that were not recorded",
        redemptions: 1,
      }),
    );
    app.clock.advance(31 * DAY);
    expect((await unwritten.readState()).dropped).toBeUndefined();
  });

  it("keep the latest ten thousand", async () => {
    const { app, request, api, breakWrites, unwritten } = await scene();
    const link = await request("a@example.org");
    const mend = await breakWrites();
    onTestFinished(mend);
    await api.get(link);
    const [line = ""] = linesOf(app);
    const many = Array.from({ length: 10_050 }, (_, index) =>
      line.replace(/"eventId":\d+/, `"eventId":${index + 1000}`),
    );
    const dataDir = createTempFolder();
    writeFileSync(fileOf({ dataDir }), `${many.join("\n")}\n`, { mode: 0o600 });
    const next = await startApp({}, { dataDir });
    expect(await next.container.unwritten.readState()).toMatchObject({
      waiting: 10_000,
      dropped: { count: 50 },
    });
    expect(await unwritten.readState()).toMatchObject({ waiting: 1, dropped: undefined });
    // None of these events exists there.
    await next.container.unwritten.writeAll();
    expect(waitingIn(next)).toEqual([{ dropped: { count: 50, at: next.clock.now() } }]);
  });
});

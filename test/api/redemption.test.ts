import { describe, expect, it } from "vitest";
import { startApp } from "../support/app.ts";
import { contact } from "../support/factory.ts";
import { failOn } from "../support/failing-rows.ts";
import { AGENTS, downloadCounts, findOnlyEvent, linkTo, linkToAll, listEvents } from "../support/reader.ts";
import { hashBytes } from "../support/stored-files.ts";

const MINUTE = 60_000;
const TEXT = "0123456789".repeat(100);

async function scene(variables: Record<string, string> = {}) {
  const app = await startApp(variables);
  const { book, file } = await app.make.published("The Well", "en", TEXT);
  const asked = { slug: "the-well", languageCode: "en" };
  const link = await linkTo(app.api, asked);
  const count = async () => (await downloadCounts(app))[file.id];
  return { app, api: app.api, book, file, asked, link, count };
}

describe("the first delivery of a link", () => {
  it("replaces the requester's data by that of the downloading client, and counts the file", async () => {
    const { app, api, asked, file } = await scene({ TRUST_PROXY: "1" });
    // A public site may post the form from its own server: it counts from then on.
    const site = api.with({
      "User-Agent": "node",
      Referer: "https://site.example/",
      "X-Forwarded-For": "192.0.2.7",
    });
    const response = await site.post("/api/download/submit?utm_source=site", { ...asked, contact });
    const before = (await listEvents(app))[1];
    expect(before).toMatchObject({ isBot: 0, deviceType: "other", ipAddress: "192.0.2.7", redeemedAt: null });

    app.clock.advance(MINUTE);
    await api.get(response.body.downloadUrl, {
      "User-Agent": AGENTS.iphone,
      Referer: "https://example.org/libros",
      "X-Forwarded-For": "2001:db8:1:2::3",
    });
    expect((await listEvents(app))[1]).toEqual({
      ...before,
      redeemedAt: app.clock.now(),
      deliveredVersion: `"${hashBytes(Buffer.from(TEXT))}"`,
      ipAddress: "2001:db8:1:2::3",
      referrer: "https://example.org/libros",
      isBot: 0,
      deviceType: "mobile",
      browserName: "Mobile Safari",
      browserVersion: "17.5",
      osName: "iOS",
      osVersion: "17.5",
    });
    expect(await downloadCounts(app)).toEqual({ [file.id]: 1 });
  });

  it("keeps the referrer of the form if the download has none", async () => {
    const { app, api, asked } = await scene();
    const form = api.with({ "User-Agent": AGENTS.chrome, Referer: "https://example.org/libros" });
    const { body } = await form.post("/api/download/submit", { ...asked, contact });
    await api.get(body.downloadUrl, { "User-Agent": AGENTS.iphone });
    expect((await listEvents(app))[1]).toMatchObject({
      referrer: "https://example.org/libros",
      deviceType: "mobile",
    });
  });

  it("isn't a HEAD request, a later range, a prefetch, a bot, or a response without the file", async () => {
    const { app, api, link, count } = await scene();
    const before = await findOnlyEvent(app);
    await api.head(link, { "User-Agent": AGENTS.chrome });
    const harmless: Record<string, string>[] = [
      { Range: "bytes=1-" },
      { Range: "bytes=-10" },
      { Range: "bytes=5000-" },
      { "If-None-Match": "*" },
      { "If-Match": '"other"' },
      { "Sec-Purpose": "prefetch" },
      { "Sec-Purpose": "prefetch;prerender" },
      { Purpose: "prefetch" },
      { "X-Purpose": "preview" },
      { "X-Moz": "prefetch" },
      { "User-Agent": AGENTS.googlebot },
      { "User-Agent": "WhatsApp/2.23.20.0" },
      { "User-Agent": "Scrapy/2.11.2 (+https://scrapy.org)" },
    ];
    for (const headers of harmless) {
      const { status } = await api.get(link, headers);
      expect([200, 206, 304, 412, 416]).toContain(status);
      expect(await findOnlyEvent(app), JSON.stringify(headers)).toEqual(before);
    }
    expect(await count()).toBe(0);
    // A bot gets the file all the same.
    expect((await api.get(link, { "User-Agent": AGENTS.googlebot })).body.toString()).toBe(TEXT);
  });

  it.each([
    ["curl", { "User-Agent": AGENTS.curl }, "curl"],
    ["Wget", { "User-Agent": AGENTS.wget }, "Wget"],
    ["aria2", { "User-Agent": "aria2/1.36.0" }, "aria2"],
    ["HTTPie", { "User-Agent": "HTTPie/3.2.2" }, "HTTPie"],
    ["a browser", { "User-Agent": AGENTS.chrome }, "Chrome"],
    ["no known client", {}, ""],
    ["a player that asks for the first bytes", { Range: "bytes=0-1" }, ""],
    ["a resuming client that has another version", { Range: "bytes=9-", "If-Range": '"other"' }, ""],
  ])("can be to %s", async (_, headers, browserName) => {
    const { app, api, link, count } = await scene();
    await api.get(link, headers);
    expect(await findOnlyEvent(app)).toMatchObject({ redeemedAt: app.clock.now(), browserName, isBot: 0 });
    expect(await count()).toBe(1);
  });

  it("counts once: retries and fifty concurrent requests change nothing more", async () => {
    const { app, api, link, count } = await scene();
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        api.get(link, { "User-Agent": `Mozilla/5.0 Gecko Firefox/${index}.0` }),
      ),
    );
    expect(responses.every(({ status }) => status === 200)).toBe(true);
    expect(await count()).toBe(1);
    const first = await findOnlyEvent(app);
    expect(first.redeemedAt).toBe(app.clock.now());

    app.clock.advance(MINUTE);
    await api.get(link, { "User-Agent": AGENTS.iphone, Referer: "https://example.org/again" });
    expect(await findOnlyEvent(app)).toEqual(first);
    expect(await count()).toBe(1);
  });

  it("counts another link of the same reader, too", async () => {
    const { app, api, asked, link, count } = await scene();
    await api.get(link);
    await api.get(await linkTo(api, asked));
    expect(await count()).toBe(2);
    expect(await listEvents(app)).toHaveLength(2);
  });

  it("of a whole language counts every file in it, and records the delivered set", async () => {
    const { app, api, file, count } = await scene();
    const link = await linkToAll(api, "en");
    const [, requested] = await listEvents(app);
    await api.get(link, { Range: "bytes=1-" });
    const two = await app.make.published("Two", "en");
    const french = await app.make.published("Trois", "fr");
    await api.head(link);
    await api.get(link, { "User-Agent": AGENTS.googlebot });
    expect((await listEvents(app))[1]).toEqual(requested);

    await Promise.all(Array.from({ length: 5 }, () => api.get(link, { "User-Agent": AGENTS.chrome })));
    const [, redeemed] = await listEvents(app);
    expect(redeemed).toMatchObject({ redeemedAt: app.clock.now(), booksCount: 2, browserName: "Chrome" });
    expect(redeemed?.archiveId).not.toBe(requested?.archiveId);
    expect(redeemed?.deliveredVersion).toBe(`"${redeemed?.archiveId}"`);
    expect(await downloadCounts(app)).toEqual({ [file.id]: 1, [two.file.id]: 1, [french.file.id]: 0 });
    expect(await count()).toBe(1);
  });

  it("delivers the book even if the delivery can't be recorded", async () => {
    const { app, api, link, count } = await scene();
    const mend = await failOn(app.container.database, "update", "download_events");
    const response = await api.get(link);
    expect([response.status, response.body.toString()]).toEqual([200, TEXT]);
    expect(app.logged).toContainEqual(
      expect.objectContaining({ level: 50, msg: "could not record a redemption; it waits for the database" }),
    );
    expect([await count(), (await findOnlyEvent(app)).redeemedAt]).toEqual([0, null]);

    await mend();
    await api.get(link);
    expect([await count(), (await findOnlyEvent(app)).redeemedAt]).toEqual([1, app.clock.now()]);
  });
});

describe("the event of a reader", () => {
  it.each([
    ["full", "2001:db8:1:2:3::9", "198.51.100.77"],
    ["truncated", "2001:db8:1::", "198.51.100.0"],
    ["none", null, null],
  ])("has as much of the address as IP_STORAGE=%s permits", async (IP_STORAGE, v6, v4) => {
    const { app, api, asked } = await scene({ IP_STORAGE, TRUST_PROXY: "1" });
    const from = (address: string) => api.with({ "X-Forwarded-For": address });
    await from("2001:db8:1:2:3::9").post("/api/download/submit", { ...asked, contact });
    const link = await linkTo(from("198.51.100.77"), asked);
    const addresses = async () => (await listEvents(app)).slice(1).map(({ ipAddress }) => ipAddress);
    expect(await addresses()).toEqual([v6, v4]);
    await from("2001:db8:1:2:3::9").get(link);
    expect(await addresses()).toEqual([v6, v6]);
  });

  it("has unusual headers unchanged, truncated to a limit", async () => {
    const { app, api, link } = await scene();
    const Referer = `https://example.org/?q=${"\"<script>'\\;=+-@"}\u00e9\u0080${"r".repeat(2000)}`;
    const response = await api.get(link, { "User-Agent": `M\u00f6bile \t=cmd ${"u".repeat(4000)}`, Referer });
    expect(response.status).toBe(200);
    const { referrer, redeemedAt } = await findOnlyEvent(app);
    expect(redeemedAt).toBe(app.clock.now());
    expect(referrer).toBe(Referer.slice(0, 500));
    const log = await (await app.admin()).get("/api/admin/analytics/downloads");
    expect(log.body.downloads[0].referrer).toBe(referrer);
  });
});

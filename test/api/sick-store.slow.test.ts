/** A store that sends wrong bytes, nothing, or no end; and one that isn't a store but responds with 200 to everything. */
import { once } from "node:events";
import { request } from "node:http";
import { describe, expect, it } from "vitest";
import type { Scheduler } from "../../src/adapters/system.ts";
import { portOf } from "../../tools/lib/listening.ts";
import { readZip } from "../../tools/lib/read-zip.ts";
import { FakeClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { FakeScheduler } from "../support/fake-scheduler.ts";
import { findOnlyEvent, linkTo, linkToAll, listEvents } from "../support/reader.ts";
import { type SickStore, send, sendWithoutEnd, startSickStore } from "../support/sick-store.ts";
import { startDownload } from "../support/slow-download.ts";
import { createStorageScene, TEXT } from "../support/storage-scene.ts";
import { createTxt } from "../support/stored-files.ts";

const MEBIBYTE = 1024 * 1024;
const CODE = { code: "storage_unavailable" };

async function scene(given: { schedule?: Scheduler } = {}) {
  const store = await startSickStore();
  return { store, ...(await createStorageScene(store.settings, given)) };
}

const isFile = (key: string): boolean => key.startsWith("files/");
const zipsIn = ({ objects }: SickStore) => [...objects.keys()].filter((key) => key.startsWith("zips/"));

describe("a store that sends wrong bytes", () => {
  const BYTES = createTxt(TEXT);
  const changed = Buffer.from(BYTES);
  changed[100] = (changed[100] ?? 0) ^ 1;

  it.each([
    ["one changed bit", changed],
    ["zeros", Buffer.alloc(BYTES.length)],
  ])("never gets them into a kept ZIP: %s", async (_, bytes) => {
    const { store, app, api } = await scene();
    store.fallSick((call) => {
      if (call.operation !== "GET" || !isFile(call.key)) return false;
      send(call, bytes);
      return true;
    });
    const link = await linkToAll(api, "en");
    expectProblem(await api.get(link), 503, { code: "archive_unavailable" });
    expect(zipsIn(store)).toEqual([]);
    store.recover();
    app.clock.advance(60_000);
    const entries = await readZip((await api.get(link)).body);
    expect(entries.map((entry) => entry.bytes.toString())).toEqual([TEXT]);
    expect(zipsIn(store)).toHaveLength(1);
  });

  it.each([
    ["fewer", BYTES.length - 1],
    ["more", BYTES.length + 1],
    ["none", 0],
  ])("causes 503 if it announces another number of bytes: %s", async (_, length) => {
    const { store, api, link } = await scene();
    store.fallSick(({ operation, key, res }) => {
      if (operation !== "GET" || !isFile(key)) return false;
      res.writeHead(206, { ETag: '"e"', "Content-Length": length }).end(Buffer.alloc(length, "a"));
      return true;
    });
    for (const path of [link, await linkToAll(api, "en")]) expect((await api.get(path)).status).toBe(503);
    expect(zipsIn(store)).toEqual([]);
    store.recover();
    expect((await api.get(link)).body.toString()).toBe(TEXT);
  });

  it("is read only up to the announced size", async () => {
    const { store, api, link } = await scene();
    const takenBy: (() => number)[] = [];
    store.fallSick(({ operation, key, res }) => {
      if (operation !== "GET" || !isFile(key)) return false;
      res.writeHead(206, { ETag: '"e"' });
      takenBy.push(sendWithoutEnd(res, Buffer.alloc(65_536)));
      return true;
    });
    expectProblem(await api.get(link), 503);
    expectProblem(await api.get(await linkToAll(api, "en")), 503, { code: "archive_unavailable" });
    await eventually(() => expect(store.openRequests()).toBe(0));
    expect(takenBy.length).toBeGreaterThan(1);
    for (const taken of takenBy) expect(taken()).toBeLessThan(8 * MEBIBYTE);
    expect(zipsIn(store)).toEqual([]);
  });
});

describe("an endpoint that isn't a store", () => {
  const PAGE = "<html>Please log in to this network</html>";

  it("causes 503 for every operation that needs a store, and nothing is lost", async () => {
    const { store, api, link, upload, admin, files, file } = await scene();
    const all = await linkToAll(api, "en");
    expect((await api.get(all)).status).toBe(200);
    const before = new Map(store.objects);
    store.fallSick(({ res }) => {
      res.writeHead(200, { "Content-Type": "text/html" }).end(PAGE);
      return true;
    });
    for (const response of [
      await api.get(link),
      await api.get(all),
      await api.get(link, { Range: "bytes=10-" }),
      await upload(createTxt("more"), "c.txt"),
      await admin.upload("put", `${files}/${file.id}`, { file: { bytes: createTxt("new"), name: "a.txt" } }),
    ]) {
      expectProblem(response, 503, CODE);
    }
    expect((await api.head(link)).status).toBe(503);
    store.recover();
    expect(store.objects).toEqual(before);
    expect((await api.get(link)).body.toString()).toBe(TEXT);
    expect((await api.get(all)).status).toBe(200);
  });

  it.each([
    ["without a length", { ETag: '"e"' }],
    ["without an entity tag", { "Content-Length": "1024" }],
    ["with another length", { ETag: '"e"', "Content-Length": "1023" }],
    ["of an empty object", { ETag: '"e"', "Content-Length": "0" }],
  ])("is recognised by a response to HEAD %s", async (_, headers) => {
    const { store, api, link, app } = await scene();
    store.fallSick(({ operation, key, res }) => {
      if (operation !== "HEAD" || !isFile(key)) return false;
      res.writeHead(200, headers).end();
      return true;
    });
    expectProblem(await api.get(link), 503, CODE);
    expect((await findOnlyEvent(app)).redeemedAt).toBeNull();
  });

  it("is recognised by a ZIP without a version of this service", async () => {
    const { store, api } = await scene();
    const link = await linkToAll(api, "en");
    expect((await api.get(link)).status).toBe(200);
    store.fallSick(({ operation, key, object, res }) => {
      if (operation !== "HEAD" || !key.startsWith("zips/") || !object) return false;
      res.writeHead(200, { ETag: '"e"', "Content-Length": "42" }).end();
      return true;
    });
    expectProblem(await api.get(link), 503, CODE);
  });
});

it.each(["PUT", "GET", "COPY"] as const)(
  "an endless error response is read up to a mebibyte: %s",
  async (operation) => {
    const { store, api, link, upload } = await scene();
    const takenBy: (() => number)[] = [];
    store.fallSick((call) => {
      if (call.operation !== operation) return false;
      call.res.writeHead(403, { "Content-Type": "application/xml" });
      takenBy.push(sendWithoutEnd(call.res, Buffer.alloc(65_536, "<Error>")));
      return true;
    });
    const isUpload = operation === "PUT" || operation === "COPY";
    expectProblem(await (isUpload ? upload(createTxt("more"), "c.txt") : api.get(link)), 503, CODE);
    await eventually(() => expect(store.openRequests()).toBe(0));
    expect(takenBy.length).toBeGreaterThan(0);
    for (const taken of takenBy) expect(taken()).toBeLessThan(8 * MEBIBYTE);
  },
);

it("deletes the files of books that were deleted while it failed, and asks a failing store for no deletion", async () => {
  const timers = new FakeScheduler(new FakeClock());
  const { store, app, admin, book, upload } = await scene({ schedule: timers.schedule });
  const { released } = app.container;
  released.start();
  expect((await upload(createTxt("more"), "c.txt")).status).toBe(201);
  const stored = () => [...store.objects.keys()].filter(isFile);
  const operations = new Set<string>();
  store.fallSick(({ operation, res }) => {
    operations.add(operation);
    res.writeHead(500).end();
    return true;
  });
  expect((await admin.delete(`/api/admin/books/${book.id}?permanent=true`)).status).toBe(200);
  await released.run().catch(() => {});
  await eventually(() => expect(timers.due).toHaveLength(1));
  expect([...operations]).toEqual(["HEAD"]);
  expect(stored()).toHaveLength(2);
  store.recover();
  app.clock.advance(3_600_000);
  await released.run();
  await eventually(() => expect(stored()).toEqual([]));
});

describe("a client that disconnects", () => {
  /** The store reads the request, and never responds. */
  const SILENT: Parameters<SickStore["fallSick"]>[0] = ({ operation }) =>
    operation === "GET" || operation === "PUT";

  it("ends the request to the store of its upload", async () => {
    const { store, app, admin, files } = await scene();
    store.fallSick(SILENT);
    const uploading = admin.upload("post", files, {
      fields: { languageCode: "en" },
      file: { bytes: createTxt("more"), name: "c.txt" },
    });
    uploading.catch(() => {});
    await eventually(() => expect(store.openRequests()).toBe(1));
    app.server.closeAllConnections();
    await eventually(() => expect(store.openRequests()).toBe(0));
  });

  it("ends the request to the store of its download, before and after the first byte", async () => {
    const { store, app, api } = await scene();
    const bytes = createTxt("a".repeat(MEBIBYTE));
    const { book } = await app.make.published("A Long Book", "en", bytes.toString());
    const link = await linkTo(api, { slug: book.slug, languageCode: "en" });
    store.fallSick(SILENT);
    const waiting = request({ port: portOf(app.server), path: link, agent: false }).end();
    waiting.on("error", () => {});
    await eventually(() => expect(store.openRequests()).toBe(1));
    waiting.destroy();
    await eventually(() => expect(store.openRequests()).toBe(0));
    expect((await listEvents(app)).map(({ redeemedAt }) => redeemedAt)).toEqual([null, null]);

    store.fallSick(({ operation, key, res }) => {
      if (operation !== "GET" || !isFile(key)) return false;
      res.writeHead(206, { ETag: '"e"', "Content-Length": bytes.length });
      res.write(bytes.subarray(0, bytes.length / 2));
      return true;
    });
    const download = await startDownload(app.server, link);
    await once(download.response.resume(), "data");
    download.leave();
    await eventually(() => expect(store.openRequests()).toBe(0));
  });
});

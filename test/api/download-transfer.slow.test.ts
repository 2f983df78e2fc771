/** Downloads that take their time: what happens in the meantime doesn't reach them. */
import { describe, expect, it } from "vitest";
import { readZip } from "../../tools/lib/read-zip.ts";
import { startApp } from "../support/app.ts";
import { setActive } from "../support/catalogue-rows.ts";
import { eventually } from "../support/eventually.ts";
import { itInFolder } from "../support/on-s3.ts";
import { canListDescriptors, openDescriptors } from "../support/open-descriptors.ts";
import { findOnlyEvent, linkTo, linkToAll } from "../support/reader.ts";
import { type SlowDownload, startDownload } from "../support/slow-download.ts";

/** More than the sockets of both sides hold, so that most of it is still to be read when the headers arrive. */
const SIZE = 24 * 1024 * 1024;
const MINUTE = 60_000;

async function scene() {
  const app = await startApp();
  const { book, file } = await app.make.published("The Well", "en", "a".repeat(SIZE));
  const link = await linkTo(app.api, { slug: "the-well", languageCode: "en" });
  const filePath = `/api/admin/books/${book.id}/files/${file.id}`;
  return { app, admin: await app.admin(), book, link, filePath };
}

async function expectWhole(download: SlowDownload, letter: string): Promise<void> {
  const bytes = await download.finish();
  expect(bytes.length).toBe(SIZE);
  expect(bytes.equals(Buffer.alloc(SIZE, letter))).toBe(true);
}

describe("a transfer that has begun", () => {
  it("isn't cut when its link expires or its book is archived", async () => {
    const { app, book, link } = await scene();
    const download = await startDownload(app.server, link);
    app.clock.advance(11 * MINUTE);
    await setActive(app, book.id, 0);
    expect((await app.api.get(link)).status).toBe(410);
    await expectWhole(download, "a");
  });

  it("delivers one version completely while the file is replaced or deleted", async () => {
    const { app, admin, link, filePath } = await scene();
    const old = await startDownload(app.server, link);
    const bytes = Buffer.alloc(SIZE, "b");
    expect((await admin.upload("put", filePath, { file: { bytes, name: "b.txt" } })).status).toBe(200);
    const fresh = await startDownload(app.server, link);
    const resumed = await startDownload(app.server, link, {
      Range: "bytes=1000-",
      "If-Range": old.response.headers.etag ?? "",
    });
    expect(fresh.response.headers.etag).not.toBe(old.response.headers.etag);
    expect(resumed.response.statusCode).toBe(200);
    await admin.delete(filePath);
    expect((await app.api.get(link)).status).toBe(404);
    await expectWhole(old, "a");
    await expectWhole(fresh, "b");
    await expectWhole(resumed, "b");
  });

  it("of a ZIP delivers one set of files completely while the set changes", async () => {
    const { app, admin } = await scene();
    const link = await linkToAll(app.api, "en");
    const old = await startDownload(app.server, link);
    const another = await app.make.published("Another", "en", "another");
    const names = async (zip: Buffer) => (await readZip(zip)).map(({ name }) => name);
    expect(await names((await app.api.get(link)).body)).toEqual([
      "01 - The Well [en].txt",
      "02 - Another [en].txt",
    ]);
    await admin.delete(`/api/admin/books/${another.book.id}/files/${another.file.id}`);
    expect(await names(await old.finish())).toEqual(["01 - The Well [en].txt"]);
  });

  itInFolder("leaves no open file if its reader disconnects", async ({ skip }) => {
    skip(!canListDescriptors);
    const { app, link } = await scene();
    const allLink = await linkToAll(app.api, "en");
    const open = () =>
      openDescriptors(app.dataDir).then((paths) => paths.filter((path) => !/sqlite/.test(path)));
    await eventually(async () => expect(await open()).toEqual([]));
    const downloads: SlowDownload[] = [];
    for (const path of [link, link, allLink, link]) downloads.push(await startDownload(app.server, path));
    expect((await open()).length).toBeGreaterThanOrEqual(4);
    for (const download of downloads) download.leave();
    await eventually(async () => expect(await open()).toEqual([]));
    // Neither do answers that send nothing of the file.
    for (const headers of [{ Range: `bytes=${SIZE}-` }, { "If-None-Match": "*" }, { "If-Match": '"x"' }]) {
      await app.api.get(link, headers);
      await app.api.get(allLink, headers);
    }
    await app.api.head(link);
    await app.api.head(allLink);
    await eventually(async () => expect(await open()).toEqual([]));
  });

  it("counts once, as delivered, when it begins", async () => {
    const { app, link } = await scene();
    const download = await startDownload(app.server, link);
    download.leave();
    const { redeemedAt } = await findOnlyEvent(app);
    expect(redeemedAt).toBe(app.clock.now());
    app.clock.advance(MINUTE);
    await startDownload(app.server, link).then((again) => again.finish());
    expect((await findOnlyEvent(app)).redeemedAt).toBe(redeemedAt);
  });
});

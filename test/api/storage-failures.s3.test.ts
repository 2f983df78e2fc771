/** An S3 store that fails, and large files. */
import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import type { Bucket } from "../../src/adapters/files/s3/bucket.ts";
import type { TestApp } from "../support/app.ts";
import { measureBytesInUse } from "../support/bytes-in-use.ts";
import { eventually } from "../support/eventually.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { onS3, relayToS3 } from "../support/on-s3.ts";
import { linkTo, linkToAll } from "../support/reader.ts";
import { openBucket } from "../support/s3-bucket.ts";
import { startDownload } from "../support/slow-download.ts";
import { createStorageScene, TEXT } from "../support/storage-scene.ts";
import { createTxt } from "../support/stored-files.ts";

const MEBIBYTE = 1024 * 1024;
const SIZE = 200 * MEBIBYTE;
const PIECE_BYTES = 65_536;
/** No divisor of a part's 8 MiB, so that each look finds another share of a part. */
const WATCHED_EVERY = 7 * MEBIBYTE;

describe("a store that fails", () => {
  it("causes 503 with Retry-After while it is stopped, and requires no restart", async () => {
    const relay = await relayToS3();
    const { api, link, upload } = await createStorageScene(onS3({ endpoint: relay.endpoint }));
    await relay.stop();
    for (const response of [
      await api.get(link),
      await upload(createTxt("more"), "c.txt"),
      await api.get(await linkToAll(api, "en")),
    ]) {
      expectProblem(response, 503, { code: "storage_unavailable" });
      expect(response.headers["retry-after"]).toBe("10");
    }
    expect((await api.get("/api/books")).status).toBe(200);
    await relay.start();
    expect((await api.get(link)).body.toString()).toBe(TEXT);
    expect((await upload(createTxt("more"), "c.txt")).status).toBe(201);
    expect((await api.get(await linkToAll(api, "en"))).status).toBe(200);
  });

  it("isn't waited for longer than half a minute", async () => {
    const relay = await relayToS3();
    const { api, link } = await createStorageScene(onS3({ endpoint: relay.endpoint }));
    relay.silence();
    const since = performance.now();
    expectProblem(await api.get(link), 503, { code: "storage_unavailable" });
    expect(performance.now() - since).toBeLessThan(30_000);
  });

  it("during a download causes a closed connection, so that a partial file never looks complete", async () => {
    const relay = await relayToS3();
    const { app, api, book, upload } = await createStorageScene(onS3({ endpoint: relay.endpoint }));
    const bytes = Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(30 * MEBIBYTE)]);
    expect((await upload(bytes, "a.pdf", { fileType: "pdf" })).status).toBe(201);
    const link = await linkTo(api, { bookId: book.id, languageCode: "en", fileType: "pdf" });
    const download = await startDownload(app.server, link);
    expect(download.response.headers["content-length"]).toBe(String(bytes.length));
    await relay.stop();
    await expect(download.finish()).rejects.toThrow("aborted");
  });
});

describe("a bucket below a running service", () => {
  const readiness = async (app: TestApp) => {
    app.clock.advance(1000);
    const { body } = await app.api.get("/api/health/ready");
    return body.unavailable ?? [];
  };

  it.each<[string, (bucket: Bucket) => Promise<unknown>]>([
    ["that was replaced by an empty one", (bucket) => deleteAll(bucket)],
    [
      "that is another service's",
      async (bucket) => {
        await deleteAll(bucket);
        await bucket.upload("service-id", Readable.from([Buffer.from("another\n")]));
      },
    ],
  ])("%s causes 503, not 404, and readiness names it", async (_, change) => {
    const settings = onS3();
    const { app, api, link, upload } = await createStorageScene(settings);
    expect(await readiness(app)).toEqual([]);
    await change(openBucket(settings));
    await eventually(async () => expectProblem(await api.get(link), 503, { code: "storage_unavailable" }));
    expectProblem(await upload(createTxt("more"), "c.txt"), 503, { code: "storage_unavailable" });
    await eventually(async () => expect(await readiness(app)).toEqual(["files"]));
    // A stranger's id isn't taken over by reading it.
    expectProblem(await api.get(link), 503, { code: "storage_unavailable" });
  });

  it("that lacks one file causes 404 for that file", async () => {
    const settings = onS3();
    const { app, api, link } = await createStorageScene(settings);
    const bucket = openBucket(settings);
    for await (const { path } of bucket.list("files/")) await bucket.delete(path);
    expectProblem(await api.get(link), 404, { code: "file_unavailable" });
    expect(await readiness(app)).toEqual([]);
  });

  it("in which a file has other bytes never sends all of them, and logs it", async () => {
    const settings = onS3();
    const { app, api, book, upload, link } = await createStorageScene(settings);
    const bucket = openBucket(settings);
    const bytes = Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(3 * MEBIBYTE)]);
    expect((await upload(bytes, "a.pdf", { fileType: "pdf" })).status).toBe(201);
    const large = await linkTo(api, { bookId: book.id, languageCode: "en", fileType: "pdf" });
    for await (const { path, sizeBytes } of bucket.list("files/"))
      await bucket.upload(path, Readable.from([Buffer.alloc(sizeBytes, "x")]));
    const logged = () =>
      app.logged.filter((line) => JSON.stringify(line).includes("other bytes than those of its name"));
    expectProblem(await api.get(link), 503, { code: "file_unreadable" });
    expect(logged()).not.toEqual([]);
    const before = logged().length;
    await expect((await startDownload(app.server, large)).finish()).rejects.toThrow("aborted");
    expect(logged().length).toBeGreaterThan(before);
    // A part can't be compared.
    expect((await api.get(large, { Range: "bytes=0-3" })).status).toBe(206);
  });
});

async function deleteAll(bucket: Bucket): Promise<void> {
  for await (const { path } of bucket.list("")) await bucket.delete(path);
}

it("a transfer of 200 MB uses the memory of a few parts only", async () => {
  const { app } = await createStorageScene();
  const { store } = app.container;
  const before = measureBytesInUse();
  let peak = 0;
  const watch = (bytes: number) => {
    if (bytes % WATCHED_EVERY < PIECE_BYTES) peak = Math.max(peak, measureBytesInUse() - before);
  };
  async function* source() {
    for (let sent = 0; sent < SIZE; sent += PIECE_BYTES) {
      watch(sent);
      yield Buffer.alloc(PIECE_BYTES, "%PDF-1.7\n");
    }
  }
  const received = await store.receive(source(), { maxBytes: SIZE });
  await store.keep(received);
  const { handle, sizeBytes } = await store.open(received.sha256);
  let sum = 0;
  for await (const chunk of handle.createReadStream()) {
    watch(sum);
    sum += chunk.length;
  }
  expect([sum, sizeBytes]).toEqual([SIZE, SIZE]);
  expect(peak).toBeLessThan(64 * MEBIBYTE);
});

/** The service on an S3 store: the journey of a file, a cover and a ZIP. */
import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { makeBackup, verifyBackup } from "../../src/operation/backup/commands.ts";
import { readZip } from "../../tools/lib/read-zip.ts";
import { startHost } from "../adapters/cloud-fetch-host.ts";
import { createPicture } from "../support/covers.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { downloadCounts, linkToAll } from "../support/reader.ts";
import { listPaths } from "../support/s3-bucket.ts";
import { createStorageScene, TEXT } from "../support/storage-scene.ts";
import { createEpub, createTxt, hashBytes, removeReleased } from "../support/stored-files.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { isOnPostgres } from "../support/test-database.ts";

const MINUTE = 60_000;

const storedAs = (...contents: readonly Buffer[]) =>
  contents.map(hashBytes).map((hash) => `files/${hash.slice(0, 2)}/${hash}`);

describe("a file on S3", () => {
  it("is uploaded, downloaded in parts and under conditions, replaced and deleted", async () => {
    const { app, api, admin, file, link, files, bucket } = await createStorageScene();
    expect(await listPaths(bucket)).toEqual(storedAs(createTxt(TEXT)));
    const whole = await api.get(link);
    expect([whole.status, whole.body.toString()]).toEqual([200, TEXT]);
    expect(whole.headers).toMatchObject({
      "content-length": "1024",
      "content-disposition": 'attachment; filename="The Well [en].txt"',
      etag: `"${hashBytes(createTxt(TEXT))}"`,
      "content-security-policy": "default-src 'none'; sandbox",
    });
    const part = await api.get(link, { Range: "bytes=100-199" });
    expect([part.status, part.body.toString()]).toEqual([206, TEXT.slice(100, 200)]);
    expect((await api.get(link, { "If-None-Match": whole.headers.etag ?? "" })).status).toBe(304);
    expectProblem(await api.get(link, { Range: "bytes=1024-" }), 416, { code: "range_not_satisfiable" });
    expectProblem(await api.get(link, { "If-Match": '"x"' }), 412, { code: "precondition_failed" });
    const head = await api.head(link);
    expect([head.status, head.headers["content-length"]]).toEqual([200, "1024"]);
    expect(Object.values(await downloadCounts(app))).toEqual([1]);

    const replaced = await admin.upload("put", `${files}/${file.id}`, {
      file: { bytes: createTxt("new"), name: "b.txt" },
    });
    expect(replaced.status).toBe(200);
    // The former bytes can come back.
    expect(await listPaths(bucket)).toEqual(storedAs(createTxt(TEXT), createTxt("new")).sort());
    expect((await api.get(link)).body.toString()).toBe("new");
    expect((await admin.delete(`${files}/${file.id}`)).status).toBe(200);
    expectProblem(await api.get(link), 404, { code: "file_unavailable" });
    await removeReleased(app);
    expect(await listPaths(bucket)).toEqual([]);
  });

  it("is recognised by its content, of any size, and rejected without remains", async () => {
    const { app, admin, bucket, book, upload } = await createStorageScene();
    const bytes = await createEpub("The Well");
    expect((await upload(bytes, "well.epub")).body).toMatchObject({ fileType: "epub" });
    expectProblem(await upload(bytes, "well.pdf", { fileType: "pdf" }), 415, { code: "wrong_file_type" });
    expectProblem(await upload(randomBytes(1000), "x.bin"), 415, { code: "unknown_file_type" });
    expectProblem(await upload(Buffer.alloc(0), "x.txt"), 400, { code: "file_empty" });
    const cover = `/api/admin/books/${book.id}/covers/en`;
    expectProblem(await admin.upload("put", cover, { file: { bytes, name: "x.jpg" } }), 415, {
      code: "image_type_unsupported",
    });
    await removeReleased(app);
    expect(await listPaths(bucket)).toEqual(storedAs(bytes, createTxt(TEXT)).sort());
  });

  it("without a row is set aside by a sweep", async () => {
    const { app, bucket } = await createStorageScene();
    const { store } = app.container;
    const received = await store.receive(
      (async function* () {
        yield createTxt("orphan");
      })(),
      { maxBytes: 9 },
    );
    await store.keep(received);
    await received.discard();
    expect(await listPaths(bucket)).toHaveLength(2);
    expect(await app.container.sweep()).toMatchObject({ setAside: 1 });
    expect(await listPaths(bucket, "files/")).toEqual(storedAs(createTxt(TEXT)));
    expect(await listPaths(bucket, "removed/")).toEqual([`removed/${hashBytes(createTxt("orphan"))}`]);
  });
});

describe("a backup of a service on S3", () => {
  it.skipIf(isOnPostgres())("contains the files of the bucket", async () => {
    const { app } = await createStorageScene();
    const out = createTempFolder();
    const { store } = app.container;
    const { path, manifest } = await makeBackup({ dataDir: app.dataDir, out, store });
    expect(manifest.files).toMatchObject({ count: 1, sizeBytes: TEXT.length });
    expect(await verifyBackup(path)).toEqual(manifest);
  });
});

it("a cover on S3 is stored, sent unchanged to administrators and scaled to readers, from any instance", async () => {
  const { app, api, admin, book, bucket } = await createStorageScene();
  const cover = `/api/admin/books/${book.id}/covers/en`;
  const bytes = await createPicture("red", { width: 600, height: 900 });
  expect((await admin.upload("put", cover, { file: { bytes, name: "x.jpg" } })).status).toBe(200);
  const original = await admin.get(cover);
  expect([original.status, original.headers["content-type"]]).toEqual([200, "image/jpeg"]);
  const scaled = await api.get("/api/books/the-well/cover?width=160&languageCode=en");
  expect(scaled.status).toBe(200);
  const [stored = "", ...others] = await listPaths(bucket, "covers/");
  expect(others).toEqual([]);
  const found = await app.container.coverCache.find(stored.slice("covers/".length, -".cover".length));
  expect(await found?.handle.readFile()).toEqual(scaled.body);
});

describe("a ZIP on S3", () => {
  it("is packed once for all instances, resumable, and replaced when the files change", async () => {
    const { app, api, bucket, upload } = await createStorageScene();
    const link = await linkToAll(api, "en");
    const zip = await api.get(link);
    expect(zip.status).toBe(200);
    expect((await readZip(zip.body)).map(({ bytes }) => bytes.toString())).toEqual([TEXT]);
    const [path = "", ...others] = await listPaths(bucket, "zips/");
    expect([path, others]).toEqual([`zips/${zip.headers.etag?.slice(1, -1)}.zip`, []]);
    const rest = await api.get(link, { Range: "bytes=50-", "If-Range": zip.headers.etag ?? "" });
    expect(rest.status).toBe(206);
    expect(rest.body.equals(zip.body.subarray(50))).toBe(true);
    // Another instance finds it: it was made once.
    const madeAt = (await bucket.head(path))?.modifiedAt;
    await app.container.zipCache.sweep();
    const again = await app.container.zipCache.obtain(path.slice(5, 69), async () => {
      throw new Error("It was built again");
    });
    expect(again.sizeBytes).toBe(zip.body.length);
    expect((await bucket.head(path))?.modifiedAt).toBe(madeAt);
    await upload(await createEpub("B"), "b.epub");
    expect(await readZip((await api.get(link)).body)).toHaveLength(2);
    expect(await listPaths(bucket, "zips/")).toHaveLength(2);
  });

  it("with a missing member is served for ten minutes, under its own tag", async () => {
    const host = await startHost((_request, response) => response.writeHead(503).end());
    const { app, api, admin, files, bucket } = await createStorageScene({
      CLOUD_FETCH_ALLOW_HOSTS: host.hostAndPort,
    });
    const cloud = {
      languageCode: "en",
      fileType: "pdf",
      fileName: "x.pdf",
      sourceType: "url",
      cloudUrl: host.url("/x"),
    };
    expect((await admin.post(files, cloud)).status).toBe(201);
    const link = await linkToAll(api, "en");
    const first = await api.get(link);
    expect((await readZip(first.body)).map(({ name }) => name)).toContain("MISSING.txt");
    expect((await api.get(link)).headers.etag).toBe(first.headers.etag);
    const plan = /zips\/([0-9a-f]{64})\.zip/.exec((await listPaths(bucket, "zips/")).join())?.[1];
    expect(first.headers.etag).not.toBe(`"${plan}"`);
    app.clock.advance(11 * MINUTE);
    const fresh = await linkToAll(api, "en");
    expect((await api.get(fresh)).headers.etag).not.toBe(first.headers.etag);
  });

  it("is deleted, oldest first, when all together are too large", async () => {
    const { app, api, bucket, upload } = await createStorageScene({ CACHE_MAX_BYTES: "10" });
    await api.get(await linkToAll(api, "en"));
    await upload(await createEpub("B"), "b.epub");
    const { etag = "" } = (await api.get(await linkToAll(api, "en"))).headers;
    await app.container.zipCache.waitUntilIdle();
    expect(await listPaths(bucket, "zips/")).toEqual([`zips/${etag.slice(1, -1)}.zip`]);
  });
});

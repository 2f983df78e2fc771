import { Readable } from "node:stream";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { RequestScope, runRequest } from "../../src/db/request-scope.ts";
import { startApp, startWithAdmin } from "../support/app.ts";
import {
  createEpub,
  createInflatingPdf,
  createMp3,
  createTitledEpub,
  writeFiles,
  zipOf,
} from "../support/book-files.ts";
import {
  findChildProcesses,
  readCpuTicks,
  readResidentBytes,
  watchMemory,
} from "../support/child-processes.ts";
import { BYTES, coverPathOf, createPicture, putCover } from "../support/covers.ts";
import { eventually } from "../support/eventually.ts";
import { createEntitiesSvg, withChunks, zTxt } from "../support/hostile-pictures.ts";
import { runImport } from "../support/library-runs.ts";
import { createMetadataReader } from "../support/metadata-reader.ts";
import { encodeMultipart, filePart, MULTIPART } from "../support/multipart.ts";
import { openRequest } from "../support/open-request.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const MEBIBYTE = 1024 * 1024;
const reader = createMetadataReader();

const bomb = async () =>
  withChunks(
    await createPicture("green", { type: "png", width: 40, height: 60 }),
    Buffer.alloc(1000 * zTxt.length, zTxt),
  );

const epubWith = (cover: Buffer | string, type: string) =>
  createEpub({
    metadata: "<dc:title>The Well</dc:title><dc:language>es</dc:language>",
    items: `<item id="c" href="cover" media-type="image/${type}" properties="cover-image"/>`,
    entries: { "OEBPS/cover": cover },
  });

async function start() {
  const { app, client } = await startWithAdmin();
  await app.make.language("es");
  const book = await app.make.book("The Deep Well");
  const path = coverPathOf(book.id, "es");
  await putCover(client, book.id, "default", await createPicture("red"));
  const examine = async (bytes: Buffer, name: string) => {
    const response = await client.upload("post", "/api/admin/files/examine", { file: { bytes, name } });
    return response.body.sha256;
  };
  const putStored = async (bytes: Buffer, name: string) =>
    client.put(path, { sha256: await examine(bytes, name) });
  return { ...app, app, client, book, path, examine, putStored };
}

const growth = (name: string) => {
  const before = Math.max(0, ...findChildProcesses(name).map(readResidentBytes));
  const watch = watchMemory(() => findChildProcesses(name));
  return () => watch.end() - before;
};

describe.runIf(process.platform === "linux")("a cover that inflates a thousand times", () => {
  it.each(["form", "raw bytes", "hash", "EPUB", "comic", "audio book"])(
    "is one as any other: %s",
    async (way) => {
      const { client, path, putStored } = await start();
      const bytes = await bomb();
      const picturesGrow = growth("picture-process.ts");
      const own = process.memoryUsage.rss();
      const ways: Record<string, () => Promise<{ status: number; body: unknown }>> = {
        form: () => client.upload("put", path, { file: { bytes, name: "cover.png" } }),
        "raw bytes": () => client.call("put", path, { body: bytes, headers: BYTES }),
        hash: () => putStored(bytes, "cover.png"),
        EPUB: async () => putStored(await epubWith(bytes, "png"), "well.epub"),
        comic: async () => putStored(await zipOf({ "01.png": bytes }), "well.cbz"),
        "audio book": () => putStored(createMp3({ TALB: "The Well" }, bytes), "well.mp3"),
      };
      const response = await ways[way]?.();
      expect(response).toMatchObject({ status: 200, body: { cover: { width: 40, height: 60 } } });
      expect(picturesGrow()).toBeLessThan(50 * MEBIBYTE);
      expect(process.memoryUsage.rss() - own).toBeLessThan(150 * MEBIBYTE);
    },
  );

  it("is imported from a folder and from files", async () => {
    const { app, container } = await start();
    const folder = createTempFolder();
    const bytes = await bomb();
    writeFiles(folder, {
      "es/Uno.epub": await epubWith(bytes, "png"),
      "es/Dos.epub": await epubWith(await createPicture("blue", { type: "gif" }), "gif"),
      "es/Tres.epub": await epubWith(createEntitiesSvg(), "svg+xml"),
    });
    const picturesGrow = growth("picture-process.ts");
    const { failures, remarks } = await runImport(app, folder, { reader });
    expect(picturesGrow()).toBeLessThan(256 * MEBIBYTE);
    expect(failures).toEqual([]);
    const noCover = remarks.filter(({ kind }) => kind === "noCover");
    expect(noCover).toMatchObject([{ detail: expect.stringContaining("damaged") }]);
    const { covers } = await container.services.covers.list();
    expect(covers.filter(({ languageCode }) => languageCode === "es")).toHaveLength(2);
  });

  it("isn't decoded as AVIF or as an SVG of an upload", async () => {
    const { client, path, putStored } = await start();
    const avif = Buffer.from("\0\0\0\x20ftypavif\0\0\0\0avifmif1miaf", "latin1");
    for (const body of [avif, Buffer.from(createEntitiesSvg())]) {
      expect((await client.call("put", path, { body, headers: BYTES })).status).toBe(415);
    }
    const inBook = await putStored(await epubWith(avif, "avif"), "well.epub");
    expect(inBook).toMatchObject({ status: 400, body: { code: "image_invalid" } });
    const vector = await putStored(await epubWith(createEntitiesSvg(), "svg+xml"), "other.epub");
    expect(vector).toMatchObject({ status: 400, body: { code: "image_invalid" } });
  });
});

describe.runIf(process.platform === "linux")("files of several users", () => {
  it("take turns: another user's file comes between two heavy ones", async () => {
    const { container } = await startApp();
    const { examinations } = container.services;
    const done: string[] = [];
    const examineAs = async (userId: string, name: string, bytes: Buffer) => {
      const scope = new RequestScope(60_000);
      scope.userId = userId;
      const received = await container.store.receive(Readable.from([bytes]), { maxBytes: bytes.length });
      await runRequest(scope, () => examinations.examine({ ...received, originalName: name }));
      await received.discard();
      done.push(name);
    };
    const heavy = [
      examineAs("a", "first.pdf", createInflatingPdf(256)),
      examineAs("a", "second.pdf", createInflatingPdf(257)),
    ];
    await eventually(() => expect(findChildProcesses("metadata-process.ts")).not.toEqual([]));
    await Promise.all([...heavy, examineAs("b", "book.epub", await createTitledEpub("A Well", "en"))]);
    // Which of the heavy ones is first, their reception decides.
    expect(done).toHaveLength(3);
    expect(done[1]).toBe("book.epub");
  });

  it.each(["metadata-process.ts", "picture-process.ts"])(
    "end in %s when the client has left",
    async (name) => {
      const { app, client, path, examine } = await start();
      await examine(await createTitledEpub("A Well", "en"), "well.epub");
      const isPicture = name === "picture-process.ts";
      const [method, to] = isPicture
        ? (["PUT", path] as const)
        : (["POST", "/api/admin/files/examine"] as const);
      const sent = await openRequest(app, method, to, MULTIPART);
      const before = new Map(findChildProcesses(name).map((each) => [each, readCpuTicks(each)]));
      sent.end(encodeMultipart(filePart(isPicture ? await createHeavyPicture() : createInflatingPdf(1024))));
      const isBusy = (each: number) => readCpuTicks(each) > (before.get(each) ?? 0) + 3;
      const pid = await eventually(() => findBusy(name, isBusy), { interval: 5 });
      // As if it took longer.
      process.kill(pid, "SIGSTOP");
      sent.destroy();
      await eventually(() => expect(readResidentBytes(pid)).toBe(0), { timeout: 15_000 });
      if (isPicture) {
        const next = await client.call("put", path, { body: await createPicture("green"), headers: BYTES });
        expect(next.status).toBe(200);
      } else expect(await examine(await createTitledEpub("A Hill", "en"), "hill.epub")).toBeTruthy();
    },
  );
});

/** It is decoded as a whole. */
const createHeavyPicture = () =>
  sharp({ create: { width: 7000, height: 5000, channels: 3, background: "teal" } })
    .withMetadata({ orientation: 6 })
    .jpeg({ progressive: true })
    .toBuffer();

function findBusy(name: string, isBusy: (pid: number) => boolean): number {
  const [pid] = findChildProcesses(name).filter(isBusy);
  if (pid === undefined) throw new Error("No process works.");
  return pid;
}

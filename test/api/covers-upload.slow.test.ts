/** What may become a cover, and what becomes of it. After each case: what lies on the disk. */
import { createHash } from "node:crypto";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { MAX_COVER_BYTES } from "../../src/schemas/covers.schemas.ts";
import { startWithAdmin } from "../support/app.ts";
import { readAuditLog } from "../support/audit-log.ts";
import { BYTES, coverPathOf, createPicture, readColor, readMetadata } from "../support/covers.ts";
import { eventually } from "../support/eventually.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { encodeMultipart, encodeUnfinished, field, filePart, MULTIPART } from "../support/multipart.ts";
import { openRequest } from "../support/open-request.ts";
import { createPdf, expectStored } from "../support/stored-files.ts";

async function start(variables: Record<string, string> = {}) {
  const { app, client } = await startWithAdmin(variables);
  await app.make.language("es");
  const book = await app.make.book("The Deep Well");
  const path = coverPathOf(book.id, "es");
  const put = (body: Buffer | string, headers: Record<string, string> = BYTES) =>
    client.call("put", path, { headers, body });
  /** A request that has sent nothing of its body yet. */
  const open = (contentLength: number) => openRequest(app, "PUT", path, { "Content-Length": contentLength });
  const kept = async () => (await client.get(path)).body;
  /** No cover, no line in the log, nothing on the disk. */
  const expectNothing = async () => {
    expectProblem(await client.get(path), 404, { code: "cover_not_found" });
    expect((await readAuditLog(app)).filter(({ objectKind }) => objectKind === "cover")).toEqual([]);
    await eventually(() => expectStored(app.dataDir));
  };
  return { ...app, client, book, path, put, open, kept, expectNothing };
}

/** Noise can't be made smaller: the bytes of a PNG of it are about three a pixel. */
const noise = (width: number, height: number): Promise<Buffer> => {
  const pixels = Buffer.concat(
    Array.from({ length: Math.ceil((width * height * 3) / 64) }, (_, index) =>
      createHash("sha512").update(String(index)).digest(),
    ),
  );
  const raw = { width, height, channels: 3 } as const;
  return sharp(pixels.subarray(0, width * height * 3), { raw })
    .png({ compressionLevel: 0 })
    .toBuffer();
};

describe("a stored cover", () => {
  it.each(["jpeg", "png", "webp"] as const)("is a %s if the upload was one", async (type) => {
    const { put, kept, dataDir } = await start();
    const bytes = await createPicture("green", { type });
    expect((await put(bytes)).body.cover).toMatchObject({
      contentType: `image/${type}`,
      width: 400,
      height: 600,
    });
    const image = await kept();
    expect(await readMetadata(image)).toMatchObject({ format: type, width: 400, height: 600 });
    expect(await readColor(image)).toBe("green");
    await expectStored(dataDir, image);
  });

  it("is the first frame of a GIF, as PNG, wherever an image is uploaded", async () => {
    const { client, put, kept } = await start();
    const frames = await Promise.all(
      (["red", "blue"] as const).map((color) => createPicture(color, { width: 40, height: 60, type: "png" })),
    );
    const bytes = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    expect(await sharp(bytes).metadata()).toMatchObject({ format: "gif", pages: 2 });
    const described = { contentType: "image/png", width: 40, height: 60 };
    expect((await put(bytes)).body.cover).toMatchObject(described);
    expect((await put(bytes, { "Content-Type": "image/gif" })).body.cover).toMatchObject(described);
    expect(await readMetadata(await kept())).toMatchObject({ format: "png", width: 40, height: 60 });
    expect(await readColor(await kept())).toBe("red");
    expectProblem(await put(bytes.subarray(0, 40)), 400, { code: "image_invalid" });
    const path = "/api/admin/library/logo";
    expect((await client.call("put", path, { headers: BYTES, body: bytes })).status).toBe(200);
    expect(await readColor((await client.get(path)).body)).toBe("red");
  });

  it("has no metadata, and is upright", async () => {
    const { put, kept } = await start();
    const exif = { IFD0: { Artist: "Sara", Copyright: "none" }, IFD3: { GPSLatitude: "51/1 30/1 0/1" } };
    const bytes = await sharp(await createPicture("red", { width: 600, height: 400 }))
      .withExif(exif)
      .withMetadata({ orientation: 6 })
      .toBuffer();
    expect(await readMetadata(bytes)).toMatchObject({ orientation: 6 });
    expect((await put(bytes)).body.cover).toMatchObject({ width: 400, height: 600 });
    const image = await kept();
    const { exif: left, icc, xmp, orientation = 1 } = await readMetadata(image);
    expect([left, icc, xmp, orientation]).toEqual([undefined, undefined, undefined, 1]);
    expect(image.includes("Sara")).toBe(false);
  });

  it("contains the image only, even if the upload is a valid file of another type, too", async () => {
    const { put, kept, dataDir } = await start();
    const hidden = "<html><script>alert(1)</script>";
    expect((await put(Buffer.concat([await createPicture("red"), Buffer.from(hidden)]))).status).toBe(200);
    expect((await kept()).includes("script")).toBe(false);
    await expectStored(dataDir, await kept());
  });
});

describe("an upload that isn't a JPEG, PNG, WebP or GIF image", () => {
  it("is rejected regardless of its name", async () => {
    const { client, path, put, expectNothing } = await start();
    const others = [
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>'),
      Buffer.from("<!doctype html><script>1</script>"),
      createPdf("a"),
      Buffer.from("\x89PNG\r\n\x1a", "latin1"),
    ];
    for (const bytes of others) {
      expectProblem(await put(bytes), 415, { code: "image_type_unsupported" });
      const named = await client.upload("put", path, { file: { bytes, name: "cover.jpg" } });
      expectProblem(named, 415, { code: "image_type_unsupported" });
      expectProblem(await put(bytes, { "Content-Type": "image/png" }), 415);
    }
    await expectNothing();
  });

  it("is rejected if it is truncated, broken, empty or has too many pixels", async () => {
    const { put, expectNothing } = await start();
    const whole = await noise(60, 60);
    expectProblem(await put(whole.subarray(0, whole.length / 2)), 400, { code: "image_invalid" });
    const broken = Buffer.from(whole);
    broken.fill(0, 60, 3000);
    expectProblem(await put(broken), 400, { code: "image_invalid" });
    expectProblem(await put(Buffer.alloc(0)), 400, { code: "file_empty" });
    const flood = await sharp({ create: { width: 8000, height: 8000, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    expect(flood.length).toBeLessThan(1_000_000);
    expectProblem(await put(flood), 413, { code: "image_too_large" });
    await expectNothing();
  });

  it("is rejected for its form, with all errors reported", async () => {
    const { put, expectNothing } = await start();
    const image = await createPicture("red");
    expectProblem(await put('{"a":1}', { "Content-Type": "application/json" }), 400, {
      errors: ["a unknown_field", "sha256 invalid_type"],
    });
    expectProblem(
      await put(Buffer.from("a=1"), { "Content-Type": "application/x-www-form-urlencoded" }),
      415,
    );
    expectProblem(await put(encodeMultipart(), MULTIPART), 400, { errors: ["file missing"] });
    const named = encodeMultipart(field("id", "1"), field("languageId", "2"), filePart(image));
    expectProblem(await put(named, MULTIPART), 400, {
      errors: ["id unknown_field", "languageId unknown_field"],
    });
    expectProblem(await put(encodeUnfinished(filePart(image)), MULTIPART), 400, {
      code: "malformed_multipart",
    });
    await expectNothing();
  });
});

describe("the maximum size of an upload", () => {
  it("is 10 MB for the file alone", async () => {
    const { put, expectNothing } = await start();
    const most = Buffer.alloc(MAX_COVER_BYTES, "x");
    expectProblem(await put(most), 415);
    expectProblem(await put(encodeMultipart(filePart(most)), MULTIPART), 415);
    const more = Buffer.alloc(MAX_COVER_BYTES + 1, "x");
    expectProblem(await put(more), 413, { code: "file_too_large" });
    expectProblem(await put(encodeMultipart(filePart(more)), MULTIPART), 413, { code: "file_too_large" });
    await expectNothing();
  });

  it("is enforced before the rest has arrived", async () => {
    const { open, expectNothing } = await start();
    const sent = await open(1_000_000_000);
    const status = new Promise((resolve) =>
      sent.once("response", (response) => resolve(response.statusCode)),
    );
    sent.write(Buffer.alloc(MAX_COVER_BYTES + 1));
    expect(await status).toBe(413);
    sent.destroy();
    await expectNothing();
  });

  it("is MAX_UPLOAD_BYTES if that is less", async () => {
    const { put } = await start({ MAX_UPLOAD_BYTES: "1000" });
    expectProblem(await put(Buffer.alloc(1001)), 413, { code: "file_too_large" });
  });

  it("leaves no bytes of a client that disconnects during the upload", async () => {
    const { open, expectNothing } = await start();
    const sent = await open(100_000);
    sent.write(Buffer.alloc(50_000), () => sent.destroy());
    await new Promise((resolve) => sent.once("close", resolve));
    await expectNothing();
  });
});

/** Uploaded covers: what becomes of an image, at which sizes and types it goes out, and how many at once. */
import { writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";
import { afterAll, describe, expect, it } from "vitest";
// It limits the decoders of this process, too.
import "../../src/adapters/images/pictures.ts";
import { CoverImages } from "../../src/adapters/images/cover-images.ts";
import { COVER_CONTENT_TYPES, COVER_WIDTHS } from "../../src/schemas/covers.schemas.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const JPEG = "image/jpeg";
const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");

const plain = (width: number, height: number, background = "teal"): Sharp =>
  sharp({ create: { width, height, channels: 3, background } });

const covers = new CoverImages();
afterAll(() => covers.close());

function normalise(bytes: Buffer | string) {
  const path = join(createTempFolder(), "upload");
  writeFileSync(path, bytes);
  return covers.normalise({ sizeBytes: bytes.length, open: () => open(path) });
}

async function pixel(bytes: Buffer, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const start = (y * info.width + x) * info.channels;
  return [...data.subarray(start, start + info.channels)];
}

/** Compression moves a colour a little. */
function expectColour(found: readonly number[], wanted: readonly number[]): void {
  const far = wanted.map((value, index) => Math.abs(value - (found[index] ?? Number.NaN)));
  expect(Math.max(...far), `${found}`).toBeLessThan(8);
}

describe("an uploaded cover", () => {
  it("keeps its type and size: JPEG, PNG or WebP", async () => {
    for (const type of ["jpeg", "png", "webp"] as const) {
      const { bytes, ...facts } = await normalise(await plain(300, 450).toFormat(type).toBuffer());
      expect(facts).toEqual({ contentType: `image/${type}`, width: 300, height: 450 });
      expect((await sharp(bytes).metadata()).format).toBe(type);
      expectColour(await pixel(bytes, 150, 200), [0, 128, 128]);
    }
  });

  it("is rotated upright", async () => {
    const left = plain(20, 20, "red");
    const lying = plain(40, 20, "white").composite([{ input: await left.png().toBuffer(), gravity: "west" }]);
    const upload = await lying.withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const { bytes, width, height } = await normalise(upload);
    expect([width, height]).toEqual([20, 40]);
    expectColour(await pixel(bytes, 10, 5), [255, 0, 0]);
    expectColour(await pixel(bytes, 10, 35), [255, 255, 255]);
  });

  it("loses metadata, profiles and bytes after the image, and keeps only pixels", async () => {
    const image = plain(60, 90)
      .withExif({ IFD0: { Copyright: "Jane Doe" }, IFD3: { GPSLatitude: "51/1 30/1 0/1" } })
      .withXmp("<x:xmpmeta xmlns:x='adobe:ns:meta/'><secret/></x:xmpmeta>")
      .withIccProfile("p3");
    const tail = "<html><script>alert(1)</script>PK\x03\x04";
    const uploads = [image.jpeg(), image.png(), image.webp()].map((each) => each.toBuffer());
    for (const upload of await Promise.all(uploads)) {
      expect(Object.keys(await sharp(upload).metadata())).toEqual(
        expect.arrayContaining(["exif", "icc", "xmp"]),
      );
      const { bytes } = await normalise(Buffer.concat([upload, Buffer.from(tail)]));
      const { exif, icc, xmp, iptc, comments } = await sharp(bytes).metadata();
      expect([exif, icc, xmp, iptc, comments]).toEqual([
        undefined,
        undefined,
        undefined,
        undefined,
        undefined,
      ]);
      expect(bytes.includes("script")).toBe(false);
      // The colours that the profile meant are still there.
      expectColour(await pixel(bytes, 30, 30), [0, 128, 128]);
    }
  });

  it("gets colours that every client displays: sRGB with 8 bits", async () => {
    const uploads = [
      plain(60, 90).toColourspace("cmyk").jpeg(),
      plain(60, 90).toColourspace("rgb16").png(),
      plain(60, 90).png({ palette: true }),
    ];
    for (const upload of uploads) {
      const { bytes } = await normalise(await upload.toBuffer());
      expect(await sharp(bytes).metadata()).toMatchObject({ space: "srgb", depth: "uchar" });
      expectColour(await pixel(bytes, 30, 30), [0, 128, 128]);
    }
  });

  it("gives the same bytes each time", async () => {
    const upload = await plain(300, 450).jpeg().toBuffer();
    const [first, second] = [await normalise(upload), await normalise(upload)];
    expect(first).toEqual(second);
  });
});

describe("an upload that can't become a cover", () => {
  it.each([
    ["an SVG", '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ["HTML", "<!doctype html><script>alert(1)</script>"],
    ["a TIFF", "II*\0\x08\0\0\0"],
    ["a BMP", "BM\x3a\0\0\0"],
    ["an AVIF", "\0\0\0\x20ftypavif"],
    ["a sound in the same container as WebP", "RIFF\x10\0\0\0WAVEfmt "],
    ["a PDF followed by an image", "%PDF-1.4 \xff\xd8\xff"],
  ])("%s is of another type", async (_, content) => {
    const refusal = normalise(Buffer.from(content, "latin1"));
    await expect(refusal).rejects.toMatchObject({ status: 415, code: "image_type_unsupported" });
  });

  it("reaches no decoder but those of uploads and pictures in books, and never as a path", async () => {
    for (const type of ["tiff", "avif"] as const) {
      const bytes = await plain(20, 30).toFormat(type).toBuffer();
      await expect(sharp(bytes).metadata(), type).rejects.toThrow("unsupported image format");
    }
    const path = join(createTempFolder(), "cover.png");
    writeFileSync(path, await plain(20, 30).png().toBuffer());
    await expect(sharp(path).metadata()).rejects.toThrow("unsupported image format");
  });

  it("is rejected if it is an animation", async () => {
    const frames = ["red", "green", "blue"].map((colour) => plain(20, 20, colour).png().toBuffer());
    const upload = await sharp(await Promise.all(frames), { join: { animated: true } })
      .webp()
      .toBuffer();
    expect((await sharp(upload).metadata()).pages).toBe(3);
    await expect(normalise(upload)).rejects.toMatchObject({ status: 415, code: "image_type_unsupported" });
  });

  it("is invalid if it is empty, truncated or only begins like an image", async () => {
    const whole = await Promise.all(
      (["jpeg", "png", "webp"] as const).map((type) => plain(300, 450).toFormat(type).toBuffer()),
    );
    const cut = whole.flatMap((bytes) =>
      [0.2, 0.6, 0.95].map((part) => bytes.subarray(0, bytes.length * part)),
    );
    const mere = whole.map((bytes) => Buffer.concat([bytes.subarray(0, 12), Buffer.alloc(500, "x")]));
    for (const bytes of ["", ...cut, ...mere]) {
      await expect(normalise(bytes)).rejects.toMatchObject({ status: 400, code: "image_invalid" });
    }
  });

  it("is rejected by its header if it has too many pixels", async () => {
    const sizes = [
      [50_000, 50_000],
      [900_000, 1],
      [8000, 5001],
      [16_384, 10],
    ] as const;
    for (const [width, height] of sizes) {
      const upload = Buffer.concat([
        SIGNATURE,
        header(width, height),
        chunk("IDAT", deflateSync(Buffer.alloc(99))),
      ]);
      await expect(normalise(upload)).rejects.toMatchObject({ status: 413, code: "image_too_large" });
    }
    const large = await plain(16_383, 2).jpeg().toBuffer();
    expect(await normalise(large)).toMatchObject({ width: 16_383, height: 2 });
  });

  it("isn't read beyond 10 MB", async () => {
    const upload = Buffer.alloc(10 * 1024 * 1024 + 1);
    (await plain(60, 90).jpeg().toBuffer()).copy(upload);
    await expect(normalise(upload)).rejects.toMatchObject({ status: 413, code: "image_too_large" });
    expect((await normalise(upload.subarray(0, -1))).width).toBe(60);
  });
});

describe("a scaled cover", () => {
  const images = covers;
  const resize = (bytes: Buffer, width: (typeof COVER_WIDTHS)[number], contentType = JPEG) => {
    const type = COVER_CONTENT_TYPES.find((each) => each === contentType) ?? JPEG;
    return images.resize(async () => bytes, { width, contentType: type });
  };

  it("has each width, and the height that goes with it", async () => {
    const cover = await plain(1600, 2400).jpeg().toBuffer();
    for (const width of COVER_WIDTHS) {
      const { bytes, ...facts } = await resize(cover, width);
      expect(facts).toEqual({ contentType: JPEG, width, height: width * 1.5 });
      expect(await sharp(bytes).metadata()).toMatchObject({ width, height: width * 1.5, format: "jpeg" });
    }
  });

  it("is never enlarged, and can keep its own width", async () => {
    const cover = await plain(200, 300).png().toBuffer();
    expect(await resize(cover, 640, "image/png")).toMatchObject({ width: 200, height: 300 });
    const own = await images.resize(async () => cover, { contentType: "image/webp" });
    expect(own).toMatchObject({ width: 200, height: 300, contentType: "image/webp" });
    expect((await sharp(own.bytes).metadata()).format).toBe("webp");
  });

  it("is an AVIF for clients that accept one", async () => {
    const { bytes, width, height } = await resize(await plain(640, 960).jpeg().toBuffer(), 320, "image/avif");
    expect(bytes.toString("latin1", 4, 12)).toBe("ftypavif");
    const size = bytes.indexOf("ispe") + 8;
    expect([bytes.readUInt32BE(size), bytes.readUInt32BE(size + 4)]).toEqual([320, 480]);
    expect([width, height]).toEqual([320, 480]);
  });

  it("has a white background if a transparent image becomes a JPEG", async () => {
    const glass = sharp({ create: { width: 200, height: 300, channels: 4, background: "#ff000000" } });
    const { bytes } = await resize(await glass.png().toBuffer(), 160);
    expect(await pixel(bytes, 80, 80)).toEqual([255, 255, 255]);
  });
});

describe("many concurrent images", () => {
  it("wait in a queue, and those beyond its length are rejected", async () => {
    const images = covers;
    const cover = await plain(16, 24).jpeg().toBuffer();
    let atOnce = 0;
    let most = 0;
    const read = async () => {
      most = Math.max(most, ++atOnce);
      await new Promise((resolve) => setImmediate(resolve));
      atOnce -= 1;
      return cover;
    };
    const all = Array.from({ length: 60 }, () => images.resize(read, { contentType: JPEG }));
    // The doctor, too, finds no room; a busy process works.
    expect(await images.findError()).toBeUndefined();
    const settled = await Promise.allSettled(all);
    const rejected = settled.filter((each) => each.status === "rejected");
    expect(rejected).toHaveLength(9);
    for (const { reason } of rejected) {
      expect(reason).toMatchObject({ status: 503, code: "images_busy", headers: { "Retry-After": "2" } });
    }
    expect(most).toBe(1);
    expect((await images.resize(read, { contentType: JPEG })).width).toBe(16);
  });

  it("continue after one that fails", async () => {
    const images = covers;
    const missing = images.resize(async () => Promise.reject(new Error("gone")), { contentType: JPEG });
    await expect(missing).rejects.toThrow("gone");
    const cover = await plain(16, 24).jpeg().toBuffer();
    expect((await images.resize(async () => cover, { contentType: JPEG })).height).toBe(24);
  });
});

function header(width: number, height: number): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([8, 2], 8);
  return chunk("IHDR", data);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

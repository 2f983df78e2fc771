/** What is left of a picture before a decoder sees it: what is drawn, in the right colours and upright. */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { stripPicture } from "../../src/adapters/images/stripping/strip-picture.ts";
import {
  createChunk,
  createExif,
  createExifSegment,
  createProfileChunk,
  createSegment,
  iTxt,
  withChunks,
  withMetadata,
  withSegments,
  zTxt,
} from "../support/hostile-pictures.ts";

const SIZE = { width: 60, height: 40 };
const image = () =>
  sharp({ create: { ...SIZE, channels: 4, background: "#ff000000" } }).composite([
    { input: { create: { width: 20, height: 20, channels: 3, background: "teal" } }, gravity: "northwest" },
  ]);
const [png, jpeg, webp] = await Promise.all([
  image().png().toBuffer(),
  image().flatten().jpeg().toBuffer(),
  image().webp({ lossless: true }).toBuffer(),
]);

const drawn = (bytes: Buffer) => sharp(bytes).autoOrient().raw().toBuffer();

const ORIENTATIONS = [1, 2, 3, 4, 5, 6, 7, 8];

const withOrientation = (orientation: number, bomb = {}) => {
  const exif = createExif(orientation, bomb);
  return {
    png: withChunks(png, createChunk("eXIf", exif)),
    jpeg: withSegments(jpeg, createExifSegment(exif)),
    webp: withMetadata(webp, SIZE, { EXIF: exif }),
  };
};

describe("a stripped picture", () => {
  it("has the same pixels if it had nothing but them", async () => {
    for (const bytes of [png, jpeg, webp])
      expect(await drawn(stripPicture(bytes))).toEqual(await drawn(bytes));
    expect(stripPicture(png).length).toBeLessThanOrEqual(png.length);
    const indexed = await image().png({ palette: true }).toBuffer();
    expect(await drawn(stripPicture(indexed))).toEqual(await drawn(indexed));
    const progressive = await image().flatten().jpeg({ progressive: true }).toBuffer();
    expect(await drawn(stripPicture(progressive))).toEqual(await drawn(progressive));
    const cmyk = await image().flatten().toColourspace("cmyk").jpeg().toBuffer();
    expect(await drawn(stripPicture(cmyk))).toEqual(await drawn(cmyk));
  });

  it.each(ORIENTATIONS)("keeps the orientation %i, with any other EXIF", async (orientation) => {
    const plain = withOrientation(orientation);
    for (const [type, bytes] of Object.entries(
      withOrientation(orientation, { entries: 40, kilobytes: 20 }),
    )) {
      const stripped = stripPicture(bytes);
      expect((await sharp(stripped).metadata()).orientation ?? 1, type).toBe(orientation);
      expect(stripped.length, type).toBeLessThan(bytes.length - 20_000);
    }
    for (const [type, bytes] of Object.entries(plain)) {
      expect(await drawn(stripPicture(bytes)), type).toEqual(await drawn(bytes));
    }
  });

  it("reads an orientation in both byte orders, and none outside of its bytes", async () => {
    const big = Buffer.from("MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0", "latin1");
    const orientationOf = async (exif: Buffer) =>
      (await sharp(stripPicture(withSegments(jpeg, createExifSegment(exif)))).metadata()).orientation;
    expect(await orientationOf(big)).toBe(6);
    const far = Buffer.from(big);
    far.writeUInt32BE(0xffff_fff0, 4);
    const wrong = [
      far,
      big.subarray(0, 15),
      big.subarray(0, 3),
      Buffer.alloc(0),
      createExif(9),
      createExif(0),
    ];
    for (const exif of wrong) expect(await orientationOf(exif)).toBeUndefined();
  });

  it("keeps a usual profile, and no larger one", async () => {
    const p3 = image().flatten().withIccProfile("p3");
    for (const each of [p3.clone().png(), p3.clone().jpeg(), p3.clone().webp()]) {
      const bytes = await each.toBuffer();
      const { icc } = await sharp(bytes).metadata();
      expect((await sharp(stripPicture(bytes)).metadata()).icc).toEqual(icc);
    }
    const large = Buffer.alloc(2 * 1024 * 1024);
    const part = Buffer.concat([Buffer.from("ICC_PROFILE\0\x01\x21"), Buffer.alloc(65_000)]);
    const pictures = [
      withChunks(png, createProfileChunk(large)),
      withChunks(png, createChunk("iCCP", Buffer.from("no end"))),
      withSegments(jpeg, ...Array.from({ length: 33 }, () => createSegment(0xe2, part))),
      withMetadata(webp, SIZE, { ICCP: large }),
    ];
    for (const [index, bytes] of pictures.entries()) {
      const stripped = stripPicture(bytes);
      expect(stripped.length, `${index}`).toBeLessThan(5000);
      expect(await sharp(stripped).metadata(), `${index}`).toMatchObject({ ...SIZE, hasProfile: false });
    }
  });

  it("has no texts, previews, comments and unknown chunks", async () => {
    const text = Buffer.from("a secret");
    const others = [0xe0, 0xe1, 0xe3, 0xed, 0xee, 0xef, 0xfe].map((marker) => createSegment(marker, text));
    const pictures = [
      withChunks(png, zTxt, iTxt, createChunk("tEXt", text), createChunk("prVt", text)),
      Buffer.concat([png, text]),
      withSegments(jpeg, ...others),
      withMetadata(webp, SIZE, { "XMP ": text, EXIF: text, ABCD: text }),
    ];
    for (const bytes of pictures) {
      const stripped = stripPicture(bytes);
      expect(stripped.includes(text)).toBe(false);
      expect(stripped.length).toBeLessThan(1000);
      expect(await drawn(stripped)).toEqual(await drawn(bytes));
    }
  });

  it("has one palette, of which a file can have half a million", async () => {
    const indexed = await image().png({ palette: true }).toBuffer();
    const palette = createChunk("PLTE", Buffer.from([1, 2, 3]));
    const one = stripPicture(withChunks(indexed, palette));
    expect(stripPicture(withChunks(indexed, palette, palette, palette))).toEqual(one);
    expect(one.toString("latin1").split("PLTE")).toHaveLength(2);
  });

  it("reads a JPEG as decoders do: several 0xFF, bytes between segments, impossible lengths", async () => {
    const secret = createSegment(0xfe, Buffer.from("a secret"));
    const odd = withSegments(jpeg, Buffer.from([0xff, 0xff]), secret, Buffer.from([1, 2, 3]), secret);
    expect(stripPicture(odd).includes("a secret")).toBe(false);
    expect(await drawn(stripPicture(odd))).toEqual(await drawn(jpeg));
    const short = withSegments(jpeg, Buffer.from([0xff, 0xe5, 0, 0]));
    expect(await drawn(stripPicture(short))).toEqual(await drawn(jpeg));
  });

  it("is as damaged as before: truncated, and what decoders must know and don't", async () => {
    for (const bytes of [png, jpeg, webp]) {
      for (const part of [0.3, 0.6, 0.9]) {
        const cut = stripPicture(bytes.subarray(0, bytes.length * part));
        await expect(sharp(cut, { failOn: "error" }).raw().toBuffer()).rejects.toThrow();
      }
    }
    const unknown = withChunks(png, createChunk("ABCD", Buffer.from("critical")));
    await expect(sharp(stripPicture(unknown), { failOn: "error" }).raw().toBuffer()).rejects.toThrow();
    for (const nothing of ["", "\x89PNG\r\n\x1a\n", "\xff\xd8\xff", "RIFF\0\0\0\0WEBP"]) {
      expect(stripPicture(Buffer.from(nothing, "latin1")).length).toBeLessThan(20);
    }
  });
});

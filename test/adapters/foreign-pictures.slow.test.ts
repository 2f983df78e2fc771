/** Pictures that somebody else made: how much memory and time they take of the process that decodes them, and of this one. */
import { writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { CoverImages } from "../../src/adapters/images/cover-images.ts";
import type { WorkLimits } from "../../src/adapters/watched-process/watched-process.ts";
import { findChildProcesses, readResidentBytes, watchMemory } from "../support/child-processes.ts";
import {
  createChunk,
  createEntitiesSvg,
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
import { createTempFolder } from "../support/temp-folder.ts";

const MEBIBYTE = 1024 * 1024;
const SCRIPT = "picture-process.ts";

// Those of other test files end by themselves, later.
const others = findChildProcesses(SCRIPT);
const findOwn = () => findChildProcesses(SCRIPT).filter((pid) => !others.includes(pid));

const images = new CoverImages();
afterAll(() => images.close());

function normalise(bytes: Buffer, by = images) {
  const path = join(createTempFolder(), "upload");
  writeFileSync(path, bytes);
  return by.normalise({ sizeBytes: bytes.length, open: () => open(path) });
}

const SIZE = { width: 10, height: 15 };
const plain = () => sharp({ create: { ...SIZE, channels: 3, background: "teal" } });
const [png, jpeg, webp] = await Promise.all([
  plain().png().toBuffer(),
  plain().jpeg().toBuffer(),
  plain().webp().toBuffer(),
]);

const repeat = (count: number, chunk: Buffer) => Buffer.alloc(count * chunk.length, chunk);
const exif = createExif(1, { entries: 4000, kilobytes: 10 });
const largeExif = createExif(1, { entries: 60_000, kilobytes: 2000 });

describe.runIf(process.platform === "linux")("a small picture that inflates", () => {
  it.each<[string, Buffer]>([
    ["10 zTXt", withChunks(png, repeat(10, zTxt))],
    ["1,000 zTXt", withChunks(png, repeat(1000, zTxt))],
    ["1,000 iTXt", withChunks(png, repeat(1000, iTxt))],
    ["1,000 eXIf", withChunks(png, repeat(1000, createChunk("eXIf", createExif(1, { entries: 50 }))))],
    ["a large eXIf", withChunks(png, createChunk("eXIf", largeExif))],
    ["iCCP of 512 MiB", withChunks(png, createProfileChunk(Buffer.alloc(512 * MEBIBYTE)))],
    ["100 iCCP of 1 MiB", withChunks(png, repeat(100, createProfileChunk(Buffer.alloc(MEBIBYTE))))],
    ["a million empty chunks", withChunks(png, repeat(800_000, createChunk("teST", Buffer.alloc(0))))],
    [
      "a million empty texts of a JPEG",
      withSegments(jpeg, repeat(2_000_000, createSegment(0xfe, Buffer.alloc(0)))),
    ],
    [
      "half a million unknown chunks of a WebP",
      withMetadata(webp, SIZE, { ABCD: repeat(500_000, Buffer.from("ABCD\0\0\0\0")) }),
    ],
    ["EXIF of a JPEG", withSegments(jpeg, repeat(100, createExifSegment(exif)))],
    [
      "XMP and profiles of a JPEG",
      withSegments(
        jpeg,
        repeat(75, createSegment(0xe1, Buffer.alloc(60_000, "http://ns.adobe.com/xap/1.0/"))),
        repeat(75, createSegment(0xe2, Buffer.alloc(60_000, "ICC_PROFILE\0"))),
      ),
    ],
    [
      "two million segments of a JPEG",
      withSegments(jpeg, repeat(2_000_000, createSegment(0xe5, Buffer.alloc(0)))),
    ],
    ["EXIF of a WebP", withMetadata(webp, SIZE, { EXIF: largeExif })],
    [
      "XMP and a profile of a WebP",
      withMetadata(webp, SIZE, { ICCP: Buffer.alloc(4 * MEBIBYTE), "XMP ": Buffer.alloc(4 * MEBIBYTE) }),
    ],
  ])("by %s takes no more than another one", async (_, bytes) => {
    expect(bytes.length).toBeLessThan(10 * MEBIBYTE);
    await normalise(png);
    const [pid = 0] = findOwn();
    const before = readResidentBytes(pid);
    const own = process.memoryUsage.rss();
    const peak = watchMemory(findOwn);
    expect(await normalise(bytes)).toMatchObject(SIZE);
    expect(peak.end() - before).toBeLessThan(50 * MEBIBYTE);
    expect(process.memoryUsage.rss() - own).toBeLessThan(50 * MEBIBYTE);
    expect(findOwn()).toEqual([pid]);
  });

  it("by entities of an SVG in a book ends with an error", async () => {
    const peak = watchMemory(findOwn);
    const drawn = images.makeStorable(Buffer.from(createEntitiesSvg()));
    await expect(drawn).rejects.toMatchObject({
      status: expect.toSatisfy((status) => [400, 413].includes(status)),
    });
    expect(peak.end()).toBeLessThan(500 * MEBIBYTE);
    expect(await normalise(jpeg)).toMatchObject(SIZE);
  });
});

describe.runIf(process.platform === "linux")("a large picture", () => {
  const large = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: "teal" } });

  it.each<[string, () => Promise<Buffer>]>([
    [
      "JPEG, progressive and lying",
      () => large(8000, 5000).withMetadata({ orientation: 6 }).jpeg({ progressive: true }).toBuffer(),
    ],
    [
      "PNG, interlaced, 16 bits a channel",
      () => large(5000, 8000).toColourspace("rgb16").png({ progressive: true }).toBuffer(),
    ],
  ])("of 40 megapixels is within its limits: %s", async (_, create) => {
    expect(await normalise(await create())).toMatchObject({ width: 5000, height: 8000 });
  });

  /** A picture that is decoded as a whole. */
  const heavy = () =>
    large(3000, 3000).withMetadata({ orientation: 6 }).jpeg({ progressive: true }).toBuffer();

  function start(limits: WorkLimits) {
    const limited = new CoverImages({ limits });
    onTestFinished(() => limited.close());
    return (bytes: Buffer) => normalise(bytes, limited);
  }

  it("is too large if it takes more memory, and the next one isn't", async () => {
    // So few that it takes more for most of its time: a busy machine looks late.
    const draw = start({ memoryBytes: 20 * MEBIBYTE, timeMs: 60_000 });
    const [first, next] = await Promise.allSettled([draw(await heavy()), draw(png)]);
    expect(first).toMatchObject({
      reason: {
        status: 413,
        code: "image_too_large",
        message: "Decoding the image is too much work. It takes more than 20 MiB of memory.",
      },
    });
    expect(next).toMatchObject({ status: "fulfilled", value: SIZE });
  });

  it("has more memory above 10 megapixels", async () => {
    const draw = start({ memoryBytes: 48 * MEBIBYTE, largeMemoryBytes: 768 * MEBIBYTE, timeMs: 60_000 });
    const bytes = await large(4000, 3000)
      .withMetadata({ orientation: 6 })
      .jpeg({ progressive: true })
      .toBuffer();
    expect(await draw(bytes)).toMatchObject({ width: 3000, height: 4000 });
  });

  it("is too large if it takes more time, also of a stopped process, and the next one isn't", async () => {
    const draw = start({ memoryBytes: 256 * MEBIBYTE, timeMs: 3000 });
    const before = findChildProcesses(SCRIPT);
    await draw(png);
    const [pid = 0] = findChildProcesses(SCRIPT).filter((each) => !before.includes(each));
    process.kill(pid, "SIGSTOP");
    const [first, next] = await Promise.allSettled([draw(png), draw(jpeg)]);
    expect(first).toMatchObject({ reason: { status: 413, code: "image_too_large" } });
    expect(next).toMatchObject({ status: "fulfilled", value: SIZE });
  });

  it("is worth another try if the system has ended the process, which the next one doesn't notice", async () => {
    const draw = start({ memoryBytes: 256 * MEBIBYTE, timeMs: 60_000 });
    const before = findChildProcesses(SCRIPT);
    await draw(png);
    const [pid = 0] = findChildProcesses(SCRIPT).filter((each) => !before.includes(each));
    process.kill(pid, "SIGKILL");
    expect(await draw(png)).toMatchObject(SIZE);
    const [other = 0] = findChildProcesses(SCRIPT).filter((each) => !before.includes(each) && each !== pid);
    const drawing = Promise.allSettled([draw(await heavy()), draw(jpeg)]);
    const idle = readResidentBytes(other);
    while (readResidentBytes(other) < idle + 8 * MEBIBYTE)
      await new Promise((resolve) => setImmediate(resolve));
    process.kill(other, "SIGKILL");
    const [first, next] = await drawing;
    expect(first).toMatchObject({ reason: { status: 503, headers: { "Retry-After": "2" } } });
    expect(next).toMatchObject({ status: "fulfilled", value: SIZE });
  });
});

/** Covers as they are sent, on a store and a cache of their own. */
import { randomUUID } from "node:crypto";
import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { pino } from "pino";
import sharp from "sharp";
import { describe, expect, it, onTestFinished } from "vitest";
import { FileCache } from "../../src/adapters/files/file-cache.ts";
import { FolderCache } from "../../src/adapters/files/folder-cache.ts";
import { FolderStore } from "../../src/adapters/files/folder-store.ts";
import { CoverImages } from "../../src/adapters/images/cover-images.ts";
import type { CoverContentType } from "../../src/schemas/covers.schemas.ts";
import {
  type CoverSource,
  CoverVariants,
  type VariantOptions,
} from "../../src/services/covers/cover-variants.ts";
import { FakeClock } from "../support/clock.ts";
import { createPicture, readMetadata } from "../support/covers.ts";
import { eventually } from "../support/eventually.ts";
import { createTempFolder } from "../support/temp-folder.ts";

async function start({ maxBytes = 1e9, folder = createTempFolder(), images = new CoverImages() } = {}) {
  const store = new FolderStore({ directory: join(folder, "files"), newId: randomUUID });
  const directory = join(folder, "covers");
  const options = {
    directory,
    ending: "cover",
    maxBytes,
    newId: randomUUID,
    clock: new FakeClock(),
  };
  const cache = new FileCache({ place: new FolderCache(options), buildsAtOnce: 2 });
  await cache.sweep();
  const log = pino(new Writable({ write: (_chunk, _encoding, done) => done() }));
  const variants = new CoverVariants({ cache, stored: store, log, images });
  const bytes = await createPicture("red", { width: 300, height: 450 });
  const received = await store.receive(Readable.from([bytes]), { maxBytes: bytes.length });
  const { sha256, sizeBytes } = await store.keep(received);
  const source: CoverSource = { kind: "stored", contentType: "image/jpeg", sha256, fileSizeBytes: sizeBytes };
  const kept = () => readdirSync(directory);
  /** A start believes only what has been brought to the disk and marked read-only. */
  const isSealed = (name: string) => (statSync(join(directory, name)).mode & 0o222) === 0;
  /** A small image, as its bytes. */
  const small = async (given: CoverSource, options: VariantOptions) => {
    const image = await variants.getImage(given, options, READER);
    if (!("bytes" in image)) throw new Error("The image is sent from the disk");
    return image;
  };
  const keepFile = async (content: Buffer, contentType: CoverContentType): Promise<CoverSource> => {
    const file = await store.keep(
      await store.receive(Readable.from([content]), { maxBytes: content.length }),
    );
    return { kind: "stored", contentType, sha256: file.sha256, fileSizeBytes: file.sizeBytes };
  };
  return { folder, variants, small, keepFile, source, kept, sealed: () => kept().filter(isSealed) };
}

const READER = { kind: "reader", key: "one" } as const;

const SMALL = { width: 160, contentType: "image/jpeg" } as const;

it("keeps no image beyond its version", async () => {
  const { small, source, folder, kept, sealed } = await start();
  await small(source, SMALL);
  await eventually(() => expect(sealed()).toHaveLength(1));
  const images = new CoverImages();
  const encoder = await images.describeEncoder();
  expect(encoder).toMatch(/^\d+ .*\bsharp \d+\.\d+/);
  images.describeEncoder = async () => `${encoder} and more`;
  const again = await start({ folder, images });
  await again.small(source, SMALL);
  expect(kept()).toHaveLength(2);
});

it("works without cache space", async () => {
  const { small, source, kept } = await start({ maxBytes: 0 });
  const image = await small(source, SMALL);
  expect((await readMetadata(image.bytes)).width).toBe(160);
  await eventually(() => expect(kept()).toEqual([]));
  expect(await small(source, SMALL)).toBe(image);
});

describe("a large image", () => {
  const AS_IT_IS = { width: 1200, contentType: "image/png" } as const;
  /** A picture that no encoder makes small. */
  const noise = () =>
    sharp({
      create: {
        width: 400,
        height: 600,
        channels: 3,
        background: "white",
        noise: { type: "gaussian", mean: 128, sigma: 60 },
      },
    })
      .png()
      .toBuffer();

  async function obtain({ variants }: Awaited<ReturnType<typeof start>>, source: CoverSource) {
    const image = await variants.getImage(source, AS_IT_IS, READER);
    if (!("handle" in image)) throw new Error("The image is held in memory");
    onTestFinished(() => image.handle.close());
    return image;
  }

  it("is sent from the disk, to each reader through a separate handle, and created once", async () => {
    const scene = await start();
    const source = await scene.keepFile(await noise(), "image/png");
    const images = await Promise.all([1, 2, 3].map(() => obtain(scene, source)));
    images.push(await obtain(scene, source));
    expect(images[0]?.sizeBytes).toBeGreaterThan(256 * 1024);
    expect(new Set(images.map(({ handle }) => handle)).size).toBe(4);
    expect(new Set(images.map(({ etag }) => etag)).size).toBe(1);
    expect(scene.kept()).toHaveLength(1);
  });

  it("is created again if it was evicted", async () => {
    const scene = await start({ maxBytes: 0 });
    const source = await scene.keepFile(await noise(), "image/png");
    const first = await obtain(scene, source);
    rmSync(join(scene.folder, "covers"), { recursive: true });
    expect((await obtain(scene, source)).sizeBytes).toBe(first.sizeBytes);
  });

  it("is held in memory once for all if no disk keeps it", async () => {
    const { variants, keepFile, folder } = await start();
    const source = await keepFile(await noise(), "image/png");
    rmSync(join(folder, "covers"), { recursive: true });
    writeFileSync(join(folder, "covers"), "a file in its place");
    const images = await Promise.all([1, 2].map(() => variants.getImage(source, AS_IT_IS, READER)));
    images.push(await variants.getImage(source, AS_IT_IS, READER));
    const buffers = images.map((image) => "bytes" in image && image.bytes);
    expect(buffers[0]).toBeInstanceOf(Buffer);
    expect(new Set(buffers).size).toBe(1);
  });
});

/** Covers as they are sent, on a store and a cache of their own. */
import { randomUUID } from "node:crypto";
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { pino } from "pino";
import { expect, it, vi } from "vitest";
import { CoverImages } from "../../src/adapters/cover-images.ts";
import { FileCache } from "../../src/adapters/file-cache.ts";
import { LocalFileStore } from "../../src/adapters/file-store.ts";
import { type CoverSource, CoverVariants } from "../../src/services/cover-variants.ts";
import { FakeClock } from "../support/clock.ts";
import { metadataOf, picture } from "../support/covers.ts";
import { canListDescriptors, openDescriptors } from "../support/open-descriptors.ts";
import { tempFolder } from "../support/temp-folder.ts";

async function start({ maxBytes = 1e9, folder = tempFolder(), images = new CoverImages() } = {}) {
  const store = new LocalFileStore({ directory: join(folder, "files"), newId: randomUUID });
  const directory = join(folder, "covers");
  const options = {
    directory,
    ending: "cover",
    maxBytes,
    buildsAtOnce: 2,
    newId: randomUUID,
    clock: new FakeClock(),
  };
  const cache = new FileCache(options);
  await cache.sweep();
  const log = pino(new Writable({ write: (_chunk, _encoding, done) => done() }));
  const variants = new CoverVariants({ cache, store, log, images });
  const bytes = await picture("red", { width: 300, height: 450 });
  const received = await store.receive(Readable.from([bytes]), { maxBytes: bytes.length });
  const { sha256, sizeBytes } = await store.keep(received);
  const source: CoverSource = { kind: "stored", contentType: "image/jpeg", sha256, fileSizeBytes: sizeBytes };
  const kept = () => readdirSync(directory);
  /** A start believes only what has been brought to the disk and marked read-only. */
  const isSealed = (name: string) => (statSync(join(directory, name)).mode & 0o222) === 0;
  return { folder, variants, source, kept, sealed: () => kept().filter(isSealed) };
}

const title = {
  kind: "title",
  contentType: "image/png",
  title: "A",
  languageCode: "en",
  direction: "ltr",
} as const;
const SMALL = { width: 160, contentType: "image/jpeg" } as const;

it("makes one image for all who ask at once, and gives the kept one afterwards", async () => {
  const { variants, source, kept } = await start();
  const images = await Promise.all(Array.from({ length: 10 }, () => variants.of(source, SMALL)));
  expect(new Set(images.map(({ bytes }) => bytes)).size).toBe(1);
  expect(images[0]?.etag).toMatch(/^"[\w-]{27}"$/);
  expect(kept()).toHaveLength(1);
  expect(await variants.of(source, SMALL)).toBe(images[0]);
});

it("tells images apart by all that they are made from", async () => {
  const { variants, source, kept } = await start();
  const images = [
    await variants.of(source, SMALL),
    await variants.of(source, { ...SMALL, width: 320 }),
    await variants.of(source, { ...SMALL, contentType: "image/webp" }),
    await variants.of(title, SMALL),
    await variants.of({ ...title, title: "B" }, SMALL),
    await variants.of({ ...title, direction: "rtl" }, SMALL),
    await variants.of({ ...title, languageCode: "ja" }, SMALL),
  ];
  expect(kept()).toHaveLength(images.length);
  expect((await metadataOf(images[0]?.bytes ?? Buffer.alloc(0))).width).toBe(160);
});

it("needs no disk for what was asked for a moment ago", async () => {
  const { variants, source, folder } = await start();
  const image = await variants.of(source, SMALL);
  rmSync(folder, { recursive: true });
  expect(await variants.of(source, SMALL)).toBe(image);
});

it("keeps no image beyond the version that made it", async () => {
  const { variants, source, folder, kept, sealed } = await start();
  await variants.of(source, SMALL);
  await vi.waitFor(() => expect(sealed()).toHaveLength(1));
  const images = new CoverImages();
  const encoder = await images.encoder();
  expect(encoder).toMatch(/^\d+ .*\bsharp \d+\.\d+/);
  images.encoder = async () => `${encoder} and more`;
  const later = await start({ folder, images });
  await later.variants.of(source, SMALL);
  expect(kept()).toHaveLength(2);
});

it("works without any room to keep images in", async () => {
  const { variants, source, kept } = await start({ maxBytes: 0 });
  const image = await variants.of(source, SMALL);
  expect((await metadataOf(image.bytes)).width).toBe(160);
  await vi.waitFor(() => expect(kept()).toEqual([]));
  expect(await variants.of(source, SMALL)).toBe(image);
});

it("tells what is wrong with the image itself, to all who wait, and tries again for the next", async () => {
  const { variants, source, folder, kept } = await start();
  const lost: CoverSource = { ...source, sha256: "0".repeat(64) };
  const calls = await Promise.allSettled([variants.of(lost, SMALL), variants.of(lost, SMALL)]);
  for (const call of calls)
    expect(call).toMatchObject({ reason: { status: 503, code: "cover_unavailable" } });
  const short: CoverSource = { ...source, fileSizeBytes: 1 };
  await expect(variants.of(short, SMALL)).rejects.toMatchObject({ code: "cover_unavailable" });
  expect(kept()).toEqual([]);
  expect((await variants.of(source, SMALL)).bytes.length).toBeGreaterThan(100);
  // The last image is still being brought to the disk.
  if (canListDescriptors) await vi.waitFor(async () => expect(await openDescriptors(folder)).toEqual([]));
});

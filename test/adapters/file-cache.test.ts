import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Writable } from "node:stream";
import pLimit from "p-limit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type BuildFile, type CachedFile, FileCache } from "../../src/adapters/files/file-cache.ts";
import { FolderCache } from "../../src/adapters/files/folder-cache.ts";
import { writeZip } from "../../src/adapters/files/zip-archive.ts";
import { FakeClock } from "../support/clock.ts";
import { canListDescriptors, openDescriptors } from "../support/open-descriptors.ts";

let directory: string;
let cache: FileCache;
let clock: FakeClock;
/** How often anything was built. */
let builds: number;
let opened: CachedFile[];

const MAX_BYTES = 1000;
const keyOf = (name: string) => createHash("sha256").update(name).digest("hex");
const fileOf = (name: string) => join(directory, `${keyOf(name)}.zip`);
const newCache = () =>
  new FileCache({
    place: new FolderCache({ directory, ending: "zip", maxBytes: MAX_BYTES, newId: randomUUID, clock }),
    buildsAtOnce: 2,
  });
const end = (output: Writable, bytes: string | Buffer) =>
  new Promise<void>((resolve) => output.end(bytes, () => resolve()));

/** Builds so many bytes, each the first letter of the name. */
const bytesOf =
  (name: string, size: number, keepMs?: number): BuildFile =>
  async (output) => {
    builds++;
    await end(output, name.charAt(0).repeat(size));
    return keepMs === undefined ? {} : { keepMs };
  };

async function obtain(name: string, build: BuildFile): Promise<CachedFile> {
  const zip = await cache.obtain(keyOf(name), build);
  opened.push(zip);
  return zip;
}

async function contentOf({ handle, sizeBytes }: CachedFile): Promise<string> {
  const buffer = Buffer.alloc(sizeBytes + 1);
  const { bytesRead } = await handle.read(buffer, 0, sizeBytes + 1, 0);
  expect(bytesRead).toBe(sizeBytes);
  return buffer.toString("latin1", 0, bytesRead);
}

/** Obtains, and is done with it at once. */
async function use(name: string, size: number): Promise<void> {
  await (await obtain(name, bytesOf(name, size))).handle.close();
}

/** What the cache does behind the scenes is done after a while. */
const namesInCache = async () => (await readdir(directory)).sort();
const isSealed = async (name: string) => ((await stat(fileOf(name))).mode & 0o222) === 0;

beforeEach(async () => {
  directory = join(await mkdtemp(join(tmpdir(), "file-cache-")), "cache");
  clock = new FakeClock();
  cache = newCache();
  builds = 0;
  opened = [];
  await cache.sweep();
});

afterEach(async () => {
  await Promise.all(opened.map(({ handle }) => handle.close()));
  // A ZIP may still be on its way to the disk.
  await rm(join(directory, ".."), { recursive: true, maxRetries: 5 });
});

describe("a set of files", () => {
  it("is built again if its file was deleted", async () => {
    await use("a", 100);
    await rm(fileOf("a"), { force: true });
    expect(await contentOf(await obtain("a", bytesOf("a", 100)))).toBe("a".repeat(100));
    expect(builds).toBe(2);
  });

  it("has a hash for a key, because it becomes a path", async () => {
    for (const key of ["", "../../etc/passwd", keyOf("a").toUpperCase(), `${keyOf("a")}\n`]) {
      await expect(cache.obtain(key, bytesOf("a", 1))).rejects.toThrow(TypeError);
    }
    expect(builds).toBe(0);
  });
});

describe("a ZIP with a limited lifetime", () => {
  const keepMs = 600_000;
  const obtainBriefly = (name: string) => obtain(name, bytesOf(name, 400, keepMs));

  it("is shared by all concurrent callers, under its own version, and counts against the bound", async () => {
    const together = await Promise.all([1, 2, 3].map(() => obtainBriefly("a")));
    clock.advance(keepMs - 1);
    const again = await obtainBriefly("a");
    expect(builds).toBe(1);
    const [version] = together.map((zip) => zip.version);
    expect(version).toBeDefined();
    expect(new Set([...together, again].map((zip) => zip.version))).toEqual(new Set([version]));
    expect((await obtain("b", bytesOf("b", 100))).version).toBeUndefined();
    expect(cache.kept).toEqual({ files: 2, bytes: 500 });
  });

  it("is rebuilt after that, with another version, and counts until its last reader ends", async () => {
    const old = await obtainBriefly("a");
    clock.advance(keepMs);
    const renewed = await obtainBriefly("a");
    expect(builds).toBe(2);
    expect(renewed.version).not.toBe(old.version);
    expect(cache.kept).toEqual({ files: 2, bytes: 800 });
    expect(await contentOf(old)).toBe("a".repeat(400));
    await old.handle.close();
    expect(cache.kept).toEqual({ files: 1, bytes: 400 });
  });

  it("can't fill the disk because of slow readers: nothing is built while removed but open files use all the space", async () => {
    const readers = [];
    for (let round = 0; round < 3; round++) {
      readers.push(await obtainBriefly("a"));
      clock.advance(keepMs);
    }
    expect(await cache.find(keyOf("a"))).toBeUndefined();
    expect(cache.kept.bytes).toBe(1200);
    await expect(obtainBriefly("b")).rejects.toMatchObject({
      status: 503,
      code: "cache_busy",
      headers: { "Retry-After": "60" },
    });
    await readers[0]?.handle.close();
    expect(await contentOf(await obtainBriefly("b"))).toBe("b".repeat(400));
  });

  it("is deleted at the next start", async () => {
    await (await obtainBriefly("a")).handle.close();
    await newCache().sweep();
    expect(await namesInCache()).toEqual([]);
  });
});

it("a caller whose signal is aborted gets the signal's reason; the build continues, and its file is kept for later callers", async () => {
  const { promise: go, resolve: release } = Promise.withResolvers<void>();
  const big: BuildFile = async (output) => {
    builds++;
    await go;
    await end(output, "a".repeat(5000));
    return {};
  };
  const deadline = new AbortController();
  const waiting = cache.obtain(keyOf("a"), big, { signal: deadline.signal });
  deadline.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  await expect(cache.obtain(keyOf("a"), big, { signal: deadline.signal })).rejects.toThrow("enough");
  release();
  await cache.waitUntilIdle();
  // Above the bound, and still there.
  expect(await contentOf(await obtain("a", big))).toBe("a".repeat(5000));
  expect(builds).toBe(1);
});

describe("a build that fails", () => {
  it.runIf(process.platform === "linux")("on a full disk returns 507", async () => {
    const full: BuildFile = async (output) => {
      await writeZip([{ name: "a", text: "x" }], createWriteStream("/dev/full"));
      await end(output, "");
      return {};
    };
    await expect(obtain("a", full)).rejects.toMatchObject({ status: 507, cause: { code: "ENOSPC" } });
  });

  it("reports its own error, even if its output can't be deleted", async () => {
    const failing: BuildFile = async (output) => {
      await once(output, "open");
      const [part = ""] = await readdir(directory);
      await rm(join(directory, part));
      // A folder can't be removed as a file.
      await mkdir(join(directory, part));
      throw new Error("the first reason");
    };
    await expect(obtain("a", failing)).rejects.toThrow("the first reason");
  });

  it.runIf(canListDescriptors)("leaves no open descriptor, and neither does a successful one", async () => {
    const failing: BuildFile = () => Promise.reject(new Error("no"));
    await Promise.allSettled(["a", "b", "c"].map((name) => obtain(name, failing)));
    await Promise.all(["d", "e", "f"].map((name) => use(name, 10)));
    await expect.poll(() => openDescriptors(directory)).toEqual([]);
  });
});

it("concurrent builds are two at most; the others wait in order, even after a failure", async () => {
  let running = 0;
  let most = 0;
  const slow: BuildFile = async (output) => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    await end(output, "x");
    running--;
    if (++builds % 2 === 0) throw new Error("every second");
    return {};
  };
  const calls = Array.from({ length: 8 }, (_, index) => obtain(`${index}`, slow));
  const settled = await Promise.allSettled(calls);
  expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(4);
  expect([builds, most]).toEqual([8, 2]);
});

it("builds with a separate limit don't occupy the places of others", async () => {
  const { promise: never, resolve: release } = Promise.withResolvers<void>();
  const stuck: BuildFile = async (output) => {
    await never;
    await end(output, "x");
    return {};
  };
  const limit = pLimit(2);
  const slow = ["a", "b", "c"].map((name) => cache.obtain(keyOf(name), stuck, { limit }));
  await use("d", 10);
  expect(builds).toBe(1);
  release();
  for (const { handle } of await Promise.all(slow)) await handle.close();
});

describe("the bound", () => {
  it("evicts the least recently used file first", async () => {
    await use("a", 400);
    await use("b", 400);
    await use("a", 400);
    await use("c", 400);
    expect(builds).toBe(3);
    await expect.poll(namesInCache).toEqual([`${keyOf("a")}.zip`, `${keyOf("c")}.zip`].sort());
    await use("a", 400);
    await use("c", 400);
    expect(builds).toBe(3);
    await use("b", 400);
    expect(builds).toBe(4);
  });

  it("is enforced as soon as a ZIP is built, while its first reader still reads", async () => {
    await use("a", 600);
    const reading = await obtain("b", bytesOf("b", 600));
    await expect.poll(namesInCache).toEqual([`${keyOf("b")}.zip`]);
    expect(await contentOf(reading)).toBe("b".repeat(600));
  });

  it("applies to many sets and readers, and every reader gets the right bytes", async () => {
    const names = "abcdefgh".split("");
    const rounds = Array.from({ length: 15 }, () => names).flat();
    await Promise.all(
      rounds.map(async (name, index) => {
        for (let turn = 0; turn < 3; turn++) {
          const zip = await obtain(name, bytesOf(name, 300, index % 5 > 0 ? undefined : 60_000));
          expect(await contentOf(zip)).toBe(name.repeat(300));
          await zip.handle.close();
        }
      }),
    );
    await expect.poll(async () => (await namesInCache()).length).toBeLessThanOrEqual(3);
  });
});

describe("a restart", () => {
  /** Kept, and on the disk. */
  async function keep(name: string, size: number, usedAt: number): Promise<void> {
    await use(name, size);
    await expect.poll(() => isSealed(name)).toBe(true);
    await utimes(fileOf(name), usedAt, usedAt);
  }

  it("enforces the bound, by the time of last use", async () => {
    await keep("a", 400, 3);
    await keep("b", 400, 1);
    await writeFile(fileOf("c"), "c".repeat(400));
    await chmod(fileOf("c"), 0o400);
    await utimes(fileOf("c"), 2, 2);
    await newCache().sweep();
    expect(await namesInCache()).toEqual([`${keyOf("a")}.zip`, `${keyOf("c")}.zip`].sort());
  });

  it("removes incomplete files and those that may not have reached the disk, and no others", async () => {
    await writeFile(join(directory, `${keyOf("a")}.${randomUUID()}.part`), "half");
    await writeFile(fileOf("b"), "renamed, but not sealed");
    await writeFile(join(directory, "somebody-elses.zip"), "");
    await writeFile(join(directory, `${keyOf("c")}.cover`), "of another cache");
    await mkdir(join(directory, "covers"));
    await newCache().sweep();
    expect(await namesInCache()).toEqual([`${keyOf("c")}.cover`, "covers", "somebody-elses.zip"].sort());
  });
});

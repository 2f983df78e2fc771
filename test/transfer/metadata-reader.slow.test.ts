/** The process that reads metadata: its environment, its end, and what happens when it is killed or hangs. */
import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { WorkLimits } from "../../src/adapters/watched-process/watched-process.ts";
import { type LocalFile, listFilesBelow } from "../../src/operation/transfer/local-files.ts";
import { MetadataReader } from "../../src/operation/transfer/metadata/metadata-reader.ts";
import { createInflatingPdf, createTitledEpub, writeFiles } from "../support/book-files.ts";
import {
  findChildProcesses,
  readCpuTicks,
  readEnvironment,
  readResidentBytes,
  watchMemory,
} from "../support/child-processes.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const UNLIMITED: WorkLimits = { memoryBytes: Number.POSITIVE_INFINITY, timeMs: 60_000 };

const MEBIBYTE = 1024 * 1024;

function sourceOf(name: string): string {
  return new URL(`../../src/operation/transfer/${name}`, import.meta.url).href;
}

const processes = (): number[] => findChildProcesses("metadata-process.ts");

async function fileOf(name: string, bytes: string | Buffer): Promise<LocalFile> {
  const folder = createTempFolder();
  writeFiles(folder, { [name]: bytes });
  const [file] = await listFilesBelow(folder, (place) => expect.unreachable(place));
  if (!file) throw new Error("no file");
  return file;
}

const epub = async (title = "A Well") => fileOf("book.epub", await createTitledEpub(title, "en"));

/** A reader that has read a file, and the process that has. */
async function scene(limits = UNLIMITED) {
  const before = new Set(processes());
  const reader = new MetadataReader({ limits });
  const file = await epub();
  await reader.read(file, "epub");
  const [pid = 0] = processes().filter((each) => !before.has(each));
  return { reader, file, pid };
}

async function ended(pid: number): Promise<void> {
  while (processes().includes(pid)) await sleep(10);
}

describe.runIf(process.platform === "linux")("the process that reads metadata", () => {
  it("reads many files, and ends when its reader is closed", async () => {
    const { reader, file, pid } = await scene();
    await reader.read(file, "epub");
    expect(processes()).toContain(pid);
    await reader.close();
    await ended(pid);
    await expect(reader.read(file, "epub")).rejects.toThrow("has been closed");
  });

  it("isn't started for files that have no metadata", async () => {
    const before = processes();
    const reader = new MetadataReader();
    expect(await reader.read(await fileOf("a.txt", "Text."), "txt")).toMatchObject({ authors: [] });
    // One of an earlier test may end in the meantime.
    expect(processes().filter((pid) => !before.includes(pid))).toEqual([]);
    await reader.close();
  });

  it("has nothing of the environment except the folder for compiled code and how memory is freed", async () => {
    const { reader, pid } = await scene();
    const names = readEnvironment(pid).map((variable) => variable.split("=")[0]);
    expect(names.filter((name) => !name?.startsWith("NODE_CHANNEL_"))).toEqual([
      "NODE_COMPILE_CACHE",
      "MALLOC_ARENA_MAX",
    ]);
    await reader.close();
  });

  it("is replaced if it was killed between two files", async () => {
    const { reader, file, pid } = await scene();
    process.kill(pid, "SIGKILL");
    await ended(pid);
    expect(await reader.read(file, "epub")).toMatchObject({ title: "A Well" });
    await reader.close();
  });

  it("is replaced if it was killed while reading a file, and only that file is reported", async () => {
    const { reader, file, pid } = await scene();
    const bomb = reader.read(await fileOf("bomb.pdf", createInflatingPdf(1024)), "pdf");
    const next = reader.read(file, "epub");
    const before = readCpuTicks(pid);
    while (readCpuTicks(pid) < before + 10) await sleep(10);
    process.kill(pid, "SIGKILL");
    expect((await bomb).unreadable).toMatch(/^Its metadata can't be read\. .* has ended\.$/);
    expect(await next).toMatchObject({ title: "A Well" });
    await reader.close();
  });

  it("is ended if it takes too long for a file, and the next file is read", async () => {
    const { reader, file, pid } = await scene({ ...UNLIMITED, timeMs: 3000 });
    process.kill(pid, "SIGSTOP");
    expect((await reader.read(file, "epub")).unreadable).toMatch(/can't be read\. It takes more than 3 s\.$/);
    await ended(pid);
    expect(await reader.read(await epub("A Hill"), "epub")).toMatchObject({ title: "A Hill" });
    await reader.close();
  });

  it("is ended if a file takes too much memory, and the next file is read", async () => {
    const reader = new MetadataReader();
    const bytes = createInflatingPdf(256);
    expect(bytes.length).toBeLessThan(8_000);
    const peak = watchMemory(processes);
    const before = process.memoryUsage.rss();
    const bomb = reader.read(await fileOf("bomb.pdf", bytes), "pdf");
    const next = reader.read(await epub(), "epub");
    expect((await bomb).unreadable).toBe("Its metadata can't be read. It takes more than 256 MiB of memory.");
    expect(await next).toMatchObject({ title: "A Well" });
    expect(peak.end()).toBeLessThan(900 * MEBIBYTE);
    expect(process.memoryUsage.rss() - before).toBeLessThan(200 * MEBIBYTE);
    await reader.close();
  });

  it("ends with its parent, even while busy", async () => {
    const { path } = await fileOf("bomb.pdf", createInflatingPdf(1024));
    const parent = spawn(process.execPath, ["--input-type=module", "--eval", PARENT, path], {
      stdio: "ignore",
    });
    let pid: number | undefined;
    while (pid === undefined || readCpuTicks(pid) < 20) {
      await sleep(20);
      pid ??= findChildProcesses("metadata-process.ts", parent.pid)[0];
    }
    parent.kill("SIGKILL");
    while (readResidentBytes(pid) > 0) await sleep(20);
  });
});

/** Reads a file without limits. */
const PARENT = `
import { findFileBelow } from ${JSON.stringify(sourceOf("local-files.ts"))};
import { MetadataReader } from ${JSON.stringify(sourceOf("metadata/metadata-reader.ts"))};
import { basename, dirname } from "node:path";
const path = process.argv[1];
const reader = new MetadataReader({ limits: { memoryBytes: Infinity, timeMs: 1e9 } });
await reader.read(await findFileBelow(dirname(path), basename(path)), "pdf");`;

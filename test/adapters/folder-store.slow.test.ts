/** The file store on a real disk: what arrives, what is kept, what is refused, and what an error leaves behind. */
import { spawnSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readlinkSync, statSync } from "node:fs";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { FolderStore } from "../../src/adapters/files/folder-store.ts";
import { convertStorageError } from "../../src/adapters/files/storage-errors.ts";
import { AppError } from "../../src/errors.ts";
import { listen } from "../../tools/lib/listening.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const sha256Of = (content: Buffer | string) => createHash("sha256").update(content).digest("hex");
const MEBIBYTE = 1024 * 1024;

async function storeIn(directory?: string) {
  const files = directory ?? join(createTempFolder(), "files");
  const store = new FolderStore({ directory: files, newId: randomUUID });
  const receive = (content: Buffer | string, maxBytes = MEBIBYTE) =>
    store.receive(Readable.from([Buffer.from(content)]), { maxBytes });
  const keep = async (content: Buffer | string) => store.keep(await receive(content));
  const placeOf = (sha256: string) => join(files, sha256.slice(0, 2), sha256);
  const temporary = () => (existsSync(join(files, "tmp")) ? readdirSync(join(files, "tmp")) : []);
  return { store, files, receive, keep, placeOf, temporary };
}

/** The open descriptors of this process below a folder (Linux; elsewhere always none). */
function descriptorsBelow(path: string): string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc/self/fd").flatMap((descriptor) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${descriptor}`);
      return target.startsWith(path) ? [target] : [];
    } catch {
      return [];
    }
  });
}

/** A real server whose every request body goes to `receive`; the response is the hash or the error's code. */
async function serve(receive: (body: IncomingMessage) => Promise<{ sha256: string }>) {
  const outcomes: string[] = [];
  const answer = async (body: IncomingMessage, response: ServerResponse) => {
    const [status, text] = await receive(body).then<[number, string], [number, string]>(
      ({ sha256 }) => [200, sha256],
      (error: unknown) => (error instanceof AppError ? [error.status, error.code] : [500, `${error}`]),
    );
    outcomes.push(text);
    response.writeHead(status).end(text);
    server.emit("outcome");
  };
  const server = createServer((body, response) => void answer(body, response));
  const port = await listen(server);
  onTestFinished(() => void server.close());
  return { server, outcomes, url: `http://127.0.0.1:${port}/` };
}

describe("receive", () => {
  it("writes the chunks in order to a private temporary file, and returns its hash and size", async () => {
    const { store, files, temporary } = await storeIn();
    const chunks = Array.from({ length: 300 }, (_, index) => Buffer.alloc(1000 + index, index));
    async function* source() {
      yield* chunks;
    }
    const received = await store.receive(source(), { maxBytes: MEBIBYTE });
    const path = join(files, "tmp", received.id);
    const whole = Buffer.concat(chunks);
    expect(received).toMatchObject({ sha256: sha256Of(whole), sizeBytes: whole.length });
    expect(await readFile(path)).toEqual(whole);
    expect(temporary()).toHaveLength(1);
    if (process.platform !== "win32") {
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect((await stat(join(files, "tmp"))).mode & 0o777).toBe(0o700);
    }
    expect(descriptorsBelow(files)).toEqual([]);
    await received.discard();
    await received.discard();
    expect(temporary()).toEqual([]);
    // A folder can't be removed as a file: that is left to the next start.
    await mkdir(path);
    await received.discard();
  });

  it("never reads more than a few chunks ahead of the disk", async () => {
    const files = join(createTempFolder(), "files");
    const store = new FolderStore({ directory: files, newId: () => "upload" });
    const chunk = Buffer.alloc(64 * 1024, "x");
    let greatestLag = 0;
    async function* source() {
      for (let yielded = 0; yielded < 500; yielded++) {
        const onDisk = statSync(join(files, "tmp", "upload")).size / chunk.length;
        greatestLag = Math.max(greatestLag, yielded - onDisk);
        yield chunk;
      }
    }
    await store.receive(source(), { maxBytes: 500 * chunk.length });
    expect(greatestLag).toBeLessThanOrEqual(4);
  });

  it("rejects an empty file", async () => {
    const { receive, temporary } = await storeIn();
    await expect(receive("")).rejects.toMatchObject({ status: 400, code: "file_empty" });
    expect(temporary()).toEqual([]);
  });

  it("accepts the maximum size, and stops reading one byte beyond it", async () => {
    const { store, receive, temporary } = await storeIn();
    expect((await receive("x".repeat(1000), 1000)).sizeBytes).toBe(1000);
    await expect(receive("x".repeat(1001), 1000)).rejects.toMatchObject({ status: 413 });
    let yielded = 0;
    let ended = false;
    async function* endless() {
      try {
        for (; ; yielded++) yield Buffer.alloc(1001);
      } finally {
        ended = true;
      }
    }
    const upload = store.receive(endless(), { maxBytes: 10_000 });
    await expect(upload).rejects.toMatchObject({ status: 413, code: "file_too_large" });
    expect(yielded).toBeLessThan(20);
    await expect.poll(() => ended).toBe(true);
    expect(temporary()).toHaveLength(1);
  });

  it("passes a source's own error on, and rejects chunks that aren't bytes", async () => {
    const { store, files, temporary } = await storeIn();
    const failure = new Error("the cloud is gone");
    async function* failing() {
      yield Buffer.from("half");
      throw failure;
    }
    await expect(store.receive(failing(), { maxBytes: 100 })).rejects.toBe(failure);
    const failed = new Readable({ read() {} }).destroy(failure);
    await expect(store.receive(failed, { maxBytes: 100 })).rejects.toBe(failure);
    await expect(store.receive(Readable.from(["text"]), { maxBytes: 100 })).rejects.toThrow(TypeError);
    expect(temporary()).toEqual([]);
    expect(descriptorsBelow(files)).toEqual([]);
  });

  it("ends immediately if the signal is aborted, before and during the upload", async () => {
    const { store, files, temporary } = await storeIn();
    const silent = () => new Readable({ read() {} });
    const abort = new AbortController();
    const running = silent();
    running.push(Buffer.from("half"));
    const upload = store.receive(running, { maxBytes: 100, signal: abort.signal });
    await expect.poll(temporary).toHaveLength(1);
    abort.abort(new Error("shutdown"));
    await expect(upload).rejects.toMatchObject({ status: 400, code: "upload_aborted" });
    expect(running.destroyed).toBe(true);
    const late = store.receive(silent(), { maxBytes: 100, signal: abort.signal });
    await expect(late).rejects.toMatchObject({ code: "upload_aborted" });
    expect(temporary()).toEqual([]);
    expect(descriptorsBelow(files)).toEqual([]);
  });

  it("leaves nothing of a client that disconnects during the upload", async () => {
    const { store, files, temporary } = await storeIn();
    const { server, outcomes, url } = await serve((body) => store.receive(body, { maxBytes: MEBIBYTE }));
    const outcome = once(server, "outcome");
    const upload = request(url, { method: "PUT", headers: { "Content-Length": 1000 } });
    upload.on("error", () => {});
    upload.write("half");
    await expect.poll(temporary).toHaveLength(1);
    upload.destroy();
    await outcome;
    expect(outcomes).toEqual(["upload_aborted"]);
    expect(temporary()).toEqual([]);
    expect(descriptorsBelow(files)).toEqual([]);
  });

  it("leaves a rejected source readable, so that the rest can be drained", async () => {
    const { store } = await storeIn();
    const source = Readable.from(Array.from({ length: 9 }, () => Buffer.alloc(100)));
    await expect(store.receive(source, { maxBytes: 250 })).rejects.toMatchObject({ status: 413 });
    expect((await source.toArray()).length).toBe(6);
  });

  it("leaves the socket of a rejected upload able to carry the response", async () => {
    const { store, temporary } = await storeIn();
    const { url } = await serve((body) => store.receive(body, { maxBytes: 1000 }));
    const answer = await fetch(url, { method: "PUT", body: Buffer.alloc(8 * MEBIBYTE) });
    expect([answer.status, await answer.text()]).toEqual([413, "file_too_large"]);
    expect(temporary()).toEqual([]);
  });
});

describe("keep, open, has, remove, list", () => {
  it("move the bytes to the path of their hash, where they can be opened", async () => {
    const { store, files, receive, placeOf, temporary } = await storeIn();
    const received = await receive("A book");
    const blob = await store.keep(received);
    expect(blob).toEqual({ sha256: sha256Of("A book"), sizeBytes: 6 });
    expect(temporary()).toEqual([]);
    await received.discard();
    expect(await store.has(blob.sha256)).toBe(true);
    const opened = await store.open(blob.sha256);
    expect(await opened.handle.readFile()).toEqual(Buffer.from("A book"));
    expect(opened.sizeBytes).toBe(6);
    expect(opened.modifiedAt).toBe(Math.floor((await stat(placeOf(blob.sha256))).mtimeMs));
    await opened.handle.close();
    if (process.platform !== "win32") {
      expect((await stat(placeOf(blob.sha256))).mode & 0o777).toBe(0o600);
      expect((await stat(join(files, blob.sha256.slice(0, 2)))).mode & 0o777).toBe(0o700);
    }
  });

  it("store the same bytes once, and replace bytes that the disk has shortened or changed", async () => {
    const { keep, placeOf, temporary } = await storeIn();
    const { sha256 } = await keep("A book");
    for (const damaged of ["A b", "A bool"]) {
      await writeFile(placeOf(sha256), damaged);
      await keep("A book");
      expect(await readFile(placeOf(sha256), "utf8")).toBe("A book");
    }
    expect(temporary()).toEqual([]);
  });

  it("return 404 for missing bytes, and never use an invalid hash as a path", async () => {
    const { store, keep } = await storeIn();
    const { sha256 } = await keep("A book");
    await store.remove(sha256);
    await store.remove(sha256);
    expect(await store.has(sha256)).toBe(false);
    await expect(store.open(sha256)).rejects.toMatchObject({ status: 404, code: "file_unavailable" });
    for (const wrong of ["", "../../etc/passwd", sha256.toUpperCase(), `${sha256}\n`, `${sha256}/..`]) {
      await expect(store.open(wrong)).rejects.toThrow(TypeError);
      await expect(store.remove(wrong)).rejects.toThrow(TypeError);
    }
  });

  it("give a reader that has opened the bytes all of them after their removal", async () => {
    const { store, keep } = await storeIn();
    const { sha256 } = await keep("x".repeat(500_000));
    const { handle } = await store.open(sha256);
    await store.remove(sha256);
    expect((await handle.readFile()).length).toBe(500_000);
    await handle.close();
  });

  it("list the stored files, and nothing else in the folder", async () => {
    const { store, files, keep, receive } = await storeIn();
    expect(await Array.fromAsync(store.list())).toEqual([]);
    const kept = await Promise.all(["a", "bb", "ccc"].map(keep));
    await receive("unfinished");
    const sha256 = sha256Of("a");
    await writeFile(join(files, "README"), "x");
    await writeFile(join(files, sha256.slice(0, 2), `${sha256}.bak`), "x");
    await mkdir(join(files, "00", "0".repeat(64)), { recursive: true });
    const bySize = (await Array.fromAsync(store.list())).sort((a, b) => a.sizeBytes - b.sizeBytes);
    expect(bySize).toEqual(kept);
  });
});

describe("after a crash", () => {
  it("a start removes what an upload left, and keeps complete files", async () => {
    const { store, files, keep, temporary } = await storeIn();
    const { sha256 } = await keep("A book");
    const source = JSON.stringify(new URL("../../src/adapters/files/folder-store.ts", import.meta.url).href);
    const killed = spawnSync(process.execPath, [
      "--input-type=module",
      "--eval",
      `const { FolderStore } = await import(${source});
       async function* source() { yield Buffer.alloc(100000); yield Buffer.alloc(1); process.kill(process.pid, "SIGKILL"); yield Buffer.alloc(1); }
       const store = new FolderStore({ directory: ${JSON.stringify(files)}, newId: () => "cut" });
       await store.receive(source(), { maxBytes: 1e9 });`,
    ]);
    expect(killed.signal).toBe("SIGKILL");
    expect(temporary()).toEqual(["cut"]);
    expect(await store.sweepTemporary()).toBe(1);
    expect(await store.sweepTemporary()).toBe(0);
    expect(await Array.fromAsync(store.list())).toEqual([{ sha256, sizeBytes: 6 }]);
  });
});

describe("errors of the disk", () => {
  it.each([
    ["ENOSPC", 507, "disk_full"],
    ["EDQUOT", 507, "disk_full"],
    ["EROFS", 503, "storage_unavailable"],
    ["EIO", 503, "storage_unavailable"],
    ["EACCES", 503, "storage_unavailable"],
    ["EPERM", 503, "storage_unavailable"],
  ])("%s becomes %d %s, without its internal message", (errno, status, code) => {
    const cause = Object.assign(new Error(`${errno}: /srv/files/tmp/1`), { code: errno });
    const failure = convertStorageError(cause);
    expect(failure).toMatchObject({ status, code, cause });
    expect(`${failure}`).not.toContain("/srv");
  });

  it("others pass unchanged", () => {
    for (const other of [Object.assign(new Error("x"), { code: "ENOTEMPTY" }), new Error("x"), undefined]) {
      expect(convertStorageError(other)).toBe(other);
    }
  });

  // A real small disk needs the right to mount one; without it the test is skipped.
  it("on a full, then a read-only disk leave nothing incomplete, reads succeed, and it recovers", async (context) => {
    const disk = join(createTempFolder(), "disk");
    await mkdir(disk);
    const mount = (...options: string[]) => spawnSync("mount", [...options, disk]).status === 0;
    if (!mount("-t", "tmpfs", "-o", "size=1m", "tmpfs")) return context.skip();
    onTestFinished(() => void spawnSync("umount", ["-l", disk]));
    const { store, receive, keep, temporary } = await storeIn(join(disk, "files"));
    const { sha256 } = await keep("A book");
    const chunks = Array.from({ length: 40 }, () => Buffer.alloc(64 * 1024));
    const tooMuch = store.receive(Readable.from(chunks), { maxBytes: 1e9 });
    await expect(tooMuch).rejects.toMatchObject({ status: 507, code: "disk_full" });
    expect(temporary()).toEqual([]);
    const received = await receive("Another");
    expect(mount("-o", "remount,ro")).toBe(true);
    await expect(receive("A third")).rejects.toMatchObject({ status: 503, code: "storage_unavailable" });
    await expect(store.keep(received)).rejects.toMatchObject({ status: 503 });
    expect(await store.has(sha256)).toBe(true);
    expect(mount("-o", "remount,rw")).toBe(true);
    expect((await store.keep(received)).sizeBytes).toBe(7);
    expect(descriptorsBelow(disk)).toEqual([]);
  });
});

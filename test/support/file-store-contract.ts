/** What every file store must do, wherever it stores the bytes. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import type { FileStore } from "../../src/adapters/files/file-store.ts";
import { hashBytes } from "./stored-files.ts";

interface OpenedStore {
  store: FileStore;
  /** What lies there of uploads that were neither kept nor discarded. */
  listTemporary(): Promise<string[]>;
}

const MEBIBYTE = 1024 * 1024;

/** More than two parts of an upload to S3. */
const LARGE = randomBytes(18 * MEBIBYTE);
Buffer.from(Uint8Array.from({ length: 18 * MEBIBYTE }, (_, index) => (index * index) >> 5));

export function describeFileStore(name: string, open: () => Promise<OpenedStore>): void {
  const receive = (store: FileStore, content: Buffer | string, maxBytes = 64 * MEBIBYTE) =>
    store.receive(Readable.from([Buffer.from(content)]), { maxBytes });

  describe(`receive, on ${name}`, () => {
    it("counts and hashes the bytes, which can be inspected and read until they are discarded", async () => {
      const { store, listTemporary } = await open();
      const bytes = LARGE;
      const received = await receive(store, bytes);
      expect(received).toMatchObject({ sha256: hashBytes(bytes), sizeBytes: bytes.length });
      expect((await received.read().toArray()).reduce((sum, chunk) => sum + chunk.length, 0)).toBe(
        bytes.length,
      );
      await using handle = await received.open();
      expect(hashBytes(await handle.readFile())).toBe(received.sha256);
      expect(await listTemporary()).toHaveLength(1);
      await received.discard();
      await received.discard();
      expect(await listTemporary()).toEqual([]);
    });

    it("rejects empty and too large sources, and passes a source's own error on; nothing is left", async () => {
      const { store, listTemporary } = await open();
      await expect(store.receive(Readable.from([]), { maxBytes: 1 })).rejects.toMatchObject({
        code: "file_empty",
        status: 400,
      });
      const tooLarge = { code: "file_too_large", status: 413 };
      await expect(receive(store, LARGE, 17 * MEBIBYTE)).rejects.toMatchObject(tooLarge);
      await expect(receive(store, "12", 1)).rejects.toMatchObject(tooLarge);
      async function* broken() {
        yield LARGE;
        throw new Error("The source broke");
      }
      await expect(store.receive(broken(), { maxBytes: 64 * MEBIBYTE })).rejects.toThrow("The source broke");
      expect(await listTemporary()).toEqual([]);
    });

    it("is aborted by the sender or a signal, and leaves nothing", async () => {
      const { store, listTemporary } = await open();
      const aborted = { code: "upload_aborted", status: 400 };
      const source = new Readable({ read() {} });
      source.push(LARGE);
      const receiving = store.receive(source, { maxBytes: 64 * MEBIBYTE });
      source.destroy(Object.assign(new Error("socket hang up"), { code: "ECONNRESET" }));
      await expect(receiving).rejects.toMatchObject(aborted);
      const controller = new AbortController();
      const waiting = new Readable({ read() {} });
      const options = { maxBytes: 10, signal: controller.signal };
      const rejected = expect(store.receive(waiting, options)).rejects.toMatchObject(aborted);
      controller.abort();
      await rejected;
      expect(waiting.destroyed).toBe(true);
      expect(await listTemporary()).toEqual([]);
    });

    it("leaves a rejected source readable, so that the rest can be drained", async () => {
      const { store } = await open();
      const source = Readable.from([Buffer.alloc(2), Buffer.alloc(3), Buffer.alloc(4)]);
      await expect(store.receive(source, { maxBytes: 1 })).rejects.toMatchObject({ code: "file_too_large" });
      source.resume();
      await once(source, "end");
    });
  });

  describe(`stored bytes, on ${name}`, () => {
    it("are found under their hash, listed once, and gone after their removal", async () => {
      const { store, listTemporary } = await open();
      const first = await receive(store, "A book");
      const { sha256, sizeBytes } = await store.keep(first);
      await first.discard();
      const again = await receive(store, "A book");
      expect(await store.keep(again)).toEqual({ sha256, sizeBytes });
      await again.discard();
      expect(await listTemporary()).toEqual([]);
      expect({ sha256, sizeBytes }).toEqual({ sha256: hashBytes(Buffer.from("A book")), sizeBytes: 6 });
      expect(await store.has(sha256)).toBe(true);
      expect(await Array.fromAsync(store.list())).toEqual([{ sha256, sizeBytes }]);
      await using handle = (await store.open(sha256)).handle;
      expect((await handle.readFile()).toString()).toBe("A book");
      await store.remove(sha256);
      await store.remove(sha256);
      expect(await store.has(sha256)).toBe(false);
      expect(await Array.fromAsync(store.list())).toEqual([]);
      await expect(store.open(sha256)).rejects.toMatchObject({ code: "file_unavailable", status: 404 });
    });

    it("can be set aside, where they are listed with the time, and restored or deleted", async () => {
      const { store } = await open();
      const { sha256, sizeBytes } = await store.keep(await receive(store, "A book"));
      const now = Date.now();
      await store.setAside(sha256, now);
      await store.setAside(sha256, now);
      expect([await store.has(sha256), await store.isSetAside(sha256)]).toEqual([false, true]);
      expect(await Array.fromAsync(store.list())).toEqual([]);
      const [listed, ...others] = await Array.fromAsync(store.listSetAside());
      expect(listed).toMatchObject({ sha256, sizeBytes });
      expect(Math.abs((listed?.setAsideAt ?? 0) - now)).toBeLessThan(60_000);
      expect(others).toEqual([]);
      await store.bringBack(sha256);
      await store.bringBack(sha256);
      expect([await store.has(sha256), await store.isSetAside(sha256)]).toEqual([true, false]);
      await using handle = (await store.open(sha256)).handle;
      expect((await handle.readFile()).toString()).toBe("A book");
      await store.setAside(sha256, now);
      await store.keep(await receive(store, "A book"));
      await store.bringBack(sha256);
      expect([await store.has(sha256), await store.isSetAside(sha256)]).toEqual([true, false]);
      await store.setAside(sha256, now);
      await store.removeSetAside(sha256);
      await store.removeSetAside(sha256);
      expect([await store.has(sha256), await store.isSetAside(sha256)]).toEqual([false, false]);
    });

    it("never have a path for an invalid hash", async () => {
      const { store } = await open();
      for (const hash of ["../x", "A".repeat(64), ""]) {
        await expect(store.open(hash)).rejects.toThrow(TypeError);
        await expect(store.remove(hash)).rejects.toThrow(TypeError);
      }
    });

    it("can be read at any position, in order, and as a stream of a part", async () => {
      const { store } = await open();
      const bytes = LARGE;
      const { sha256 } = await store.keep(await receive(store, bytes));
      const { handle, sizeBytes } = await store.open(sha256);
      await using opened = handle;
      const buffer = Buffer.alloc(MEBIBYTE);
      const read = async (position: number, length: number) => {
        const { bytesRead } = await opened.read(buffer, 7, length, position);
        return buffer.subarray(7, 7 + bytesRead);
      };
      for (const [position, length] of [
        [5_000_000, 1000],
        [5_001_000, 500_000],
        [0, 10],
        [sizeBytes - 5, 10],
      ] as const) {
        expect((await read(position, length)).equals(bytes.subarray(position, position + length))).toBe(true);
      }
      expect((await read(sizeBytes, 10)).length).toBe(0);
      for (let position = 1; position < sizeBytes; position += 900_000) {
        expect((await read(position, 900_000)).equals(bytes.subarray(position, position + 900_000))).toBe(
          true,
        );
      }
      const part = Buffer.concat(
        await opened.createReadStream({ start: 9_999_999, end: 12_000_000, autoClose: false }).toArray(),
      );
      expect(part.equals(bytes.subarray(9_999_999, 12_000_001))).toBe(true);
    });
  });
}

/** What transfers leave in memory: a few megabytes, however much went through. */
import { randomUUID } from "node:crypto";
import { Readable, Writable } from "node:stream";
import { expect, it } from "vitest";
import { LocalFileStore } from "../../src/adapters/files/file-store.ts";
import { writeZip } from "../../src/adapters/files/zip-archive.ts";
import { tempFolder } from "../support/temp-folder.ts";

const MEBIBYTE = 1024 * 1024;
const BYTES = 192 * MEBIBYTE;
/** V8 by itself lets more gather: 27 MiB and more here, 64 in a server at work. */
const MOST_BYTES = 24 * MEBIBYTE;

/** A buffer of its own for each piece, as sockets and files give them. */
function passThrough(pieceBytes: number) {
  const before = process.memoryUsage().arrayBuffers;
  const growths: number[] = [];
  async function* pieces() {
    for (let left = BYTES; left > 0; left -= pieceBytes) {
      growths.push(process.memoryUsage().arrayBuffers - before);
      // Whoever is given the next piece has passed on the former one.
      await new Promise(setImmediate);
      yield Buffer.alloc(pieceBytes, "text");
    }
  }
  return { source: Readable.from(pieces()), most: () => Math.max(...growths) };
}

it("an upload leaves a few megabytes", async () => {
  const { source, most } = passThrough(64 * 1024);
  const store = new LocalFileStore({ directory: tempFolder(), newId: randomUUID });
  const received = await store.receive(source, { maxBytes: BYTES });
  await received.discard();
  expect(most()).toBeLessThan(MOST_BYTES);
});

it("a ZIP that is built leaves a few megabytes", async () => {
  const { source, most } = passThrough(MEBIBYTE);
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  await writeZip([{ name: "book.txt", open: async () => source }], output);
  expect(most()).toBeLessThan(MOST_BYTES);
});

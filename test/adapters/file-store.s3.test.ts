/** The contract of the file store in a bucket, and what instances leave there that end in the middle. */
import { randomBytes, randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { S3Store } from "../../src/adapters/files/s3/s3-store.ts";
import { eventually } from "../support/eventually.ts";
import { describeFileStore } from "../support/file-store-contract.ts";
import { onS3, relayToS3 } from "../support/on-s3.ts";
import { listPaths, openBucket } from "../support/s3-bucket.ts";

const MEBIBYTE = 1024 * 1024;
const DAY_MS = 24 * 3600 * 1000;

function open(variables = onS3()) {
  const bucket = openBucket(variables);
  const store = new S3Store({ bucket, newId: randomUUID, clock: { now: () => Date.now() } });
  const later = new S3Store({ bucket, newId: randomUUID, clock: { now: () => Date.now() + 2 * DAY_MS } });
  return { bucket, store, later, listTemporary: () => listPaths(bucket, "uploads/") };
}

describeFileStore("S3", async () => open());

describe("S3", () => {
  it("removes uploads that are older than a day, and parts of unfinished ones, in a sweep", async () => {
    const relay = await relayToS3();
    const variables = onS3({ endpoint: relay.endpoint });
    const { store, later, listTemporary, bucket } = open(variables);
    const received = await store.receive(Readable.from([Buffer.from("A")]), { maxBytes: 9 });
    const kept = await store.keep(received);
    await received.discard();
    await store.receive(Readable.from([Buffer.from("left behind")]), { maxBytes: 99 });
    // Its parts arrive, but not that it is over: as if the instance had been killed.
    async function* killed() {
      yield Buffer.alloc(20 * MEBIBYTE);
      await eventually(() => expect(relay.sentBytes()).toBeGreaterThan(8 * MEBIBYTE));
      await relay.stop();
    }
    await expect(store.receive(killed(), { maxBytes: 1e9 })).rejects.toMatchObject({ status: 503 });
    await relay.start();
    expect(await store.sweepTemporary()).toBe(0);
    expect(await listTemporary()).toHaveLength(1);
    expect(await later.sweepTemporary()).toBe(2);
    expect(await later.sweepTemporary()).toBe(0);
    expect(await listPaths(bucket)).toEqual([`files/${kept.sha256.slice(0, 2)}/${kept.sha256}`]);
  });

  it("continues a sequence of reads to its announced end after another instance has deleted the bytes", async () => {
    const { store } = open();
    const bytes = randomBytes(3 * MEBIBYTE);
    const { sha256 } = await store.keep(await store.receive(Readable.from([bytes]), { maxBytes: 1e9 }));
    const { handle, sizeBytes } = await store.open(sha256);
    const read = Buffer.alloc(sizeBytes);
    const last = sizeBytes - 1;
    await handle.read(read, 0, 1000, 0, last);
    await store.remove(sha256);
    await handle.read(read, 1000, sizeBytes - 1000, 1000, last);
    expect(read.equals(bytes)).toBe(true);
  });

  it("resumes a broken transfer, unless the store is unreachable", async () => {
    const relay = await relayToS3();
    const { store } = open(onS3({ endpoint: relay.endpoint }));
    const bytes = randomBytes(5_000_000);
    const { sha256 } = await store.keep(await store.receive(Readable.from([bytes]), { maxBytes: 1e9 }));
    const { handle } = await store.open(sha256);
    relay.breakAfter(1_500_000);
    expect((await handle.readFile()).equals(bytes)).toBe(true);
    await relay.stop();
    await expect(handle.readFile()).rejects.toMatchObject({ status: 503, code: "storage_unavailable" });
  });
});

/** Compressed bytes that are kept for later requests. */
import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { CompressedBytes, compressOnce } from "../../src/adapters/compression.ts";

const MIB = 1024 * 1024;

/** The result, which the second request begins. */
async function compressed(kept: CompressedBytes, bytes: Buffer, etag: string): Promise<Buffer | undefined> {
  await expect.poll(() => kept.find(bytes, etag, "gzip"), { interval: 1 }).toBeDefined();
  return kept.find(bytes, etag, "gzip");
}

it("compresses at the second request, once for all that follow", async () => {
  const kept = new CompressedBytes();
  const bytes = Buffer.from("text ".repeat(1000));
  expect(kept.find(bytes, '"a"', "gzip")).toBeUndefined();
  // The next request would have it, if the first had begun it.
  await setTimeout(50);
  expect(kept.find(bytes, '"a"', "gzip")).toBeUndefined();
  const result = await compressed(kept, bytes, '"a"');
  expect(gunzipSync(result ?? "").equals(bytes)).toBe(true);
  expect(kept.find(bytes, '"a"', "gzip")).toBe(result);
});

it("compresses one response at a time, in the order of the requests", async () => {
  const kept = new CompressedBytes();
  const [large, small] = [randomBytes(4 * MIB), Buffer.from("text ".repeat(1000))];
  for (let time = 0; time < 2; time += 1) {
    kept.find(large, '"large"', "gzip");
    kept.find(small, '"small"', "gzip");
  }
  await compressed(kept, small, '"small"');
  expect(kept.find(large, '"large"', "gzip")).toBeDefined();
});

it("keeps 24 MiB of results, those that were requested last", async () => {
  const kept = new CompressedBytes();
  const bytes = randomBytes(4 * MIB);
  // The results are a little longer than the bytes: five of them fit.
  for (const tag of ["1", "2", "3", "4", "5", "1", "6"]) await compressed(kept, bytes, tag);
  expect(["1", "3", "4", "5", "6"].filter((tag) => !kept.find(bytes, tag, "gzip"))).toEqual([]);
  expect(kept.find(bytes, "2", "gzip")).toBeUndefined();
});

it("compresses what is sent once at once if it is small, otherwise beside the event loop", async () => {
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync };
  for (const coding of ["br", "gzip"] as const) {
    for (const [text, isAtOnce] of [
      ["", true],
      ["<li>كتاب</li>".repeat(1000), true],
      ["<li>كتاب</li>".repeat(10_000), false],
    ] as const) {
      const given = compressOnce(text, coding);
      expect(Buffer.isBuffer(given)).toBe(isAtOnce);
      const bytes = await given;
      expect(unpack[coding](bytes).toString()).toBe(text);
      expect(bytes.length).toBeLessThan(text.length / 10 + 100);
    }
  }
});

import { buffer } from "node:stream/consumers";
import { ZipArchive } from "archiver";
import { describe, expect, it } from "vitest";
import { zipEntries } from "../../tools/demo/zip-entries.ts";

const FILES = [
  { name: "one.txt", content: "one ".repeat(500) },
  { name: "مجلد/二.txt", content: "zwei" },
  { name: "empty", content: "" },
];

async function zip(store: boolean): Promise<Buffer> {
  const archive = new ZipArchive({ store });
  for (const { name, content } of FILES) archive.append(Buffer.from(content), { name });
  const [bytes] = await Promise.all([buffer(archive), archive.finalize()]);
  return bytes;
}

describe("zipEntries", () => {
  it.each([true, false])("reads names and contents (stored: %s)", async (store) => {
    const entries = zipEntries(await zip(store));
    const read = entries.map(({ name, bytes }) => ({ name, content: bytes.toString("utf8") }));
    expect(read).toEqual(FILES);
    expect(entries[0]?.method).toBe(store ? "stored" : "deflated");
  });

  it("refuses a ZIP that is cut off anywhere", async () => {
    const whole = await zip(true);
    for (const length of [0, 10, 21, whole.length - 23, whole.length - 1]) {
      expect(() => zipEntries(whole.subarray(0, length))).toThrow();
    }
  });

  it("refuses a changed content", async () => {
    const changed = await zip(true);
    const place = changed.indexOf("one one");
    changed.write("two", place);
    expect(() => zipEntries(changed)).toThrow("one.txt: wrong checksum");
  });
});

/** Covers that change while a reader waits for them. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { systemAuthor } from "../../src/repositories/change.ts";
import { startApp } from "../support/app.ts";
import { colorOf, picture, putCover } from "../support/covers.ts";

const READER = { kind: "reader", key: "one" } as const;
const anything = (type: string) => ({ ranges: [type], takes: () => true });

it("shows the next one when a cover goes before its bytes are read", async () => {
  const { admin, make, container, dataDir } = await startApp();
  const client = await admin();
  const { covers, publicCovers } = container.services;
  await make.language("en");
  const { book } = await make.published("The Well", "en");
  const { book: other } = await make.published("Another", "en");
  await putCover(client, book.id, "en", await picture("red"));
  await putCover(client, book.id, "default", await picture("blue"));
  /** Until so many images are being made, or wait for it. */
  const untilBegun = (count: number) =>
    vi.waitFor(() => {
      const names = readdirSync(join(dataDir, "cache", "covers"));
      expect(names.filter((name) => name.endsWith(".part"))).toHaveLength(count);
    });

  // One image is made at a time, and large ones take their time: the last one has read nothing yet.
  const before = ([1200, 640, 320] as const).map((width) =>
    publicCovers.image(other.slug, { width }, anything("image/avif"), READER),
  );
  await untilBegun(before.length);
  const last = publicCovers.image(book.slug, { width: 160 }, anything("*/*"), READER);
  await untilBegun(before.length + 1);
  await covers.delete(systemAuthor("test"), book.id, "en");
  const image = await last;
  expect("bytes" in image && (await colorOf(image.bytes))).toBe("blue");
  expect(await Promise.all(before)).toHaveLength(before.length);
});

/** Covers that change while a reader waits for them. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createSystemAuthor } from "../../src/repositories/change.ts";
import { startWithAdmin } from "../support/app.ts";
import { createPicture, putCover, readColor } from "../support/covers.ts";
import { eventually } from "../support/eventually.ts";

const READER = { kind: "reader", key: "one" } as const;
const anything = { ranges: ["*/*"], takes: () => true };

it("the next cover is returned if one is deleted before its bytes are read", async () => {
  const { make, container, dataDir, client } = await startWithAdmin();
  const { covers, publicCovers } = container.services;
  const { book } = await make.published("The Well", "en");
  await putCover(client, book.id, "en", await createPicture("red"));
  await putCover(client, book.id, "default", await createPicture("blue"));

  // Otherwise this question waits behind the image, too.
  await container.images.describeEncoder();
  // One image is made at a time, so that the reader's waits until this one has its bytes.
  const { promise: bytes, resolve } = Promise.withResolvers<Buffer>();
  const before = container.images.resize(() => bytes, { width: 160, contentType: "image/png" });
  const image = publicCovers.readImage(book.slug, { width: 160 }, anything, READER);
  await eventually(() => {
    const names = readdirSync(join(dataDir, "cache", "covers"));
    expect(names.filter((name) => name.endsWith(".part"))).toHaveLength(1);
  });
  await covers.delete(createSystemAuthor("test"), book.id, "en");
  resolve(await createPicture("green"));
  await before;
  const shown = await image;
  expect("bytes" in shown && (await readColor(shown.bytes))).toBe("blue");
});

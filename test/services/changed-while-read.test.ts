/** Files and covers that change while a reader waits for them. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { FileStore } from "../../src/adapters/files/file-store.ts";
import { createSystemAuthor } from "../../src/repositories/change.ts";
import { startWithAdmin } from "../support/app.ts";
import { createPicture, putCover, readColor } from "../support/covers.ts";
import { eventually } from "../support/eventually.ts";
import { linkTo } from "../support/reader.ts";

const READER = { kind: "reader", key: "one" } as const;
const anything = { ranges: ["*/*"], takes: () => true };

it("the next cover is returned if one is deleted before its bytes are read", async () => {
  const { make, container, dataDir, client } = await startWithAdmin();
  const { covers, publicCovers } = container.services;
  await make.language("en");
  const { book } = await make.published("The Well", "en");
  await putCover(client, book.id, "en", await createPicture("red"));
  await putCover(client, book.id, "default", await createPicture("blue"));

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

it("a file and a cover that are replaced before their bytes are opened are delivered in the new version", async () => {
  // Otherwise the former bytes stay, and are delivered.
  const { api, make, container, client } = await startWithAdmin({ REPLACED_FILES_DAYS: "0" });
  await make.language("en");
  const { book, file } = await make.published("The Well", "en", "Old");
  const link = await linkTo(api, { slug: book.slug, languageCode: "en" });
  await putCover(client, book.id, "en", await createPicture("red"));

  beforeOpening(container.store, () => {
    const upload = { file: { bytes: Buffer.from("New"), name: "new.txt" } };
    return client.upload("put", `/api/admin/books/${book.id}/files/${file.id}`, upload);
  });
  const text = await api.get(link);
  expect([text.status, String(text.body)]).toEqual([200, "New"]);

  const blue = await createPicture("blue");
  beforeOpening(container.store, () => putCover(client, book.id, "en", blue));
  const cover = await client.get(`/api/admin/books/${book.id}/covers/en`);
  expect([cover.status, await readColor(cover.body)]).toEqual([200, "blue"]);
});

/** Lets something happen between a row and the bytes that it names, once. */
function beforeOpening(store: FileStore, happen: () => Promise<unknown>): void {
  const open = store.open.bind(store);
  store.open = async (sha256) => {
    store.open = open;
    await happen();
    return open(sha256);
  };
}

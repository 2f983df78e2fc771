/** What is read while it changes. */
import { expect, it, vi } from "vitest";
import type { FileStore } from "../../src/adapters/files/file-store.ts";
import { RequestScope, runRequest } from "../../src/db/request-scope.ts";
import { retryIfCatalogueChanged } from "../../src/services/shared/catalogue-versions.ts";
import { startApp } from "../support/app.ts";
import { createPicture, putCover, readColor } from "../support/covers.ts";
import { linkTo } from "../support/reader.ts";

/** A catalogue that changes each time somebody looks at its version. */
const restless = () => {
  let version = 0;
  return {
    async readCatalogueVersion() {
      version += 1;
      return { epoch: "one", version };
    },
  };
};

it("a value is read again if the catalogue has changed, a limited number of times", async () => {
  const read = vi.fn(async ({ version }: { version: number }) => {
    if (version < 3) throw new Error("gone");
    return version;
  });
  expect(await retryIfCatalogueChanged(restless(), read)).toBe(3);
  const never = vi.fn(() => Promise.reject(new Error("gone")));
  await expect(retryIfCatalogueChanged(restless(), never)).rejects.toThrow("gone");
  expect(never).toHaveBeenCalledTimes(4);
});

it("a value isn't read again if nothing has changed", async () => {
  const read = vi.fn(() => Promise.reject(new Error("lost")));
  await expect(
    retryIfCatalogueChanged({ readCatalogueVersion: async () => ({ epoch: "one", version: 7 }) }, read),
  ).rejects.toThrow("lost");
  expect(read).toHaveBeenCalledTimes(1);
});

it("isn't read again by a request that has no time left, and its version isn't asked for", async () => {
  const read = vi.fn(() => Promise.reject(new Error("no response")));
  const catalogue = restless();
  const reading = runRequest(new RequestScope(0), () => retryIfCatalogueChanged(catalogue, read));
  await expect(reading).rejects.toThrow("no response");
  expect(read).toHaveBeenCalledTimes(1);
  expect(await catalogue.readCatalogueVersion()).toMatchObject({ version: 2 });
});

it("a file and a cover that are replaced before their bytes are opened are delivered in the new version", async () => {
  // Otherwise the former bytes stay, and are delivered.
  const { admin, api, make, container } = await startApp({ REPLACED_FILES_DAYS: "0" });
  const client = await admin();
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

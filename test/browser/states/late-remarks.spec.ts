/** A file that takes long to read: what it says is shown once the service has read it. */

import { expect, testOnStandIn } from "../fixtures.ts";
import { createHand, openChooser } from "../support/hands.ts";
import { BOOK } from "../support/records.ts";

const test = testOnStandIn();

const PENDING = { code: "metadata_pending", found: null, expected: null };
const OTHER = { code: "title_differs", found: "La cabra", expected: "El pozo profundo" };

test("the remarks of a file that isn't read yet come later", async ({ api, open }) => {
  const page = await open(BOOK);
  const file = { ...api.example("post /api/admin/books/{bookId}/files"), fileName: "cabra.epub" };
  let reads = 0;
  api.on("post /api/admin/books/{bookId}/files", () => ({ ...file, remarks: [PENDING] }));
  api.on("get /api/admin/books/{bookId}/files", () => {
    reads += 1;
    return { files: [{ ...file, remarks: reads < 2 ? [PENDING] : [OTHER] }] };
  });
  await page.getByRole("button", { name: "Menu of Spanish" }).click();
  const entry = page.getByRole("menuitem", { name: /^Add a file/ });
  const chooser = await openChooser(createHand("mouse", page), page, entry);
  const buffer = Buffer.from("A long book");
  await chooser.setFiles({ name: "cabra.epub", mimeType: "application/epub+zip", buffer });
  const notices = page.getByRole("alert").filter({ hasText: "cabra.epub was added." });
  await expect(notices).toHaveCount(1);
  await expect(notices.getByRole("listitem")).toHaveCount(0);
  await expect(notices.getByRole("listitem")).toHaveText(/“\u2068La cabra\u2069”/);
  expect(reads).toBe(2);
  // It takes the place of the first one.
  await expect(notices).toHaveCount(1);
});

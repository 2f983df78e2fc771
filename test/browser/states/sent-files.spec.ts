/** Files that are being sent to a book: none is lost without a word. */
import type { Page } from "@playwright/test";
import { AppError } from "../../../src/errors.ts";
import { openRowMenu } from "../../support/row-menu.ts";
import { expect, testOnStandIn } from "../fixtures.ts";
import { chooseFile } from "../support/choose-file.ts";
import { button } from "../support/locators.ts";
import { logIn } from "../support/log-in.ts";
import { BOOK, endSession } from "../support/records.ts";

const test = testOnStandIn();

const ADD = "post /api/admin/books/{bookId}/files";
const REPLACE = "put /api/admin/books/{bookId}/files/{fileId}";

const file = (name: string) => ({
  name,
  mimeType: "application/octet-stream",
  buffer: Buffer.from("Uno"),
});

const reject = () => {
  throw new AppError(409, "book_archived", "It doesn't fit.");
};

/** Replaces the file of the book. */
const replace = async (page: Page) =>
  chooseFile(await openRowMenu(page, "Replace pozo.epub"), file("pozo.epub"));

test("at the same time are each reported, also the first one when it fails last", async ({ api, open }) => {
  const page = await open(BOOK);
  const gate = Promise.withResolvers<void>();
  api.on(ADD, () => gate.promise.then(reject));
  await chooseFile(await openRowMenu(page, "Add a file in Spanish"), file("uno.html"));
  await expect(page.getByText(/^Sending uno\.html/)).toBeVisible();
  await replace(page);
  await expect(page.getByText("pozo.epub was replaced.")).toBeVisible();
  gate.resolve();
  const notice = page.getByRole("alert").filter({ hasText: "uno.html wasn't stored" });
  await expect(notice.getByText("It doesn't fit.")).toBeVisible();
  await expect(page.getByText(/^Sending/)).toHaveCount(0);
});

test("arrive after one goes to another page, and the window asks before it closes", async ({ api, open }) => {
  const page = await open(BOOK);
  const gate = Promise.withResolvers<void>();
  const gateOfCover = Promise.withResolvers<void>();
  api.on(REPLACE, () => gate.promise.then(() => api.example(REPLACE)));
  api.on("put /api/admin/books/{bookId}/covers/{languageCode}", () => gateOfCover.promise.then(reject));
  await replace(page);
  await chooseFile(button(page, "Choose a cover"), file("cover.png"));
  await page.getByRole("link", { name: "All books" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Books" })).toBeVisible();
  const [dialog] = await Promise.all([page.waitForEvent("dialog"), page.close({ runBeforeUnload: true })]);
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  gate.resolve();
  await expect(page.getByText("pozo.epub was replaced.")).toBeVisible();
  gateOfCover.resolve();
  await expect(page.getByText("It doesn't fit.")).toBeVisible();
});

test("are sent again after the next log-in when the session has ended", async ({ api, open }) => {
  const page = await open(BOOK);
  let taken = 0;
  api.on(REPLACE, () => {
    taken += 1;
    return api.example(REPLACE);
  });
  endSession(api);
  await replace(page);
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(taken).toBe(0);
  await logIn(page, "anna@example.org");
  await expect(page.getByText("pozo.epub was replaced.")).toBeVisible();
  expect(taken).toBe(1);
});

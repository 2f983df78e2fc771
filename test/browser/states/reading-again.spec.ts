/** Pages that can't be read again: what is selected or typed stays, and what was wrong is said. */
import type { Page } from "@playwright/test";
import { AppError } from "../../../src/errors.ts";
import { expect, testOnStandIn } from "../fixtures.ts";
import { field } from "../support/locators.ts";
import { BOOK } from "../support/records.ts";

const test = testOnStandIn();

const fail = () => {
  throw new AppError(500, "server_error", "The request failed.");
};

/** Ten seconds later, a window that is looked at again reads again. */
async function lookAgain(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.fastForward(11_000);
  await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
}

const failure = (page: Page) => page.getByRole("alert").getByText("The server is busy");

test("a list keeps its selection", async ({ api, open }) => {
  const page = await open("books");
  const box = page.getByRole("checkbox", { name: "Select The Deep Well" });
  await box.click();
  api.on("get /api/admin/books", fail);
  await lookAgain(page);
  await expect(failure(page)).toBeVisible();
  await expect(box).toBeChecked();
  api.on("get /api/admin/books", () => api.example("get /api/admin/books"));
  await page.getByRole("button", { name: "Try again", exact: true }).click();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(box).toBeChecked();
});

test("a book keeps what was typed", async ({ api, open }) => {
  const page = await open(BOOK);
  const title = field(page, "Title");
  await title.fill("The Deeper Well");
  api.on("get /api/admin/books/{bookId}", fail);
  await lookAgain(page);
  await expect(failure(page)).toBeVisible();
  await expect(title).toHaveValue("The Deeper Well");
});

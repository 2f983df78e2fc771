/** Where the ways of the console lead: back, to the last page, to the top, and where the focus is afterwards. */
import assert from "node:assert/strict";
import type { Page } from "@playwright/test";
import { idOf } from "../../support/ids.ts";
import { expect, testOn, testOnStandIn } from "../fixtures.ts";
import { button, heading, inDialog, link } from "../support/locators.ts";
import { BOOK } from "../support/records.ts";
import { WELL } from "../support/scenes.ts";
import type { StandIn } from "../support/stand-in.ts";

const test = testOn(WELL);
const testOnExamples = testOnStandIn();

const readScroll = (page: Page) => page.evaluate("scrollY");

test("lead back to the page of a list, in a new list to its top, and from a last page that is gone to the one before", async ({
  scene,
  open,
}) => {
  // With the two of the template, the second page has one.
  const books = Array.from({ length: 49 }, (_, index) => ({ titleEn: `Book ${index + 1}` }));
  await (await scene.admin()).post("/api/admin/books/bulk", { books });
  const page = await open("books");
  await test.step("back to the page of a list, and where it was", async () => {
    await button(page, "Next page").click();
    await expect(link(page, "Book 49")).toBeVisible();
    await page.goBack();
    await expect(link(page, "Book 1")).toBeVisible();
    await expect(page).toHaveURL(/books$/);
    // The second time, the book is in the cache.
    for (let time = 0; time < 2; time += 1) {
      await link(page, "Book 40").click();
      await expect(heading(page, "Book 40")).toBeVisible();
      await expect.poll(() => readScroll(page)).toBe(0);
      await page.goBack();
      await expect(link(page, "Book 40")).toBeVisible();
      await expect.poll(() => readScroll(page)).not.toBe(0);
    }
  });
  await test.step("to the page that is the last when the books of the last one are gone", async () => {
    await page.goto(`${scene.base}books?page=2`);
    await page.getByRole("checkbox", { name: "Select Book 49" }).click();
    await button(page, "Archive").click();
    await expect(page.getByText("50 books", { exact: true })).toBeVisible();
    await expect(page).toHaveURL(/books$/);
    await expect(link(page, "Book 48")).toBeVisible();
    await expect(heading(page, "Books")).toBeFocused();
  });
});

const IMPACT = {
  ...{ translations: 1, files: 1, localFiles: 1, fileBytes: 48_213, covers: 1 },
  ...{ publications: 1, visibilityOverrides: 0, downloadEvents: 0 },
};

/** The book of the examples is archived. */
function archive(api: StandIn): void {
  const example = api.example("get /api/admin/books/{bookId}");
  assert.ok("book" in example);
  const book = { ...example.book, isActive: 0 as const, archivedAt: "2026-04-01T12:00:00.000Z" };
  api.on("get /api/admin/books/{bookId}", ({ query }) =>
    query.has("preview") ? { impact: IMPACT } : { ...example, book },
  );
}

testOnExamples(
  "lead from a deleted book to the filtered list, and from an erased contact to one that doesn't name it",
  async ({ api, open }) => {
    archive(api);
    const page = await open("books?status=archived");
    await link(page, "The Deep Well").click();
    await expect(page).toHaveURL(new RegExp(`${BOOK}$`));
    await button(page, "Delete for good").click();
    await inDialog(page).getByRole("textbox").fill("The Deep Well");
    await inDialog(page).getByRole("button", { name: "Delete for good" }).click();
    await expect(page).toHaveURL(/books\?status=archived$/);
    await page.goto(`${api.base}contacts?search=sara`);
    await link(page, "Sara Núñez").click();
    await button(page, "Erase").click();
    await inDialog(page).getByRole("textbox").fill("reader@example.org");
    await inDialog(page).getByRole("button", { name: "Erase" }).click();
    await expect(page).toHaveURL(/contacts$/);
  },
);

testOnExamples(
  "say that a sub-language has more books than are listed, and that none is found",
  async ({ api, open }) => {
    const { languages } = api.example("get /api/admin/languages");
    const child = {
      id: 5,
      code: "fr-CA",
      name: "Canadian French",
      nativeName: "français canadien",
      parentId: 3,
    };
    const both = languages.flatMap((each) => [each, { ...each, ...child, direction: "ltr" as const }]);
    api.on("get /api/admin/languages", () => ({ languages: both }));
    const example = api.example("get /api/admin/languages/{langId}/books");
    const books = Array.from({ length: 101 }, (_, index) => index + 1).flatMap((number) =>
      example.books.map((book) => ({ ...book, bookId: idOf(number), titleEn: `Book ${number}` })),
    );
    api.on("get /api/admin/languages/{langId}/books", () => ({ ...example, books }));
    const page = await open("languages");
    await button(page, "Books in Canadian French").click();
    await expect(page.getByText("The first 100 of 101 books. Search for the others.")).toBeVisible();
    await inDialog(page).getByRole("searchbox").fill("nothing like this");
    await expect(page.getByText("No book has these words in its title.")).toBeVisible();
  },
);

/** Undo in the console where it fails in part, or somebody else was faster. */
import type { Page } from "@playwright/test";
import { findAccessibilityErrors } from "../../support/chromium.ts";
import { expect, testOn } from "../fixtures.ts";
import { button } from "../support/locators.ts";
import { WELL, type WellScene } from "../support/scenes.ts";

const test = testOn(WELL);

/** Gives all books of the list a tag. */
async function tagAll(page: Page, tag: string): Promise<void> {
  await expect(page.getByRole("link", { name: "The Deep Well" })).toBeVisible();
  await page.keyboard.press("Control+a");
  await button(page, "Change tags").click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Tags" }).fill(tag);
  await button(page, "Preview").click();
  await button(page, "Apply").click();
  await expect(button(page, "Undo")).toBeVisible();
}

async function readTags({ admin }: WellScene): Promise<Record<string, string[]>> {
  const { body } = await (await admin()).get("/api/admin/books?status=all");
  return Object.fromEntries(
    body.books.map(({ titleEn, tags }: { titleEn: string; tags: string[] }) => [titleEn, tags]),
  );
}

test("of many books goes on after a failure, keeps what others changed, and can be tried again", async ({
  scene,
  open,
}) => {
  const { id: busy } = await scene.make.book("Busy");
  const { id: changed } = await scene.make.book("Changed");
  const { id: lost } = await scene.make.book("Lost");
  await scene.make.book("Last");
  const page = await open("books");
  await tagAll(page, "summer");
  await (await scene.admin()).patch(`/api/admin/books/${changed}`, { tags: ["summer", "theirs"] });
  const answer = { status: 503, json: { status: 503, code: "unavailable" } };
  await page.route(`**/api/admin/books/${busy}`, (route) => route.fulfill(answer), { times: 1 });
  await page.route(
    `**/api/admin/books/${lost}`,
    async (route) => {
      await route.fetch();
      await route.abort("connectionreset");
    },
    { times: 1 },
  );
  await button(page, "Undo").click();
  await expect(page.getByText("3 books are as before; 2 aren't yet.")).toBeVisible();
  await expect(page.getByText("1 book stays as it is: somebody changed or deleted it since.")).toBeVisible();
  expect(await findAccessibilityErrors(page)).toEqual([]);
  expect(await readTags(scene)).toMatchObject({ Busy: ["summer"], Last: [], "The Deep Well": ["water"] });
  await page.getByRole("link", { name: "Languages", exact: true }).click();
  await button(page, "Try again").click();
  await expect(page.getByText("5 books are as before.")).toBeVisible();
  expect(await readTags(scene)).toMatchObject({ Busy: [], Changed: ["summer", "theirs"], Lost: [] });
});

test("of many books stops at once when the session has ended", async ({ scene, open }) => {
  for (let index = 0; index < 5; index += 1) await scene.make.book(`Book ${index}`);
  const page = await open("books");
  await tagAll(page, "summer");
  let asked = 0;
  await page.route(/\/api\/admin\/books\/[^/]+$/, (route) => {
    asked += 1;
    return route.fulfill({ status: 401, json: { status: 401, code: "session_missing" } });
  });
  await button(page, "Undo").click();
  await expect(page.getByText("0 books are as before; 7 aren't yet.")).toBeVisible();
  await expect(page.getByRole("dialog").getByText("Your session has ended")).toBeVisible();
  expect(asked).toBe(2);
});

test("of archiving says which books are gone", async ({ scene, open }) => {
  const page = await open("books");
  await expect(page.getByRole("link", { name: "The Deep Well" })).toBeVisible();
  await page.keyboard.press("Control+a");
  await button(page, "Archive").click();
  await expect(button(page, "Undo")).toBeVisible();
  await (await scene.admin()).delete(`/api/admin/books/${scene.well.id}?permanent=true`);
  await button(page, "Undo").click();
  await expect(page.getByText("1 book stays as it is: somebody changed or deleted it since.")).toBeVisible();
  await expect(page.getByText("The Deep Well")).toHaveCount(1);
});

test("of one book says that it failed, also on another page", async ({ scene, open }) => {
  const page = await open(`books/${scene.well.id}`);
  await button(page, "Archive").click();
  await expect(button(page, "Undo")).toBeVisible();
  await page.getByRole("link", { name: "Languages", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Languages" })).toBeVisible();
  await page.route(/\/restore$/, (route) => route.fulfill({ status: 503, json: {} }));
  await button(page, "Undo").click();
  await expect(page.getByText("This didn't work")).toBeVisible();
});

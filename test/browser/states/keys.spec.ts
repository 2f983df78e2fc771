/** Shortcuts: what Ctrl+S saves, and layouts of keyboards without Latin letters. */
import type { Page } from "@playwright/test";
import { expect, testOnStandIn } from "../fixtures.ts";
import { go } from "../support/go.ts";
import { keepBook } from "../support/kept.ts";
import { button, field, link } from "../support/locators.ts";
import { BOOK, beginSession } from "../support/records.ts";
import type { StandIn } from "../support/stand-in.ts";

const test = testOnStandIn();

/** The methods of what a page changes from now on. */
function watchChanges(page: Page): string[] {
  const changes: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET") changes.push(request.method());
  });
  return changes;
}

test("Ctrl+S saves the form of the dialog alone, confirms no deletion, and saves nothing unchanged", async ({
  api,
  open,
}) => {
  const { book, translations } = keepBook(api);
  const page = await open(BOOK);
  const changes = watchChanges(page);
  const dialog = page.getByRole("dialog");
  await test.step("nothing was changed", async () => {
    await expect(button(page, "Edit Spanish")).toBeVisible();
    await page.keyboard.press("Control+s");
    await link(page, "Channels").click();
    await button(page, "Remove Children's site").click();
    await expect(dialog).toBeVisible();
    await page.keyboard.press("Control+s");
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    expect(changes).toEqual([]);
  });
  await test.step("two forms were changed", async () => {
    await page.goto(api.base + BOOK);
    const title = page.getByRole("form", { name: "Details" }).getByLabel("Title", { exact: true });
    await title.fill("Typed behind");
    await button(page, "Edit Spanish").click();
    await dialog.getByLabel("Title", { exact: true }).fill("El pozo");
    await page.keyboard.press("Control+s");
    await expect(dialog).toHaveCount(0);
    expect(changes).toEqual(["POST"]);
    await expect(title).toHaveValue("Typed behind");
    expect([book.now.titleEn, translations.get("es")?.now.title]).toEqual(["The Deep Well", "El pozo"]);
  });
});

test("Ctrl+S sends nothing for those who may only look", async ({ api, open }) => {
  beginSession(api, { role: "viewer" });
  const page = await open(BOOK);
  const changes = watchChanges(page);
  await expect(field(page, "Title")).toHaveCount(0);
  await page.keyboard.press("Control+s");
  await link(page, "Languages").click();
  await expect(page.getByRole("heading", { level: 1, name: "Languages", exact: true })).toBeVisible();
  expect(changes).toEqual([]);
});

/** Two books that are published nowhere. @returns what is changed of that */
function addGrid(api: StandIn): unknown[] {
  const changes: unknown[] = [];
  const { channels } = api.example("get /api/admin/channels/matrix");
  const books = ["81", "82"].map((end) => ({
    bookId: `01a1fb60-1a34-772b-a309-dba157e20a${end}`,
    titleEn: `Book ${end}`,
    published: "0",
    available: 1 as const,
  }));
  const pagination = { page: 1, limit: 5000, total: 2, totalPages: 1 };
  api.on("get /api/admin/channels/matrix", () => ({ channels, books, pagination }));
  api.on("put /api/admin/channels/publications", ({ body }) => {
    changes.push(...body.changes);
    return api.example("put /api/admin/channels/publications");
  });
  return changes;
}

/** @returns a function that presses a key as another keyboard does */
async function attachKeyboard(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  return async (key: string, code: string, modifiers: number) => {
    await devtools.send("Input.dispatchKeyEvent", { type: "rawKeyDown", key, code, modifiers });
    await devtools.send("Input.dispatchKeyEvent", { type: "keyUp", key, code, modifiers });
  };
}

test("work on an Arabic keyboard", async ({ api, open }) => {
  keepBook(api);
  const changes = addGrid(api);
  const page = await open("books");
  const press = await attachKeyboard(page);
  const [ctrl, shift] = [2, 8];
  const closeDialog = async () => {
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  };
  await expect(page.getByRole("checkbox", { name: "Select The Deep Well" })).toBeVisible();
  await press("ش", "KeyA", ctrl);
  await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(2);
  await press("ن", "KeyK", ctrl);
  await expect(page.getByRole("combobox", { name: "Page or book" })).toBeVisible();
  await closeDialog();
  await press("؟", "Slash", shift);
  await expect(page.getByRole("cell", { name: "Ctrl+K" })).toBeVisible();
  await closeDialog();
  await press("ظ", "Slash", 0);
  await expect(page.getByRole("searchbox")).toBeFocused();
  await go(page, `${api.base}publications?languageCode=es`);
  await page.locator('[data-row="0"] > [role=gridcell][data-column="0"]').click();
  await expect(page.getByText("All changes are saved.")).toBeVisible();
  await press("ش", "KeyA", ctrl);
  await expect(page.getByText("2 cells selected")).toBeVisible();
  await press("ئ", "KeyZ", ctrl);
  await expect.poll(() => changes).toMatchObject([{ isPublished: true }, { isPublished: false }]);
  await page.goto(api.base + BOOK);
  await page.getByRole("textbox", { name: "Title", exact: true }).fill("Typed");
  await press("س", "KeyS", ctrl);
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
});

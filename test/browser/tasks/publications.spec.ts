/** The grid of publications by mouse and by keyboard, checked in the service afterwards. */
import { readFile } from "node:fs/promises";
import type { Locator } from "@playwright/test";
import { z } from "zod";
import { expect, type Open, testOn } from "../fixtures.ts";
import { cell, readActiveCell } from "../support/grid.ts";
import { button } from "../support/locators.ts";
import { ANY_TITLE, WELL, type WellScene } from "../support/scenes.ts";

const test = testOn(WELL);

const PATH = "publications?languageCode=es";

/** On the channels Website and Newsletter. @returns the page, and the flags of the two books in their order */
async function openGrid(scene: WellScene, open: Open) {
  await scene.make.channel("Newsletter");
  const page = await open(PATH);
  const client = await scene.admin();
  const readFlags = async (languageCode = "es"): Promise<string[]> => {
    const address = `/api/admin/channels/matrix?languageCode=${languageCode}&fields=published`;
    const { body } = await client.get(address);
    return body.books.map(({ published }: { published: string }) => published);
  };
  await expect(cell(page, 0, 0)).toBeVisible();
  return {
    page,
    client,
    readFlags,
    areFlags: (flags: readonly string[], languageCode = "es") =>
      expect.poll(() => readFlags(languageCode)).toEqual(flags),
    isActive: (place: string) => expect.poll(() => readActiveCell(page)).toBe(place),
  };
}

test("publishes by a click, a range by another with Shift, and undoes each", async ({ scene, open }) => {
  const { page, client, areFlags } = await openGrid(scene, open);
  await cell(page, 0, 0).click();
  await expect(page.getByText("All changes are saved.")).toBeVisible();
  await areFlags(["10", "00"]);
  await cell(page, 1, 1).click({ modifiers: ["Shift"] });
  await areFlags(["11", "11"]);
  await button(page, "Undo").click();
  await areFlags(["10", "00"]);
  await page.keyboard.press("Control+z");
  await areFlags(["00", "00"]);
  await test.step("takes back only the changes that the service rejects, and says why", async () => {
    await client.delete(`/api/admin/books/${scene.any.id}`);
    await page.getByRole("columnheader", { name: "Website" }).click();
    await page.keyboard.press("Space");
    await expect(page.getByText("This didn't work")).toBeVisible();
    await areFlags(["10"]);
  });
});

test("publishes a cell, a row, a column and a range by keyboard", async ({ scene, open }) => {
  const { page, areFlags, isActive } = await openGrid(scene, open);
  await button(page, "Save as CSV").focus();
  await page.keyboard.press("Tab");
  await isActive("0,0");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Space");
  await areFlags(["01", "00"]);
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Space");
  await areFlags(["01", "01"]);
  await page.keyboard.press("Shift+Space");
  await isActive("1,-1");
  await page.keyboard.press("Space");
  await areFlags(["01", "11"]);
  await page.keyboard.press("Home");
  await page.keyboard.press("Control+Space");
  await isActive("-1,0");
  await page.keyboard.press("Space");
  await areFlags(["11", "11"]);
});

test("shows titles in the language that is looked at, with the English ones beside them", async ({
  scene,
  open,
}) => {
  const client = await scene.admin();
  await client.post(`/api/admin/books/${scene.well.id}/translations`, {
    languageCode: "ar",
    title: "البئر العميقة",
  });
  const { page } = await openGrid(scene, open);
  const row = page.locator('[data-row="0"]').getByRole("rowheader");
  const title = row.getByRole("link");
  const language = page.getByRole("combobox", { name: "Language" });
  await expect(title).toHaveText("El pozo profundo");
  await expect(title).toHaveAttribute("lang", "es");
  await expect(row.getByText("The Deep Well")).toHaveAttribute("lang", "en");
  await page.getByRole("searchbox").fill("pozo");
  await expect(page.getByRole("rowheader", { name: ANY_TITLE })).toHaveCount(0);
  await page.getByRole("searchbox").fill("");
  await expect(page.getByRole("rowheader", { name: ANY_TITLE })).toHaveCount(1);
  await expect(page.locator('[data-row="1"]').getByRole("link")).toHaveAttribute("lang", "en");
  await language.selectOption("ar");
  await expect(title).toHaveText("البئر العميقة");
  await expect(title).toHaveAttribute("lang", "ar");
  await expect(title).toHaveCSS("direction", "rtl");
});

test("marks what the parent language publishes, and doesn't switch it", async ({ scene, open }) => {
  const { body } = await (await scene.admin()).get("/api/admin/languages");
  const parentId = body.languages.find(({ code }: { code: string }) => code === "es").id;
  await scene.make.language("es-MX", { parentId });
  const { page, readFlags, areFlags } = await openGrid(scene, open);
  await cell(page, 0, 0).click();
  await areFlags(["10", "00"]);
  await page.getByRole("combobox", { name: "Language" }).selectOption("es-MX");
  await page.getByRole("gridcell", { name: "Published by the parent language" }).click();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Space");
  await areFlags(["11", "00"], "es-MX");
  expect(await readFlags()).toEqual(["10", "00"]);
});

test("shows what is on no channel, and keeps it while it is published; saves what is shown as CSV", async ({
  scene,
  open,
}) => {
  const { page, areFlags } = await openGrid(scene, open);
  const row = (title: string) => page.getByRole("rowheader", { name: title });
  await page.getByRole("combobox", { name: "Show" }).selectOption("gaps");
  await expect(row(ANY_TITLE)).toHaveCount(0);
  await cell(page, 0, 1).click();
  await areFlags(["01", "00"]);
  await expect(row("The Deep Well")).toHaveCount(1);
  await page.getByRole("searchbox").fill("nothing like this");
  await button(page, "Clear the filters").click();
  await expect(row(ANY_TITLE)).toBeVisible();
  await page.getByRole("searchbox").fill("well");
  await expect(page).toHaveURL(/search=well/);
  await page.reload();
  await expect(row("The Deep Well")).toBeVisible();
  await expect(row(ANY_TITLE)).toHaveCount(0);
  const [download] = await Promise.all([page.waitForEvent("download"), button(page, "Save as CSV").click()]);
  expect(download.suggestedFilename()).toMatch(/^publications-es-\d{4}-\d\d-\d\d\.csv$/);
  expect(await readFile(await download.path(), "utf8")).toBe(
    `\uFEFFbookId,titleEn,title,available,website,newsletter\r\n${scene.well.id},The Deep Well,El pozo profundo,1,0,1\r\n`,
  );
});

/** Where the mouse is over an element. */
async function middleOf(element: Locator): Promise<[number, number]> {
  const box = await element.boundingBox();
  if (!box) throw new Error("the element isn't shown");
  return [box.x + box.width / 2, box.y + box.height / 2];
}

const isAscending = (numbers: readonly number[]): boolean =>
  numbers.every((number, place) => number > (numbers[place - 1] ?? 0));

test("keeps focus and order of the rows in the document while it is scrolled", async ({ scene, open }) => {
  const books = Array.from({ length: 200 }, (_, number) => ({ titleEn: `Book number ${number}` }));
  await (await scene.admin()).post("/api/admin/books/bulk", { books });
  const { page, isActive } = await openGrid(scene, open);
  await cell(page, 1, 1).click();
  await page.mouse.move(...(await middleOf(cell(page, 3, 0))));
  for (let turn = 0; turn < 6; turn += 1) await page.mouse.wheel(0, 400);
  await expect(cell(page, 70, 0)).toBeVisible();
  await isActive("1,1");
  const readOrder = () =>
    page.evaluate("[...document.querySelectorAll('[role=row]')].map((row) => Number(row.ariaRowIndex))");
  await expect.poll(async () => isAscending(z.array(z.int()).parse(await readOrder()))).toBe(true);
  await isActive("1,1");
  await page.keyboard.press("ArrowDown");
  await isActive("2,1");
  await page.keyboard.press("Control+End");
  await expect(cell(page, 201, 1)).toBeVisible();
  await isActive("201,1");
});

/** What lists show between a choice and the rows that belong to it. */
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { addAuditRows } from "../../support/audit-rows.ts";
import { readCsv } from "../../support/read-csv.ts";
import { expect, testOn } from "../fixtures.ts";
import { takeFile } from "../support/downloads.ts";
import { go } from "../support/go.ts";
import { createHand } from "../support/hands.ts";
import { list } from "../support/locators.ts";
import { ANY_TITLE, READERS } from "../support/scenes.ts";

const test = testOn(READERS);

/** Holds what a page reads from now on. @returns a function that lets it go */
async function hold(page: Page, url: string): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await gate.promise;
    await route.continue();
  });
  return gate.resolve;
}

const loading = (page: Page) => page.locator("#content").getByText("Loading…", { exact: true });
const busy = (page: Page) => page.locator("#content [aria-busy=true]");

const LISTS = [
  ["audit", "**/api/admin/audit?*", "Range", "Yesterday"],
  ["downloads", "**/api/admin/analytics/downloads?*", "Range", "Last month"],
  ["contacts", "**/api/admin/contacts?*", "Marketing", "Allowed"],
  ["books", "**/api/admin/books?*", "Status", "Archived"],
] as const;

async function chooseInList(page: Page, [, url, name, choice]: (typeof LISTS)[number]): Promise<void> {
  const rows = page.locator("#content tbody tr");
  await expect(rows.first()).toBeVisible();
  await expect(busy(page)).toHaveCount(0);
  // Before it, books have a box; the places of an order are shown for the whole list only.
  const cell = rows.first().getByRole("cell").nth(1);
  const former = await cell.innerText();
  expect(former).not.toBe("");
  const release = await hold(page, url);
  const chosen = list(page, name).locator("option:checked");
  await list(page, name).selectOption({ label: choice });
  // While nothing has come.
  await expect(chosen).toHaveText(choice);
  await expect(loading(page)).toBeVisible();
  await expect(busy(page)).toHaveCount(1);
  await expect(cell).toHaveText(former, { useInnerText: true });
  const dimmed = rows.first().locator("xpath=ancestor::*[contains(@class, 'outdated')]");
  await expect(dimmed).toHaveCSS("pointer-events", "none");
  await expect(dimmed).toHaveCSS("filter", /opacity/);
  release();
  await expect(loading(page)).toHaveCount(0);
  await expect(busy(page)).toHaveCount(0);
  await expect(chosen).toHaveText(choice);
}

test("lists keep the choice, and dim the rows of the one before with a word", async ({ scene, open }) => {
  const page = await open("account");
  for (const each of LISTS)
    await test.step(`the list of ${each[0]}`, async () => {
      await go(page, scene.base + each[0]);
      await chooseInList(page, each);
    });
});

test("the next page dims the rows of the one before, and a list without rows is that of the former filters until the next one is there", async ({
  scene,
  open,
}) => {
  await addAuditRows(scene, 60);
  const page = await open("audit");
  const release = await hold(page, "**/api/admin/audit?*");
  const next = page.getByRole("button", { name: "Next page" });
  await next.click();
  await expect(loading(page)).toBeVisible();
  await expect(next).toBeVisible();
  release();
  await expect(loading(page)).toHaveCount(0);
  await page.goto(`${scene.base}audit?range=yesterday&timezone=UTC`);
  await expect(page.getByText("No entry matches.")).toBeVisible();
  const releaseOther = await hold(page, "**/api/admin/audit?*");
  await list(page, "Range").selectOption({ label: "All time" });
  await expect(loading(page)).toBeVisible();
  releaseOther();
  await expect(page.getByText("No entry matches.")).toHaveCount(0);
});

test("panels of the overview save nothing under the name of another range, and say the next steps without downloads", async ({
  scene,
  open,
}) => {
  const page = await open("");
  const save = page.getByRole("button", { name: /save as CSV$/ });
  await expect(save.first()).toBeEnabled();
  const release = await hold(page, "**/api/admin/analytics/**");
  await list(page, "Range").selectOption({ label: "Last 7 days" });
  await expect(list(page, "Range").locator("option:checked")).toHaveText("Last 7 days");
  await expect(loading(page).first()).toBeVisible();
  for (const button of await save.all()) await expect(button).toBeDisabled();
  release();
  await expect(loading(page)).toHaveCount(0);
  await expect(save.first()).toBeEnabled();
  await page.goto(`${scene.base}?startDate=2020-01-01&endDate=2020-01-31&timezone=UTC`);
  await expect(page.getByText("There are no downloads in this range.")).toBeVisible();
  await expect(page.locator("#content canvas")).toHaveCount(0);
  await page.getByRole("link", { name: "Import books and their files" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Import" })).toBeVisible();
});

test("a list of what is missing says of how many books, in the language of the list", async ({ open }) => {
  const page = await open("books?languageCode=es");
  await page.getByRole("button", { name: "More filters" }).click();
  await list(page, "What is missing").selectOption({ label: "File" });
  await expect(list(page, "Missing in")).toHaveValue("es");
  await list(page, "Language").selectOption({ label: "Any language" });
  await expect(page.getByText("1 book has no Spanish file.")).toBeVisible();
  await list(page, "Missing in").selectOption({ label: "Arabic" });
  await expect(page.getByText("2 books have no Arabic file.")).toBeVisible();
  const file = await takeFile(
    createHand("mouse", page),
    page,
    page.getByRole("link", { name: "Export as CSV" }),
  );
  expect(file.suggestedFilename()).toMatch(/^books-without-file-ar-\d{4}-\d\d-\d\d\.csv$/);
  const records = readCsv((await readFile(await file.path(), "utf8")).slice(1));
  expect(records.map((cells) => cells[2]).sort()).toEqual([ANY_TITLE, "The Deep Well", "titleEn"].sort());
});

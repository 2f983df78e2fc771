/** Columns of numbers in the tables of the console. */
import { expect, testOnStandIn } from "../fixtures.ts";
import { go } from "../support/go.ts";

const test = testOnStandIn();

/** The columns with nothing but numbers, as `heading: aligned as they are, heading and cells`. */
const NUMBER_COLUMNS = `[...document.querySelectorAll("#content table")].flatMap((table) =>
  [...table.querySelectorAll("thead th")].flatMap((heading, index) => {
    const column = [...table.querySelectorAll("tbody tr")].map((row) => row.cells[index]);
    if (column.length === 0 || !column.every((cell) => /^\\d[\\d,.]*$/.test(cell.textContent.trim()))) return [];
    return [heading, ...column].map((cell) => {
      const { textAlign, fontVariantNumeric } = getComputedStyle(cell);
      return heading.textContent + ": " + textAlign + " " + fontVariantNumeric;
    });
  }))`;

test("stand at the end of their column, ones below ones, and their heading does, too", async ({
  api,
  open,
}) => {
  const page = await open("books");
  const found: string[] = [];
  for (const path of ["books", "languages", "channels", "contacts", ""]) {
    await go(page, api.base + path);
    await expect(page.locator("#content table").first()).toBeVisible();
    if (path === "") {
      await page.getByRole("button", { name: "Show as a table" }).click();
      await expect(page.getByRole("columnheader", { name: "This range" })).toBeVisible();
    }
    for (const cell of new Set(await page.evaluate<string[]>(NUMBER_COLUMNS))) found.push(cell);
  }
  const names = ["Languages", "Files", "Downloads", "Books", "Files", "Published books", "Downloads"];
  expect(found.slice(0, names.length)).toEqual(names.map((name) => `${name}: end tabular-nums`));
  expect(found).toContain("This range: end tabular-nums");
  expect(found.filter((each) => !each.endsWith(": end tabular-nums"))).toEqual([]);
});

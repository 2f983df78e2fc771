/** The console in a narrow window, as on a phone or at 200 %. */
import { findErrors } from "../../support/looks.ts";
import { expect, testOnStandIn } from "../fixtures.ts";
import { BOOK } from "../support/records.ts";

const test = testOnStandIn();

const WINDOWS = [
  { width: 360, height: 740 },
  { width: 640, height: 400 },
];
const X_OF_FOCUS = "document.activeElement.getBoundingClientRect().right";

for (const viewport of WINDOWS)
  test(`Tab reaches only what is in sight in a window of ${viewport.width}, and the navigation when it is open`, async ({
    open,
  }) => {
    const page = await open("books", { viewport });
    const links = page.getByRole("navigation", { name: "Navigation" }).getByRole("link");
    await expect(links).toHaveCount(0);
    for (let stop = 0; stop < 12; stop += 1) {
      await page.keyboard.press("Tab");
      await expect.poll(() => page.evaluate(X_OF_FOCUS)).toBeGreaterThan(0);
    }
    const burger = page.getByRole("button", { name: "Open or close the navigation" });
    await burger.press("Enter");
    await expect(links.first()).toBeVisible();
    await expect(burger).toHaveAttribute("aria-expanded", "true");
    expect(await findErrors(page)).toEqual([]);
    await links.last().focus();
    await page.keyboard.press("Tab");
    await expect(links).toHaveCount(0);
    await expect(burger).toHaveAttribute("aria-expanded", "false");
  });

test("the list of books begins on the first screen of a phone, and a wide window always shows the navigation", async ({
  open,
}) => {
  const page = await open("books", { viewport: { width: 360, height: 740 } });
  const readTop = async () => (await page.getByRole("link", { name: "The Deep Well" }).boundingBox())?.y;
  await expect.poll(readTop).toBeLessThan(500);
  await page.setViewportSize({ width: 1280, height: 800 });
  const links = page.getByRole("navigation", { name: "Navigation" }).getByRole("link");
  await expect(links.first()).toBeVisible();
});

for (const width of [360, 768])
  test(`the languages of a book are cards in a window of ${width}, and none of their columns is cut`, async ({
    open,
  }) => {
    const page = await open(BOOK, { viewport: { width, height: 800 } });
    const row = page.getByRole("row", { name: /Spanish/ });
    await expect(row).toHaveCSS("display", "grid");
    for (const cell of await row.getByRole("cell").all()) {
      const box = await cell.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? width)).toBeLessThanOrEqual(width);
    }
    await expect(page.getByRole("cell", { name: "pozo.epub" })).toHaveAttribute("data-label", "EPUB");
    await page.getByRole("button", { name: "Menu of Spanish" }).click();
    await expect(page.getByRole("menuitem", { name: "Replace pozo.epub" })).toBeInViewport();
    expect(await findErrors(page)).toEqual([]);
  });

/** What the console keeps in the memory of the browser. */
import { expect, testOnStandIn } from "../fixtures.ts";
import { button } from "../support/locators.ts";

const test = testOnStandIn();

test("gives a filter that is saved in one tab to the other", async ({ api, open }) => {
  const first = await open("books?search=well");
  const second = await first.context().newPage();
  await second.goto(`${api.base}books`);
  await expect(second.getByRole("link", { name: "The Deep Well" })).toBeVisible();
  await button(first, "Saved filters").click();
  await first.getByRole("menuitem", { name: "Save these filters…" }).click();
  await first.getByRole("textbox", { name: "Name" }).fill("Wells");
  await button(first, "Save").click();
  await button(second, "Saved filters").click();
  await expect(second.getByRole("menuitemradio", { name: "Wells", exact: true })).toBeVisible();
});

test("isn't needed where the browser keeps nothing", async ({ api, open }) => {
  const page = await open("books");
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, "localStorage", {
      get() {
        throw new DOMException("denied", "SecurityError");
      },
    });
  });
  await page.goto(`${api.base}contacts?range=last7Days`);
  await page.getByRole("combobox", { name: "Time zone" }).selectOption("Africa/Nairobi");
  await expect(page).toHaveURL(/timezone=Africa/);
  await page.goto(`${api.base}account`);
  await page.getByRole("combobox", { name: "Language" }).selectOption("ar");
  await expect(page.locator("html[lang=ar]")).toBeAttached();
  await expect(page.locator("#content h1")).toBeVisible();
});

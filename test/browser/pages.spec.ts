/** Every page of the console in the looks of test/support/looks.ts. */
import { CONSOLE_PAGES } from "../../src/http/console.ts";
import { ALL_VARIANTS } from "../support/all-variants.ts";
import { PASSWORD } from "../support/factory.ts";
import { choosing, findErrors, LOOKS, nameOf, seenIn } from "../support/looks.ts";
import { expect, testOn } from "./fixtures.ts";
import { go } from "./support/go.ts";
import { ADMINISTRATION, type AdministrationScene } from "./support/scenes.ts";

const test = testOn(ADMINISTRATION);

const listPaths = ({ well, any, readers }: AdministrationScene) => [
  ...CONSOLE_PAGES.filter((page) => page !== "reset").flatMap((page) => {
    if (page === "books/{bookId}") return [well, any].map(({ id }) => `books/${id}`);
    return page === "contacts/{contactId}" ? `contacts/${readers.omar}` : page;
  }),
  "books?missing=file",
  `books/${well.id}?readers=ar`,
  "downloads?includeBots=true",
  "nothing",
];

for (const look of LOOKS)
  test(`shows pages without accessibility errors and sideways scrolling in ${nameOf(look)}`, async ({
    scene,
    open,
  }) => {
    test.slow(ALL_VARIANTS, "it sees three times as much");
    const { base } = scene;
    const found: Record<string, unknown> = {};
    const page = await open("languages", { ...choosing(look), as: "stranger" });
    const check = async (name: string) => {
      const errors = await findErrors(page);
      if ((await page.locator("h1").count()) !== 1) errors.push("has not one heading");
      if (errors.length > 0) found[name] = errors;
    };
    await expect(page).toHaveURL(`${base}languages`);
    await expect(page.locator("html")).toHaveAttribute("dir", look.locale === "ar" ? "rtl" : "ltr");
    await check("log-in");
    await page.locator("input[type=email]").fill(scene.email);
    await page.locator("input[type=password]").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await expect(page.locator("#content h1")).toBeVisible();
    for (const path of seenIn(look, listPaths(scene), 2)) {
      await go(page, base + path);
      await check(path);
    }
    expect(found).toEqual({});
  });

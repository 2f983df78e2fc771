/** Every page of the console in two languages, two widths and two colours. */
import { PASSWORD } from "../support/factory.ts";
import { choosing, findErrors, LOOKS } from "../support/looks.ts";
import { expect, testOn } from "./fixtures.ts";
import { go } from "./support/go.ts";
import { ADMINISTRATION } from "./support/scenes.ts";

const test = testOn(ADMINISTRATION);

for (const look of LOOKS.flatMap(({ locale, looks }) => looks.map((each) => ({ locale, ...each })))) {
  const { locale, width, colorScheme } = look;

  test(`shows each page without accessibility errors and sideways scrolling in ${locale}, ${width} wide, ${colorScheme}`, async ({
    scene,
    open,
  }) => {
    const { base, well, any, readers } = scene;
    const found: Record<string, unknown> = {};
    const page = await open("languages", { ...choosing({ locale, looks: [look] }), as: "stranger" });
    const check = async (name: string) => {
      const errors = await findErrors(page);
      if ((await page.locator("h1").count()) !== 1) errors.push("has not one heading");
      if (errors.length > 0) found[name] = errors;
    };
    await expect(page).toHaveURL(`${base}languages`);
    await expect(page.locator("html")).toHaveAttribute("dir", locale === "ar" ? "rtl" : "ltr");
    await check("log-in");
    await page.locator("input[type=email]").fill(scene.email);
    await page.locator("input[type=password]").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await expect(page.locator("#content h1")).toBeVisible();
    for (const path of [
      "",
      "books?missing=file",
      `books/${well.id}`,
      `books/${well.id}?readers=ar`,
      `books/${any.id}`,
      "languages",
      "channels",
      "library",
      "publications",
      "import",
      "contacts",
      `contacts/${readers.omar}`,
      "downloads",
      "downloads?includeBots=true",
      "api-keys",
      "users",
      "audit",
      "settings",
      "doctor",
      "account",
      "nothing",
    ]) {
      await go(page, base + path);
      await check(path);
    }
    expect(found).toEqual({});
  });
}

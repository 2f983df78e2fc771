/** The lists of languages and channels in the console: where they lead, and names that are corrected. */
import { expect, testOn } from "../fixtures.ts";
import { button, link } from "../support/locators.ts";
import { ANY_TITLE, WELL } from "../support/scenes.ts";

const test = testOn(WELL);

test("lead from a language to the books that have something in it, under its corrected name", async ({
  open,
}) => {
  const page = await open("languages");
  await link(page, "Books in Spanish: 1").click();
  await expect(page).toHaveURL(/books\?languageCode=es/);
  await expect(page.getByText("1 book", { exact: true })).toBeVisible();
  await expect(link(page, "The Deep Well")).toBeVisible();
  await page.goBack();
  await button(page, "Edit Spanish").click();
  await page.getByRole("textbox", { name: "Name in English" }).fill("Castilian");
  await page.keyboard.press("Enter");
  await expect(button(page, "Edit Castilian")).toBeVisible();
  await expect(page.getByText("Spanish")).toHaveCount(0);
  await link(page, "Books in Castilian: 1").click();
  await page.getByRole("combobox", { name: "Language", exact: true }).selectOption("Castilian");
  const arabic = await open("languages", { locale: "ar" });
  await expect(arabic.getByText("Castilian", { exact: true })).toBeVisible();
  await expect(arabic.getByText("العربية", { exact: true }).first()).toBeVisible();
});

test("lead from a channel to the books on it, and the list draws covers of books that have none", async ({
  scene,
  open,
}) => {
  const { body } = await (await scene.admin()).get("/api/admin/languages");
  const es = body.languages.find(({ code }: { code: string }) => code === "es");
  const { id } = await scene.make.channel("Radio");
  await scene.make.publish(scene.well.id, id, es.id);
  const page = await open("channels");
  await link(page, "Books published on Radio: 1").click();
  await expect(page).toHaveURL(/books\?channel=radio/);
  await expect(page.getByText("1 book", { exact: true })).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Published on" })).toHaveValue("radio");
  await page.goto(`${scene.base}books`);
  const cover = page.getByRole("row", { name: ANY_TITLE }).locator("img");
  await expect
    .poll(() => cover.evaluate((image) => "naturalWidth" in image && image.naturalWidth))
    .toBeGreaterThan(0);
});

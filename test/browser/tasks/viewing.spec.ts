/** What those who may only look are offered in the console: no change. */
import { expect, testOn } from "../fixtures.ts";
import { go } from "../support/go.ts";
import { WELL } from "../support/scenes.ts";

const test = testOn(WELL);

test("a viewer is offered no change of a book, no publication and no upload", async ({ scene, open }) => {
  const { base, well } = scene;
  const page = await open(`books/${well.id}`, { as: "viewer" });
  await test.step("a book", async () => {
    await expect(page.getByRole("cell", { name: /El pozo profundo/ })).toBeVisible();
    await expect(page.getByRole("definition").getByText("The Deep Well")).toBeVisible();
    const controls = page.locator("#content").locator("button, input, textarea");
    await expect(controls).toHaveText(["Show the links"]);
  });
  await test.step("publications", async () => {
    await go(page, `${base}publications?languageCode=es`);
    await page.locator('[data-row="0"] > [role=gridcell][data-column="0"]').click();
    await page.keyboard.press("Space");
    await expect(page.getByRole("button", { name: "Publish" })).toHaveCount(0);
    const address = "/api/admin/channels/matrix?languageCode=es&fields=published";
    const { body } = await (await scene.admin()).get(address);
    expect(body.books.map(({ published }: { published: string }) => published)).toEqual(["0", "0"]);
  });
  await test.step("uploads", async () => {
    await go(page, `${base}import`);
    const isRefused = page.getByText("Your account doesn't have the permission for this page.");
    await expect(isRefused).toBeVisible();
    await expect(page.locator("input[type=file]")).toHaveCount(0);
  });
});

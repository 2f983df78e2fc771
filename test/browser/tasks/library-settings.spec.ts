/** What an administrator makes of the library, and what readers see of it. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createPicture } from "../../support/covers.ts";
import { expect, testOn } from "../fixtures.ts";
import { chooseFile } from "../support/choose-file.ts";
import { WELL } from "../support/scenes.ts";

const test = testOn(WELL);

test("gets a name, a text and a logo, which readers see at once, and loses the logo again", async ({
  scene,
  open,
  folder,
}) => {
  const page = await open("library");
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const readPage = async () => String((await scene.api.get("/library", { Accept: "text/html" })).body);
  await test.step("a name", async () => {
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Village Library");
    await button("Save the settings").click();
    await expect(button("Save the settings")).toBeDisabled();
    await expect.poll(readPage).toContain("Village Library");
  });
  await test.step("a text", async () => {
    await page.getByRole("textbox", { name: "Text at the end of pages" }).fill("<b>Write</b> to us");
    await button("Save the texts").click();
    await expect(button("Save the texts")).toBeDisabled();
    await expect(page.getByRole("textbox", { name: "Name in this language" })).toHaveAttribute(
      "placeholder",
      "Village Library",
    );
  });
  await test.step("a logo", async () => {
    const path = join(folder, "logo.png");
    await writeFile(path, await createPicture("red", { width: 320, height: 80, type: "png" }));
    await chooseFile(button("Choose a logo"), path);
    await expect(page.getByRole("img", { name: "Logo" })).toBeVisible();
    await expect.poll(readPage).toMatch(/library\/logo-[0-9a-f]+\.png/);
  });
  await test.step("no logo", async () => {
    await button("Remove the logo").click();
    await button("Remove").click();
    await expect(page.getByText("The logo was removed.")).toBeVisible();
    await expect(page.getByText("There is no logo")).toBeVisible();
  });
});

/** The lists of languages and channels in the console, and dialogs in a narrow window. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../support/chromium.ts";
import { ANY_TITLE, openConsole, startConsole, useBrowser } from "../support/console-scene.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** How far an open dialog scrolls sideways. */
const SIDEWAYS =
  "(() => { const dialog = document.querySelector('[role=dialog]'); return dialog.scrollWidth - dialog.clientWidth; })()";

describe.skipIf(CHROMIUM === undefined)("languages and channels (need /usr/bin/chromium)", () => {
  const browser = useBrowser();

  it("lead from a language to the books that have something in it", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, "languages");
    await page.getByRole("link", { name: "Books in Spanish: 1" }).click();
    await page.waitForURL(/books\?languageCode=es/);
    await page.getByText("1 book", { exact: true }).waitFor();
    await page.getByRole("link", { name: "The Deep Well" }).waitFor();
  });

  it("show the corrected name of a language at once, also on other pages and in Arabic", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, "languages");
    await button(page, "Edit Spanish").click();
    await page.getByRole("textbox", { name: "Name in English" }).fill("Castilian");
    await page.keyboard.press("Enter");
    await button(page, "Edit Castilian").waitFor();
    await expect.poll(() => page.getByText("Spanish").count()).toBe(0);
    await page.getByRole("link", { name: "Books in Castilian: 1" }).click();
    await page.getByRole("combobox", { name: "Language", exact: true }).selectOption("Castilian");
    const arabic = await openConsole(browser, scene, "languages", { locale: "ar" });
    await arabic.getByText("Castilian", { exact: true }).waitFor();
    await arabic.getByText("العربية", { exact: true }).first().waitFor();
  });

  it("lead from a channel to the books that are published on it", async () => {
    const scene = await startConsole();
    const { body } = await (await scene.admin()).get("/api/admin/languages");
    const es = body.languages.find(({ code }: { code: string }) => code === "es");
    const { id } = await scene.make.channel("Radio");
    await scene.make.publish(scene.well.id, id, es.id);
    const page = await openConsole(browser, scene, "channels");
    await page.getByRole("link", { name: "Books published on Radio: 1" }).click();
    await page.waitForURL(/books\?channel=radio/);
    await page.getByText("1 book", { exact: true }).waitFor();
    await expect.poll(() => page.getByRole("combobox", { name: "Published on" }).inputValue()).toBe("radio");
  });

  it("show a drawn cover of a book that readers don't find", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, "books");
    const cover = page.getByRole("row", { name: ANY_TITLE }).locator("img");
    await expect
      .poll(() => cover.evaluate((image) => "naturalWidth" in image && image.naturalWidth), {
        timeout: 15_000,
      })
      .toBeGreaterThan(0);
  });

  it.each([360, 1440])("open dialogs in the middle of a window of %i pixels", async (width) => {
    const scene = await startConsole();
    await scene.make.channel("A channel with a name that is much too long for one line of a phone");
    const page = await openConsole(browser, scene, `books/${scene.well.id}`, {
      viewport: { width, height: 800 },
    });
    await button(page, "Edit Spanish").click();
    const dialog = page.getByRole("dialog");
    const box = await dialog.boundingBox();
    expect(box && Math.abs(box.x + box.width / 2 - width / 2)).toBeLessThan(10);
    await dialog.getByText("A channel with a name").waitFor();
    await expect.poll(() => page.evaluate(SIDEWAYS)).toBe(0);
  });
});

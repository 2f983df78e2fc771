/** Shortcuts: what Ctrl+S saves, and layouts of keyboards without Latin letters. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../support/chromium.ts";
import { openConsole, startConsole, useBrowser } from "../support/console-scene.ts";
import { hasFocus } from "../support/keyboard.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** The methods of what a page changes from now on. */
function watchChanges(page: Page): string[] {
  const changes: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET") changes.push(request.method());
  });
  return changes;
}

describe.skipIf(CHROMIUM === undefined)("keys (needs /usr/bin/chromium)", () => {
  const browser = useBrowser();

  it("Ctrl+S saves the form of the dialog, and not the one behind it", async () => {
    const scene = await startConsole();
    const admin = await scene.admin();
    const page = await openConsole(browser, scene, `books/${scene.well.id}`);
    const title = page.getByRole("form", { name: "Details" }).getByLabel("Title", { exact: true });
    await title.fill("Typed behind");
    await button(page, "Edit Spanish").click();
    await page.getByRole("dialog").getByLabel("Title", { exact: true }).fill("El pozo");
    const changes = watchChanges(page);
    await page.keyboard.press("Control+s");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(changes).toEqual(["POST"]);
    await expect.poll(() => title.inputValue()).toBe("Typed behind");
    const { body } = await admin.get(`/api/admin/books/${scene.well.id}`);
    expect([body.book.titleEn, body.translations[0].title]).toEqual(["The Deep Well", "El pozo"]);
  });

  it("Ctrl+S confirms no deletion, and saves nothing that wasn't changed", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, `books/${scene.well.id}`);
    const changes = watchChanges(page);
    await button(page, "Edit Spanish").waitFor();
    await page.keyboard.press("Control+s");
    await page.getByRole("link", { name: "Channels", exact: true }).click();
    await button(page, "Remove Website").click();
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Control+s");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(changes).toEqual([]);
  });

  it("Ctrl+S sends nothing for those who may only look", async () => {
    const scene = await startConsole();
    const { email } = await scene.make.user("viewer");
    const page = await openConsole(browser, { ...scene, email }, `books/${scene.well.id}`);
    const changes = watchChanges(page);
    await page.getByRole("textbox", { name: "Title", exact: true }).waitFor({ state: "detached" });
    await page.keyboard.press("Control+s");
    await page.getByRole("link", { name: "Languages", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Languages", exact: true }).waitFor();
    expect(changes).toEqual([]);
  });

  it("work on an Arabic keyboard", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, "books");
    const devtools = await page.context().newCDPSession(page);
    const press = async (key: string, code: string, modifiers: number) => {
      await devtools.send("Input.dispatchKeyEvent", { type: "rawKeyDown", key, code, modifiers });
      await devtools.send("Input.dispatchKeyEvent", { type: "keyUp", key, code, modifiers });
    };
    const [ctrl, shift] = [2, 8];
    const closeDialog = async () => {
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    };
    await page.getByRole("checkbox", { name: "Select The Deep Well" }).waitFor();
    await press("ش", "KeyA", ctrl);
    await expect.poll(() => page.getByRole("checkbox", { checked: true }).count()).toBe(3);
    await press("ن", "KeyK", ctrl);
    await page.getByRole("combobox", { name: "Page or book" }).waitFor();
    await closeDialog();
    await press("؟", "Slash", shift);
    await page.getByRole("cell", { name: "Ctrl+K" }).waitFor();
    await closeDialog();
    await press("ظ", "Slash", 0);
    await expect.poll(() => hasFocus(page, page.getByRole("searchbox"))).toBe(true);
    await page.goto(`${scene.base}publications?languageCode=es`);
    await page.locator('[data-row="0"] > [role=gridcell][data-column="0"]').click();
    await page.getByText("All changes are saved.").waitFor();
    await press("ش", "KeyA", ctrl);
    await page.getByText("2 cells selected").waitFor();
    const [undone] = await Promise.all([
      page.waitForRequest((request) => request.method() === "PUT"),
      press("ئ", "KeyZ", ctrl),
    ]);
    expect(undone.postData()).toContain('"isPublished":false');
    await page.goto(`${scene.base}books/${scene.well.id}`);
    await page.getByRole("textbox", { name: "Title", exact: true }).fill("Typed");
    await press("س", "KeyS", ctrl);
    await page.getByText("Saved", { exact: true }).waitFor();
  });
});

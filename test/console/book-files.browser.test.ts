/** Files of a book in the console, chosen or dropped at their places: none is lost without a word. */
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../support/chromium.ts";
import { openConsole, startConsole, useBrowser } from "../support/console-scene.ts";
import { createPicture } from "../support/covers.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Chooses a file on the disk, as a person does: the browser compares its path with that of the one before. */
async function choose(page: Page, opener: string, path: string): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), button(page, opener).click()]);
  await chooser.setFiles(path);
}

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");

describe.skipIf(CHROMIUM === undefined)("files of a book (need /usr/bin/chromium)", () => {
  const browser = useBrowser();

  async function openBook() {
    const scene = await startConsole();
    const admin = await scene.admin();
    const page = await openConsole(browser, scene, `books/${scene.well.id}`);
    const read = async () => (await admin.get(`/api/admin/books/${scene.well.id}`)).body;
    return { ...scene, page, read };
  }

  it("can be chosen again under the same name after they were corrected", async () => {
    const { page, read } = await openBook();
    const path = join(createTempFolder(), "book.txt");
    for (const text of ["Otra vez", "Otra vez, sin errores"]) {
      await writeFile(path, text);
      await choose(page, "Replace book.txt", path);
      await expect.poll(async () => (await read()).files[0].sha256).toBe(hash(text));
    }
  });

  it("can be chosen again after they were rejected, covers too", async () => {
    const { page } = await openBook();
    const path = join(createTempFolder(), "cover.png");
    await writeFile(path, "no picture");
    await choose(page, "Choose a cover", path);
    await page.getByText("This didn't work").waitFor();
    await writeFile(path, await createPicture("green"));
    await choose(page, "Choose a cover", path);
    await page.getByText("Saved", { exact: true }).waitFor();
  });

  it("can be chosen again after they were taken out of the list of files to add", async () => {
    const { page } = await openBook();
    const path = join(createTempFolder(), "uno.es.txt");
    await writeFile(path, "Uno");
    for (let time = 1; time <= 2; time += 1) {
      await choose(page, "Choose files", path);
      await page.getByText("1 of 1 file is examined.").waitFor();
      await button(page, "Remove all files").click();
      await page.getByText("1 of 1 file is examined.").waitFor({ state: "detached" });
    }
  });
});

/** The page Import: a folder is chosen, and what is on the page then. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { createTitledEpub } from "../../support/book-files.ts";

/** @param name of the button, in another language */
export async function chooseFolder(page: Page, folder: string, name = "Choose a folder"): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name }).click(),
  ]);
  await chooser.setFiles(folder);
}

export const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
export const storeButton = (page: Page) => page.getByRole("button", { name: /^Store \d+ files?$/ });
/** The newest import of the service, in the list of the page. */
export const newest = (page: Page) => page.getByRole("article", { name: /^Import of / }).first();

/**
 * Stores what the page offers, and waits for the end of the import. By the number of those that are done: under a test's
 * clock, imports are made at the same time, and none of them is the first in the list.
 * @param name of the button
 */
export async function storeAll(page: Page, name: string | RegExp = /^Store \d+ files?$/): Promise<void> {
  const done = page.getByRole("article").getByText("Done", { exact: true });
  const before = await done.count();
  await page.getByRole("button", { name, exact: typeof name === "string" }).click();
  await expect(done).toHaveCount(before + 1);
}

export const leftOut = (page: Page) => page.getByRole("region", { name: /^Left out/ });

/** So many books with an EPUB each in two languages. @returns the folder */
export async function makeTales(folder: string, books: number): Promise<string> {
  const library = join(folder, "tales");
  for (const code of ["es", "bo"]) {
    await mkdir(join(library, code), { recursive: true });
    for (let book = 1; book <= books; book += 1)
      await writeFile(
        join(library, code, `tale-${book}.epub`),
        await createTitledEpub(`Tale ${book} in ${code}`, code),
      );
  }
  return library;
}

/** Uploads of folders and files in the console, checked in the service afterwards. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { createTitledEpub } from "../support/book-files.ts";
import { CHROMIUM } from "../support/chromium.ts";
import { type ConsoleScene, logIn, openConsole, startConsole, useBrowser } from "../support/console-scene.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const EXAMINE = "**/api/admin/files/examine";

/** A folder with so many books in each language, in folders of their languages. */
async function makeFolder(books: number, languages: readonly string[]): Promise<string> {
  const folder = createTempFolder();
  for (const code of languages) {
    await mkdir(join(folder, code));
    for (let book = 1; book <= books; book += 1)
      await writeFile(
        join(folder, code, `tale-${book}.epub`),
        await createTitledEpub(`Tale ${book} in ${code}`, code),
      );
  }
  return folder;
}

const dropFolder = (page: Page, folder: string) =>
  page.locator("input[webkitdirectory]").setInputFiles(folder);

const examined = (page: Page, files: number) =>
  page.getByText(`${files} of ${files} files are examined.`).waitFor({ timeout: 50_000 });

async function readCatalogue(scene: ConsoleScene) {
  const admin = await scene.admin();
  const { body } = await admin.get("/api/admin/books?search=tale&limit=200");
  return body.books
    .map(({ slug, filesCount }: { slug: string; filesCount: number }) => [slug, filesCount])
    .sort();
}

describe.skipIf(CHROMIUM === undefined)("uploads (need /usr/bin/chromium or CHROMIUM_PATH)", () => {
  const browser = useBrowser();

  it("store what was corrected, and leave out what was taken out", async () => {
    const scene = await startConsole();
    const folder = await makeFolder(2, ["es"]);
    const page = await openConsole(browser, scene, "import");
    await dropFolder(page, folder);
    const root = folder.split("/").at(-1);
    const path = (book: number) => `${root}/es/tale-${book}.epub`;
    const format = page.getByRole("combobox", { name: `Format of ${path(1)}` });
    await expect.poll(() => format.inputValue()).toBe("epub");
    await page.getByRole("textbox", { name: `Title of ${path(1)}` }).fill("Un cuento");
    await page.getByRole("combobox", { name: `Language of ${path(1)}` }).selectOption("ar");
    await page.getByRole("textbox", { name: `Book of ${path(1)}` }).fill("A corrected tale");
    await page.getByRole("button", { name: "Remove all files" }).click();
    await page.getByText("What you corrected and didn't store is lost.").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("checkbox", { name: `Store ${path(2)}` }).uncheck();
    await page.getByRole("button", { name: "Store 1 file" }).click();
    await page.getByText("1 file was stored.").waitFor();
    expect(await readCatalogue(scene)).toEqual([["a-corrected-tale", 1]]);
    const published = await scene.api.get("/api/books?languageCode=ar&search=tale");
    expect(published.body.books[0]).toMatchObject({ title: "Un cuento", titleEn: "A corrected tale" });
  });

  it("add files to the book on which they are dropped", async () => {
    const scene = await startConsole();
    const folder = await makeFolder(1, ["es", "ar"]);
    const page = await openConsole(browser, scene, `books/${scene.any.id}`);
    await dropFolder(page, folder);
    await page.getByRole("button", { name: "Store 2 files" }).click();
    await page.getByText("2 files were stored.").waitFor();
    const { body } = await (await scene.admin()).get(`/api/admin/books/${scene.any.id}`);
    expect(body.files.map(({ languageCode }: { languageCode: string }) => languageCode).sort()).toEqual([
      "ar",
      "es",
    ]);
  });

  it("go on after a broken line and a busy server", async () => {
    const scene = await startConsole();
    const folder = await makeFolder(3, ["es"]);
    const page = await openConsole(browser, scene, "import");
    const answers = [429, 500, 503];
    let isBroken = false;
    await page.route(EXAMINE, (route) => {
      const status = answers.pop();
      if (status)
        return route.fulfill({ status, json: { status, code: "x" }, headers: { "Retry-After": "1" } });
      if (isBroken) return route.continue();
      isBroken = true;
      return route.abort();
    });
    await dropFolder(page, folder);
    await page.getByText("Waiting for the server").first().waitFor();
    await examined(page, 3);
    await page.getByRole("button", { name: "Store 3 files" }).click();
    await page.getByText("3 files were stored.").waitFor();
  });

  it("that the account may not send fail with the reason, and can be tried again", async () => {
    const scene = await startConsole();
    const folder = await makeFolder(1, ["es"]);
    const page = await openConsole(browser, scene, "import");
    const refusal = { status: 403, json: { status: 403, code: "permission_missing" } };
    await page.route(EXAMINE, (route) => route.fulfill(refusal), { times: 1 });
    await dropFolder(page, folder);
    // With the file, and in the list of what is left out.
    await page.getByText("Your account doesn't have the permission for this.").first().waitFor();
    await page.getByRole("button", { name: "Try failed files again" }).click();
    await page.getByRole("button", { name: "Store 1 file" }).waitFor();
  });

  it("wait while the session has ended, and go on after the next log-in", async () => {
    const scene = await startConsole();
    const folder = await makeFolder(3, ["es"]);
    const page = await openConsole(browser, scene, "import");
    await page.locator("input[webkitdirectory]").waitFor({ state: "attached" });
    await page.context().clearCookies();
    await dropFolder(page, folder);
    await page.getByRole("dialog").waitFor();
    await logIn(page, scene.email);
    await examined(page, 3);
    await page.getByRole("button", { name: "Store 3 files" }).waitFor();
  });

  it("name what can't be a book, with the reason", async () => {
    const scene = await startConsole();
    const folder = await makeFolder(1, ["es"]);
    await writeFile(join(folder, "notes.epub"), "Not an EPUB");
    const page = await openConsole(browser, scene, "import");
    await dropFolder(page, folder);
    await examined(page, 2);
    await page.getByRole("checkbox", { name: /notes\.epub/ }).waitFor();
    await expect.poll(() => page.getByRole("checkbox", { name: /notes\.epub/ }).isChecked()).toBe(false);
    await page.getByRole("button", { name: "Store 1 file" }).waitFor();
  });

  it("don't send a file that is larger than the service takes, and go on with the others", async () => {
    const scene = await startConsole();
    const folder = await makeFolder(1, ["es"]);
    await writeFile(join(folder, "large.txt"), Buffer.alloc(100_000, "A line.\n"));
    const page = await openConsole(browser, scene, "import");
    await page.route("**/api/auth/session", async (route) => {
      const response = await route.fetch();
      const session = await response.json();
      await route.fulfill({
        response,
        json: { ...session, limits: { ...session.limits, maxUploadBytes: 50_000 } },
      });
    });
    await dropFolder(page, folder);
    await page.getByText("The file is too large: the server takes at most 50 kB.").first().waitFor();
    await page.getByText("1 file failed.").waitFor();
    await page.getByRole("button", { name: "Store 1 file" }).waitFor();
  });

  it("aren't offered to those who may only look", async () => {
    const scene = await startConsole();
    const { email } = await scene.make.user("viewer");
    const page = await openConsole(browser, { ...scene, email }, "import");
    await page.getByText("Your account doesn't have the permission for this page.").waitFor();
    await expect.poll(() => page.locator("input[type=file]").count()).toBe(0);
  });
});

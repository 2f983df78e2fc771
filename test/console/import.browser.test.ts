/** Imports in the console: what is written equals what the command writes, whatever interrupts it. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { startApp } from "../support/app.ts";
import { createTitledEpub, writeFiles } from "../support/book-files.ts";
import { CHROMIUM } from "../support/chromium.ts";
import { logIn, openConsole, useBrowser } from "../support/console-scene.ts";
import { createPicture } from "../support/covers.ts";
import { exportAll, runImport } from "../support/import-scene.ts";
import { pressUntil } from "../support/keyboard.ts";
import { makeMessyFolder } from "../support/messy-folder.ts";
import { createMetadataReader } from "../support/metadata-reader.ts";
import { createTxt } from "../support/stored-files.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { createXlsx, rowOf } from "../support/xlsx.ts";

const EXAMINE = "**/api/admin/files/examine";
const ADD_FILE = /\/api\/admin\/books\/[^/]+\/files$/;
const PLANS = "**/api/admin/imports/plans";
const BULK = "**/api/admin/books/bulk";

const reader = createMetadataReader();

/** A service without books and languages. */
async function startEmpty() {
  const app = await startApp();
  // A browser drops the cookie of a session that has ended by its own clock.
  app.clock.advance(Date.now() - app.clock.now());
  const { email } = await app.make.user("admin");
  const address = app.server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return { ...app, email, base: `http://127.0.0.1:${address.port}/console/` };
}

type Scene = Awaited<ReturnType<typeof startEmpty>>;

/** What the command writes of a folder into an empty service. */
async function exportAsCommand(folder: string) {
  const app = await startApp();
  await runImport(app, folder, { reader });
  return exportAll(app);
}

async function chooseFolder(page: Page, folder: string): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose a folder" }).click();
  await (await chooser).setFiles(folder);
}

const storeButton = (page: Page) => page.getByRole("button", { name: /^Store \d+ files?$/ });
const leftOut = (page: Page) => page.getByRole("region", { name: /^Left out/ });

/** So many books with an EPUB each in two languages. */
async function makeFolder(books: number): Promise<string> {
  const folder = createTempFolder();
  for (const code of ["es", "bo"]) {
    await mkdir(join(folder, code));
    for (let book = 1; book <= books; book += 1)
      await writeFile(
        join(folder, code, `tale-${book}.epub`),
        await createTitledEpub(`Tale ${book} in ${code}`, code),
      );
  }
  return folder;
}

const countFiles = async ({ admin }: Scene): Promise<[string, number][]> => {
  const { body } = await (await admin()).get("/api/admin/books?limit=200&status=all");
  return body.books.map((book: { slug: string; filesCount: number }) => [book.slug, book.filesCount]).sort();
};

const expectedTales = (books: number) =>
  Array.from({ length: books }, (_, index) => [`tale-${index + 1}`, 2]).sort();

describe.skipIf(CHROMIUM === undefined)("imports (need /usr/bin/chromium or CHROMIUM_PATH)", () => {
  const browser = useBrowser();

  it("write a folder without a catalogue as the command does, and list what is left out", async () => {
    const folder = createTempFolder();
    await makeMessyFolder(folder);
    const scene = await startEmpty();
    const page = await openConsole(browser, scene, "import");
    const sent: string[] = [];
    await page.route(EXAMINE, (route) => {
      sent.push(/filename="([^"]+)"/.exec(route.request().postData() ?? "")?.[1] ?? "");
      return route.continue();
    });
    await chooseFolder(page, folder);
    await storeButton(page).waitFor();
    await page.getByText("These languages are new, and are created:").waitFor();
    await expect.poll(() => page.getByText("Tibetan").count()).toBeGreaterThan(0);
    await storeButton(page).click();
    await page.getByText("Done.", { exact: true }).waitFor({ timeout: 60_000 });
    expect(await exportAll(scene)).toEqual(await exportAsCommand(folder));
    for (const name of ["README.txt", "photo.heic", "story.doc", "photo.jpg", "notes"])
      expect(sent).not.toContain(name);
    const csv = await Promise.all([
      page.waitForEvent("download"),
      leftOut(page).getByRole("button", { name: "Save as CSV" }).click(),
    ]);
    expect(csv[0].suggestedFilename()).toMatch(/^left-out-\d{4}-\d\d-\d\d\.csv$/);
    await leftOut(page)
      .getByText("It is a text about the collection.")
      .or(page.getByText("Next"))
      .first()
      .waitFor();
  }, 180_000);

  it("write a folder by keyboard alone", async () => {
    const folder = await makeFolder(2);
    const scene = await startEmpty();
    const page = await openConsole(browser, scene, "import");
    const chooser = page.waitForEvent("filechooser");
    await pressUntil(page, "Tab", page.getByRole("button", { name: "Choose a folder" }));
    await page.keyboard.press("Enter");
    await (await chooser).setFiles(folder);
    await storeButton(page).waitFor();
    const root = folder.split("/").at(-1);
    const title = page.getByRole("textbox", { name: `Title of ${root}/es/tale-1.epub` });
    await pressUntil(page, "Tab", title);
    await page.keyboard.press("Control+A");
    await page.keyboard.type("Un cuento");
    await pressUntil(page, "Tab", page.getByRole("checkbox", { name: `Store ${root}/es/tale-2.epub` }));
    await page.keyboard.press("Space");
    await pressUntil(page, "Tab", page.getByRole("button", { name: "Store 3 files" }));
    await page.keyboard.press("Enter");
    await page.getByText("3 files were stored.").waitFor();
    await leftOut(page).getByText("You have taken it out.").waitFor();
    expect(await countFiles(scene)).toEqual([
      ["tale-1", 2],
      ["tale-2", 1],
    ]);
  }, 60_000);

  it("write a workbook with its texts, languages and covers as the command does, and send nothing again", async () => {
    const folder = createTempFolder();
    const rows = [
      ["slug", "title_en", "language", "title", "file", "cover", "authors", "tags"],
      ["well", "The Well", "Tibetan", "ཁྲོན་པ།", "1.txt", "well.jpg", "Ana; Ben", "water"],
      ["moon", "The Moon", "Spanish", "La luna", "", "", "", ""],
      ["hill", "The Hill", "es", "", "missing.epub", "", "", ""],
    ];
    writeFiles(folder, {
      "catalogue.xlsx": await createXlsx({
        rows: rows.map((row, index) => rowOf(index + 1, row)).join(""),
      }),
      "1.txt": createTxt("A well."),
      "well.jpg": await createPicture("red"),
      "README.md": "About.",
      "languages.json": "{}",
      "unnamed.txt": createTxt("Not in the catalogue."),
    });
    const scene = await startEmpty();
    const page = await openConsole(browser, scene, "import");
    let sent = 0;
    await page.route(EXAMINE, (route) => {
      sent += 1;
      return route.continue();
    });
    await chooseFolder(page, folder);
    await page.getByText("Also store texts and covers of 1 book without new files").waitFor();
    await page.getByRole("button", { name: "Store 1 file" }).click();
    await page.getByText("Done.", { exact: true }).waitFor();
    expect(await exportAll(scene)).toEqual(await exportAsCommand(folder));
    await leftOut(page).getByText("No imported book of the catalogue names it.").waitFor();
    await leftOut(page)
      .getByText(/missing\.epub/)
      .waitFor();
    await expect.poll(() => leftOut(page).getByText("Files of this type aren't imported.").count()).toBe(2);
    // Two texts and the workbook.
    expect(sent).toBe(3);
    await page.reload();
    sent = 0;
    await chooseFolder(page, folder);
    await page.getByText("1 file was there already.").waitFor();
    await leftOut(page).waitFor();
    await expect.poll(() => storeButton(page).count()).toBe(0);
    // Nor that which is in no book.
    expect(sent).toBe(0);
  }, 90_000);

  it("stop before the next file, and go on from there or from the same folder after a reload", async () => {
    const folder = await makeFolder(3);
    const scene = await startEmpty();
    const page = await openConsole(browser, scene, "import");
    const gate = Promise.withResolvers<void>();
    let added = 0;
    await page.route(ADD_FILE, async (route) => {
      added += 1;
      if (added === 2) await gate.promise;
      await route.continue();
    });
    await chooseFolder(page, folder);
    await page.getByRole("button", { name: "Store 6 files" }).click();
    await expect.poll(() => added, { timeout: 20_000 }).toBe(2);
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    gate.resolve();
    await page.getByText(/^Stopped\./).waitFor();
    expect(added).toBe(2);
    await page.getByRole("region", { name: "Left out: 4 entries" }).waitFor();
    await expect.poll(() => leftOut(page).getByText("The run was stopped before it.").count()).toBe(4);
    await page.getByRole("button", { name: "Store 4 files" }).waitFor();
    page.once("dialog", (dialog) => dialog.accept());
    await page.reload();
    await chooseFolder(page, folder);
    await page.getByRole("button", { name: "Store 4 files" }).click();
    await page.getByText("Done.", { exact: true }).waitFor();
    expect(await countFiles(scene)).toEqual(expectedTales(3));
    expect(await exportAll(scene)).toEqual(await exportAsCommand(folder));
  }, 90_000);

  it("send and write nothing twice after a reload, a session that ends, a lost response and a restart", async () => {
    const folder = await makeFolder(3);
    const scene = await startEmpty();
    const page = await openConsole(browser, scene, "import");
    await chooseFolder(page, folder);
    await storeButton(page).waitFor();
    await page.reload();
    // The service still has what was examined before.
    let sent = 0;
    await page.route(EXAMINE, (route) => {
      sent += 1;
      return route.continue();
    });
    await chooseFolder(page, folder);
    await storeButton(page).waitFor();
    expect(sent).toBe(0);
    let books = 0;
    await page.route(BULK, async (route) => {
      books += 1;
      if (books === 1) {
        // It is carried out, and its response is lost.
        await route.fetch();
        return route.abort();
      }
      return route.continue();
    });
    let added = 0;
    await page.route(ADD_FILE, async (route) => {
      added += 1;
      if (added === 2) {
        await route.fetch();
        return route.fulfill({
          status: 503,
          json: { status: 503, code: "shutting_down" },
          headers: { "Retry-After": "1" },
        });
      }
      if (added === 4) await page.context().clearCookies();
      return route.continue();
    });
    await storeButton(page).click();
    await page.getByRole("dialog").waitFor();
    await logIn(page, scene.email);
    await page.getByText("Done.", { exact: true }).waitFor({ timeout: 30_000 });
    expect(await countFiles(scene)).toEqual(expectedTales(3));
    expect(await exportAll(scene)).toEqual(await exportAsCommand(folder));
  }, 90_000);

  it("store nothing by the plan of the former catalogue", async () => {
    const folder = createTempFolder();
    const localFiles = ["one", "two"].map((name) => ({
      path: `${name}.es.txt`,
      languageCode: "es",
      fileType: "txt",
    }));
    writeFiles(folder, {
      "catalogue.json": JSON.stringify({ books: [{ titleEn: "The Well", localFiles: localFiles.slice(1) }] }),
      "one.es.txt": createTxt("A well."),
      "two.es.txt": createTxt("A moon."),
    });
    const scene = await startEmpty();
    const page = await openConsole(browser, scene, "import");
    await chooseFolder(page, folder);
    await page.getByRole("button", { name: "Store 1 file" }).waitFor();
    const gate = Promise.withResolvers<void>();
    await page.route(PLANS, async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page
      .getByRole("combobox", { name: "Catalogue" })
      .selectOption("None: by the names of folders and files");
    await page.getByText("Finding out which books these files are.").waitFor();
    await expect.poll(() => storeButton(page).isDisabled()).toBe(true);
    gate.resolve();
    await page.getByRole("button", { name: "Store 2 files" }).click();
    await page.getByText("2 files were stored.").waitFor();
    expect(await countFiles(scene)).toEqual([
      ["one", 1],
      ["two", 1],
    ]);
  }, 60_000);

  it("say before the run why a book can't be stored as it is, and leave it out", async () => {
    const folder = createTempFolder();
    const link = { languageCode: "es", fileType: "pdf", sourceType: "google_drive", fileName: "moon.pdf" };
    const bookOf = (slug: string) => ({
      slug,
      titleEn: `The ${slug}`,
      translations: [{ languageCode: "es", title: slug }],
      localFiles: [{ path: `${slug}.txt`, languageCode: "es", fileType: "txt" }],
    });
    const moon = { ...bookOf("moon"), files: [{ ...link, cloudUrl: "https://example.com/moon.pdf" }] };
    writeFiles(folder, {
      "catalogue.json": JSON.stringify({ books: [bookOf("well"), moon] }),
      "well.txt": createTxt("A well."),
      "moon.txt": createTxt("A moon."),
    });
    const scene = await startEmpty();
    const page = await openConsole(browser, scene, "import");
    await chooseFolder(page, folder);
    const row = page.getByRole("row").filter({ has: page.getByRole("checkbox", { name: /moon\.txt$/ }) });
    await row.getByText("files.0.cloudUrl: This is not a link to Google Drive.").waitFor();
    await expect.poll(() => row.getByRole("checkbox").isChecked()).toBe(false);
    await expect.poll(() => row.getByText(/doesn't exist/).count()).toBe(0);
    await page.getByRole("button", { name: "Store 1 file" }).click();
    await page.getByText("1 file was stored.").waitFor();
    expect(await countFiles(scene)).toEqual([["well", 1]]);
    await leftOut(page)
      .getByText(/not a link to Google Drive/)
      .waitFor();
  }, 60_000);

  it("send files again that the service has dropped between the sending and the plan", async () => {
    const folder = await makeFolder(2);
    const scene = await startEmpty();
    const page = await openConsole(browser, scene, "import");
    let sent = 0;
    await page.route(EXAMINE, (route) => {
      sent += 1;
      return route.continue();
    });
    await page.route(
      PLANS,
      async (route) => {
        scene.clock.advance(61 * 60_000);
        await scene.container.services.examinations.forgetOld();
        await route.continue();
      },
      { times: 1 },
    );
    await chooseFolder(page, folder);
    await page.getByRole("button", { name: "Store 4 files" }).click();
    await page.getByText("4 files were stored.").waitFor();
    expect(sent).toBe(8);
    expect(await countFiles(scene)).toEqual(expectedTales(2));
  }, 60_000);

  it("name files that fail with the reason, and store them again by one click", async () => {
    const folder = await makeFolder(2);
    const scene = await startEmpty();
    const page = await openConsole(browser, scene, "import");
    await chooseFolder(page, folder);
    let isFailing = true;
    await page.route(ADD_FILE, (route) =>
      isFailing
        ? route.fulfill({ status: 409, json: { status: 409, code: "x", detail: "It doesn't fit." } })
        : route.continue(),
    );
    await storeButton(page).click();
    await page.getByText("4 files failed.").waitFor();
    await page.getByRole("region", { name: "Left out: 4 entries" }).waitFor();
    await expect.poll(() => leftOut(page).getByText("It doesn't fit.").count()).toBe(4);
    isFailing = false;
    await storeButton(page).click();
    await page.getByText("Done.", { exact: true }).waitFor();
    expect(await countFiles(scene)).toEqual(expectedTales(2));
    await leftOut(page).waitFor({ state: "detached" });
  }, 60_000);
});

/** Files of a book in the console: chosen again after they were corrected, dropped at their places, and linked. */
import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { findAccessibilityErrors } from "../../support/chromium.ts";
import { createPicture } from "../../support/covers.ts";
import { dropFiles, startDrag } from "../../support/drop-files.ts";
import { openRowMenu } from "../../support/row-menu.ts";
import { expect, testOn } from "../fixtures.ts";
import { chooseFile } from "../support/choose-file.ts";
import { button } from "../support/locators.ts";
import { WELL } from "../support/scenes.ts";
import { openWell } from "../support/well.ts";

const test = testOn(WELL);

/** The place of the files in Spanish. */
const place = (page: Page) =>
  page
    .getByRole("row", { name: /Spanish/ })
    .getByRole("cell")
    .nth(0);

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");

async function makeFile(folder: string, name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

interface KnownFile {
  fileType: string;
  languageCode: string;
}

// Chosen on the disk, as a person does: the browser compares the path of a file with that of the one before.
test("can be chosen again under the same name", async ({ scene, open, folder }) => {
  const { page, read } = await openWell(scene, open);
  await test.step("after they were rejected and corrected", async () => {
    await chooseFile(await openRowMenu(page, "Replace book.txt"), await makeFile(folder, "book.txt", ""));
    await expect(page.getByText("book.txt wasn't stored")).toBeVisible();
    for (const text of ["Otra vez", "Otra vez, sin errores"]) {
      await chooseFile(await openRowMenu(page, "Replace book.txt"), await makeFile(folder, "book.txt", text));
      await expect.poll(async () => (await read()).files[0].sha256).toBe(hash(text));
    }
  });
  await test.step("covers after they were rejected", async () => {
    const path = await makeFile(folder, "cover.png", "no picture");
    await chooseFile(button(page, "Choose a cover"), path);
    await expect(page.getByText("This didn't work")).toBeVisible();
    await writeFile(path, await createPicture("green"));
    await chooseFile(button(page, "Choose a cover"), path);
    await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  });
  await test.step("after they were taken out of the list of files to add", async () => {
    const path = await makeFile(folder, "uno.es.txt", "Uno");
    for (let time = 1; time <= 2; time += 1) {
      await chooseFile(button(page, "Choose files"), path);
      await expect(page.getByText("1 of 1 file is examined.")).toBeVisible();
      await button(page, "Remove all files").click();
      await expect(page.getByText("1 of 1 file is examined.")).toHaveCount(0);
    }
  });
});

/** Drops two files and then a folder on the place, and takes them out of the list. */
async function dropTogether(page: Page, folder: string): Promise<void> {
  const more = join(folder, "more");
  await mkdir(more);
  await makeFile(more, "tres.es.txt", "Tres");
  await dropFiles(page, place(page), [
    await makeFile(folder, "uno.es.txt", "Uno"),
    await makeFile(folder, "dos.es.html", "<p>Dos</p>"),
  ]);
  await expect(page.getByText("2 of 2 files are examined.")).toBeVisible();
  await dropFiles(page, place(page), [more]);
  await expect(page.getByText("3 of 3 files are examined.")).toBeVisible();
  for (const path of ["uno.es.txt", "dos.es.html", "more/tres.es.txt"])
    await expect(page.getByRole("checkbox", { name: `Store ${path}` })).toBeVisible();
  await button(page, "Remove all files").click();
}

test("are taken where they are dropped: on a language, and on the whole page", async ({
  scene,
  open,
  folder,
}) => {
  const { page, read } = await openWell(scene, open);
  const listFiles = async () =>
    (await read()).files
      .map(({ fileType, languageCode }: KnownFile) => `${fileType} ${languageCode}`)
      .toSorted();
  const asks = page.getByText("Drop files to add them to this book");
  await test.step("together, or in a folder, in the list of files to add", () => dropTogether(page, folder));
  await test.step("one of another format on a language", async () => {
    await dropFiles(page, place(page), [await makeFile(folder, "uno.html", "<p>Uno</p>")]);
    await expect(page.getByText("uno.html was added.")).toBeVisible();
    await expect(page.getByText("1 of 1 file is examined.")).toHaveCount(0);
    await expect(asks).toHaveCount(0);
    await expect(page.getByRole("columnheader", { name: "HTML" })).toBeVisible();
    expect(await listFiles()).toEqual(["html es", "txt es"]);
  });
  await test.step("on the whole page, which says so", async () => {
    const heading = page.getByRole("heading", { name: "Languages and files" });
    const drag = await startDrag(page, heading, [await makeFile(folder, "ithnan.html", "<p>Ithnan</p>")]);
    await drag("dragEnter");
    await drag("dragOver");
    await expect(asks).toBeVisible();
    expect(await findAccessibilityErrors(page)).toEqual([]);
    await drag("drop");
    await expect(asks).toHaveCount(0);
    await expect(page.getByText("1 of 1 file is examined.")).toBeVisible();
    await page.getByRole("combobox", { name: "Language of ithnan.html" }).selectOption("Arabic");
    await button(page, "Store 1 file").click();
    await expect(page.getByText("1 file was stored.")).toBeVisible();
    expect(await listFiles()).toEqual(["html ar", "html es", "txt es"]);
  });
});

test("have another link in the place of one that is broken", async ({ scene, open }) => {
  const client = await scene.admin();
  const link = { languageCode: "es", fileType: "pdf", sourceType: "url", fileName: "pozo.pdf" };
  const cloudUrl = "https://example.org/old.pdf";
  await client.post(`/api/admin/books/${scene.well.id}/cloud-files`, { ...link, cloudUrl });
  const { page, read } = await openWell(scene, open);
  await (await openRowMenu(page, "Link of pozo.pdf")).click();
  const field = page.getByRole("textbox", { name: "Link", exact: true });
  await expect(field).toHaveValue(cloudUrl);
  expect(await findAccessibilityErrors(page)).toEqual([]);
  await field.fill("https://");
  await page.keyboard.press("Enter");
  await field.fill("https://example.org/new.pdf");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Saved")).toBeVisible();
  const urls = (await read()).files.map((file: { cloudUrl: string | null }) => file.cloudUrl);
  expect(urls).toContain("https://example.org/new.pdf");
  const entry = await openRowMenu(page, "Link of book.txt");
  await expect(page.getByRole("menuitem", { name: "Replace book.txt" })).toBeVisible();
  await expect(entry).toHaveCount(0);
});

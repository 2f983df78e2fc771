/** What a file says, where that isn't what its place says: in the notice, with the way back. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { createTitledEpub } from "../../support/book-files.ts";
import { findAccessibilityErrors } from "../../support/chromium.ts";
import { createPicture } from "../../support/covers.ts";
import { dropFiles } from "../../support/drop-files.ts";
import { expect, testOn } from "../fixtures.ts";
import { createHand, openChooser } from "../support/hands.ts";
import { newest, storeAll } from "../support/import-page.ts";
import { button } from "../support/locators.ts";
import { WELL } from "../support/scenes.ts";
import { findWell, openWell } from "../support/well.ts";

const test = testOn(WELL);

/** Of what can be undone. */
const notices = (page: Page) => page.getByRole("alert").filter({ has: button(page, "Undo") });
/** The direction of names in a sentence is isolated by invisible characters. */
const plain = (lines: readonly string[]) => lines.map((line) => line.replace(/[\u2068\u2069]/g, ""));
const linesOf = async (page: Page) => plain(await notices(page).getByRole("listitem").allTextContents());

/** Adds a Spanish EPUB. */
async function addFile({ client, path }: Awaited<ReturnType<typeof findWell>>): Promise<void> {
  await client.upload("post", `${path}/files`, {
    fields: { languageCode: "es" },
    file: { name: "pozo.epub", bytes: await createTitledEpub("El pozo", "es") },
  });
}

/** Chooses a file in the menu of Spanish. */
async function choose(page: Page, entry: RegExp, name: string, buffer: Buffer): Promise<void> {
  await button(page, "Menu of Spanish").click();
  const item = page.getByRole("menuitem", { name: entry });
  const chooser = await openChooser(createHand("mouse", page), page, item);
  await chooser.setFiles({ name, mimeType: "application/epub+zip", buffer });
}

test("on a new file, which Undo removes again", async ({ scene, open }) => {
  const { page, read } = await openWell(scene, open);
  const { files: before } = await read();
  await choose(page, /^Add a file/, "other.epub", await createTitledEpub("Другая книга", "ru"));
  await expect(notices(page)).toContainText("other.epub was added.");
  await expect
    .poll(() => linesOf(page))
    .toEqual([
      "The file says that it is in Russian. Its place is Spanish.",
      "The file says the title “Другая книга”. The title here is “El pozo profundo”.",
    ]);
  expect(await findAccessibilityErrors(page)).toEqual([]);
  await button(page, "Undo").click();
  await expect(page.getByText("The file was removed.")).toBeVisible();
  expect((await read()).files).toEqual(before);
});

test("on a file that is dropped on the place of another one, which Undo takes back", async ({
  scene,
  open,
  folder,
}) => {
  const well = await findWell(scene);
  const { read } = well;
  await addFile(well);
  const page = await open(well.page);
  const hashes = async () => (await read()).files.map(({ sha256 }: { sha256: string }) => sha256);
  const before = await hashes();
  const goat = join(folder, "cabra.epub");
  await writeFile(goat, await createTitledEpub("La cabra", "es-MX"));
  await dropFiles(page, page.getByRole("cell", { name: /pozo\.epub/ }), [goat]);
  await expect
    .poll(() => linesOf(page))
    .toEqual(["The file says the title “La cabra”. The title here is “El pozo profundo”."]);
  await button(page, "Undo").click();
  await expect(page.getByText("pozo.epub is used again.")).toBeVisible();
  expect(await hashes()).toEqual(before);
});

test("on the bytes of another book, and none on a file that is right", async ({ scene, open }) => {
  const { page, client } = await openWell(scene, open);
  const { id } = await scene.make.book("The Goat");
  const bytes = await createTitledEpub("El pozo", "es");
  await client.upload("post", `/api/admin/books/${id}/files`, {
    fields: { languageCode: "es" },
    file: { name: "pozo.epub", bytes },
  });
  await choose(page, /^Add a file/, "pozo.epub", bytes);
  await expect
    .poll(() => linesOf(page))
    .toEqual(["The same file is also in the book “The Goat”, as Spanish."]);
  await choose(
    page,
    /^Replace pozo\.epub/,
    "better.epub",
    await createTitledEpub("El pozo profundo (2)", "es"),
  );
  await expect(page.getByText("pozo.epub was replaced.")).toBeVisible();
  expect(await linesOf(page)).toHaveLength(1);
});

test("on the cover of another book", async ({ scene, open }) => {
  const { page, client, read } = await openWell(scene, open);
  const { id } = await scene.make.book("The Goat");
  const bytes = await createPicture("green");
  await client.upload("put", `/api/admin/books/${id}/covers/default`, { file: { name: "c.jpg", bytes } });
  const chooser = await openChooser(createHand("mouse", page), page, button(page, "Choose a cover"));
  await chooser.setFiles({ name: "cover.jpg", mimeType: "image/jpeg", buffer: bytes });
  await expect.poll(() => linesOf(page)).toEqual(["The book “The Goat” has the same cover."]);
  await button(page, "Undo").click();
  await expect(page.getByText("The cover was removed.")).toBeVisible();
  expect((await read()).covers).toEqual([]);
});

const row = (page: Page, text: string | RegExp) => page.getByRole("row").filter({ hasText: text });
const plainOf = async (scope: Locator) => plain(await scope.getByRole("listitem").allTextContents());

test("on files that are dropped together, with their places, which Undo takes back", async ({
  scene,
  open,
  folder,
}) => {
  const well = await findWell(scene);
  const { read } = well;
  const page = await open(well.page);
  // The page hasn't read it yet.
  await addFile(well);
  const { files: before } = await read();
  const used = async () =>
    (await read()).files.flatMap(({ id, isActive }: { id: string; isActive: number }) =>
      isActive ? id : [],
    );
  const kept = await used();
  await writeFile(join(folder, "right.epub"), await createTitledEpub("بئر", "ar"));
  await writeFile(join(folder, "goat.epub"), await createTitledEpub("La cabra", "es"));
  const files = ["right.epub", "goat.epub"].map((name) => join(folder, name));
  await dropFiles(page, page.getByRole("heading", { name: "Languages and files" }), files);
  await page.getByRole("textbox", { name: "Title of right.epub" }).fill("");
  await button(page, "Store 2 files").click();
  await expect(page.getByText("2 files were stored. 1 stored file has a remark.")).toBeVisible();
  const goat = row(page, "Place: Spanish · EPUB");
  await expect(goat).toContainText("goat.epub");
  expect(await plainOf(goat)).toEqual([
    "The file says the title “La cabra”. The title here is “El pozo profundo”.",
  ]);
  expect(await used()).toHaveLength(kept.length + 1);
  expect(await findAccessibilityErrors(page)).toEqual([]);
  await button(page, "Undo: goat.epub").click();
  await expect(row(page, "Taken back")).toContainText("goat.epub");
  expect(await used()).toEqual(expect.arrayContaining(kept));
  expect((await read()).files).toHaveLength(before.length + 1);
});

test("on files of an import, before and after they are stored", async ({ open, folder }) => {
  await mkdir(join(folder, "es"));
  await writeFile(join(folder, "es", "goat.epub"), await createTitledEpub("Коза", "ru"));
  await writeFile(join(folder, "es", "hen.epub"), await createTitledEpub("La gallina", "es"));
  const page = await open("import");
  const chooser = await openChooser(createHand("mouse", page), page, button(page, "Choose a folder"));
  await chooser.setFiles(join(folder, "es"));
  const draft = page.getByRole("row").filter({ has: page.getByRole("textbox") });
  await expect(draft).toHaveCount(2);
  await page.getByLabel("Show only 1 file that isn't what its place says").check();
  await expect(draft).toHaveCount(1);
  const said = "The file says that it is in Russian. Its place is Spanish.";
  expect(await plainOf(draft)).toEqual([said]);
  await storeAll(page, "Store 2 files");
  const entry = newest(page);
  await expect(entry.getByText("1 file isn't what its place says:")).toBeVisible();
  await expect(entry.getByRole("link", { name: "es/goat.epub" })).toHaveAttribute(
    "href",
    /\/console\/books\/[\w-]+$/,
  );
  expect(await plainOf(entry.getByRole("listitem"))).toEqual([said]);
});

test("is said in Arabic", async ({ scene, open }) => {
  const page = await open(`books/${scene.well.id}`, { locale: "ar" });
  await button(page, "قائمة الإسبانية").click();
  const entry = page.getByRole("menuitem", { name: /^أضف ملفًا/ });
  const chooser = await openChooser(createHand("mouse", page), page, entry);
  const buffer = await createTitledEpub("Другая книга", "ru");
  await chooser.setFiles({ name: "other.epub", mimeType: "application/epub+zip", buffer });
  const notice = page.getByRole("alert").filter({ has: button(page, "تراجع") });
  await expect(notice.getByRole("listitem")).toHaveText([/الروسية/, /«\u2068Другая книга\u2069»/]);
  expect(await findAccessibilityErrors(page)).toEqual([]);
});

/** A title with every kind of script and with markup is text wherever the console shows it. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { createTitledEpub } from "../../support/book-files.ts";
import { linkTo } from "../../support/reader.ts";
import { expect, type Open, testOn } from "../fixtures.ts";
import { storeAll } from "../support/import-page.ts";
import { button, field, section } from "../support/locators.ts";
import { ANY_TITLE, WELL, type WellScene } from "../support/scenes.ts";

const test = testOn(WELL);

/** With characters that XML has words for. */
const IN_XML = ANY_TITLE.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** A published book with the title in English and in Spanish, which was downloaded, and is seen in a sub-language. */
async function addTitle(scene: WellScene) {
  const { make, api, any } = scene;
  const admin = await scene.admin();
  const path = `/api/admin/books/${any.id}`;
  await make.textFile(any.id, "es", "Uno");
  await admin.post(`${path}/translations`, { languageCode: "es", title: ANY_TITLE });
  const { body } = await admin.get("/api/admin/languages");
  const es = body.languages.find(({ code }: { code: string }) => code === "es");
  await make.language("es-MX", { name: undefined, nativeName: undefined, parentId: es.id });
  const contact = { email: "sara@example.org", firstName: "Sara" };
  await linkTo(api, { slug: any.slug, languageCode: "es", contact });
  const contactId: string = (await admin.get("/api/admin/contacts")).body.contacts[0].id;
  return { contactId, archive: () => admin.delete(path) };
}

/** Opens pages, and checks that they show the title and run nothing of it. */
async function openChecked(scene: WellScene, open: Open) {
  const page = await open("account");
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const show = async (path: string, ...places: Locator[]) => {
    await page.goto(scene.base + path);
    for (const place of places) await expect(place.first()).toBeVisible();
    await expect(page.locator("script:not([src])")).toHaveCount(0);
    expect(dialogs).toEqual([]);
  };
  const text = (within: Page | Locator) => within.getByText(ANY_TITLE, { exact: true });
  const link = page.getByRole("link", { name: ANY_TITLE });
  return { page, dialogs, show, text, link, dialog: page.getByRole("dialog") };
}

type Checked = Awaited<ReturnType<typeof openChecked>>;

/** The pages of what belongs to the book. */
async function showOthers({ page, show, text, link, dialog }: Checked, contactId: string) {
  await show("languages");
  await button(page, "Books in Mexican Spanish").click();
  await expect(text(dialog)).toBeVisible();
  await show("publications?languageCode=es", page.getByRole("rowheader", { name: ANY_TITLE }));
  await show(`contacts/${contactId}`, text(page.locator("#content")));
  await show("downloads", link);
  await show("audit", page.getByRole("row").filter({ hasText: ANY_TITLE }));
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Page or book" }).fill("script");
  await expect(page.getByRole("option").filter({ hasText: ANY_TITLE })).toBeVisible();
}

test("is text on every page", async ({ scene, open }) => {
  const { contactId, archive } = await addTitle(scene);
  const checked = await openChecked(scene, open);
  const { page, dialogs, show, text, link, dialog } = checked;
  const path = `books/${scene.any.id}`;
  await test.step("of the book", async () => {
    await show("", text(section(page, "Top books")));
    await show("books", link);
    await button(page, `Move ${ANY_TITLE}`).press("ArrowUp");
    await expect(page.getByText(`${ANY_TITLE} is now at place 1.`)).toBeVisible();
    const languages = section(page, "Languages and files");
    const readers = section(page, "What readers see");
    await show(path, text(page.locator("h1")), text(languages), text(readers));
    await expect(field(page, "Title")).toHaveValue(ANY_TITLE);
    await expect(page).toHaveTitle(new RegExp(RegExp.escape(ANY_TITLE)));
    await button(page, "Show the history").click();
    const added = section(page, "History").locator("ins", { hasText: ANY_TITLE });
    await expect(added.first()).toBeAttached();
    await button(page, "Edit Spanish").click();
    await expect(dialog.getByRole("textbox", { name: "Title" })).toHaveValue(ANY_TITLE);
  });
  await test.step("of other records", () => showOthers(checked, contactId));
  await test.step("of the archived book", async () => {
    await archive();
    await show(path, text(page.locator("h1")));
    await button(page, "Delete for good").click();
    await expect(dialog.getByText(ANY_TITLE)).toBeVisible();
    await show("books?status=archived", link);
    await page.getByRole("checkbox", { name: `Select ${ANY_TITLE}` }).check();
    await button(page, "Publish").click();
    await button(page, "Preview").click();
    await expect(dialog.getByRole("listitem").filter({ hasText: ANY_TITLE })).toBeVisible();
  });
  expect(dialogs).toEqual([]);
});

test("is text where it was recognised in a file", async ({ scene, open, folder }) => {
  const library = join(folder, "library");
  await mkdir(join(library, "es"), { recursive: true });
  await writeFile(join(library, "es", "tale.epub"), await createTitledEpub(IN_XML, "es"));
  const page = await open("import");
  await page.locator("input[webkitdirectory]").setInputFiles(library);
  // A program has escaped the title twice where it says `&amp;amp;`.
  const title = ANY_TITLE.replaceAll("&amp;", "&");
  await expect(page.getByRole("textbox", { name: /^Title of/ })).toHaveValue(title);
  await storeAll(page, "Store 1 file");
  const published = await scene.api.get("/api/books?languageCode=es&search=script");
  expect(published.body.books).toHaveLength(1);
});

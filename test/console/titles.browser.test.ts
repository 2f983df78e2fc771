/** A title with every kind of script and with markup is text wherever the console shows it. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { createTitledEpub } from "../support/book-files.ts";
import { CHROMIUM } from "../support/chromium.ts";
import { ANY_TITLE, openConsole, startConsole, useBrowser } from "../support/console-scene.ts";
import { linkTo } from "../support/reader.ts";
import { createTempFolder } from "../support/temp-folder.ts";

/** With characters that XML has words for. */
const IN_XML = ANY_TITLE.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

const button = (within: Page | Locator, name: string) => within.getByRole("button", { name, exact: true });
const section = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

/** A published book with the title in English and in Spanish, which was downloaded, and is seen in a sub-language. */
async function startWithTitle() {
  const scene = await startConsole();
  const { make, api, any } = scene;
  const admin = await scene.admin();
  const path = `/api/admin/books/${any.id}`;
  await make.textFile(any.id, "es", "Uno");
  await admin.post(`${path}/translations`, { languageCode: "es", title: ANY_TITLE });
  const { body } = await admin.get("/api/admin/languages");
  const es = body.languages.find(({ code }: { code: string }) => code === "es");
  await make.language("es-MX", { parentId: es.id });
  const contact = { email: "sara@example.org", firstName: "Sara" };
  await linkTo(api, { slug: any.slug, languageCode: "es", contact });
  const contactId: string = (await admin.get("/api/admin/contacts")).body.contacts[0].id;
  return { ...scene, contactId, archive: () => admin.delete(path) };
}

describe.skipIf(CHROMIUM === undefined)("a title (needs /usr/bin/chromium)", () => {
  const browser = useBrowser();

  it("is text on every page", async () => {
    const scene = await startWithTitle();
    const page = await openConsole(browser, scene, "account");
    const dialogs: string[] = [];
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    const text = (within: Page | Locator) => within.getByText(ANY_TITLE, { exact: true });
    const value = (name: string | RegExp) => page.getByRole("textbox", { name, exact: true });
    const show = async (path: string, ...places: Locator[]) => {
      await page.goto(scene.base + path);
      for (const place of places) await place.first().waitFor();
      await expect.poll(() => page.locator("script:not([src])").count()).toBe(0);
    };
    const link = page.getByRole("link", { name: ANY_TITLE });

    await show("", text(section(page, "Top books")));
    await show("books", link);
    await button(page, `Move ${ANY_TITLE}`).press("ArrowUp");
    await page.getByText(`${ANY_TITLE} is now at place 1.`).waitFor();
    const languages = section(page, "Languages and files");
    const readers = section(page, "What readers see");
    await show(`books/${scene.any.id}`, text(page.locator("h1")), text(languages), text(readers));
    await expect.poll(() => value("Title").inputValue()).toBe(ANY_TITLE);
    await expect.poll(() => page.title()).toContain(ANY_TITLE);
    await button(page, "Show the history").click();
    await section(page, "History")
      .locator("ins", { hasText: ANY_TITLE })
      .first()
      .waitFor({ state: "attached" });
    await button(page, "Edit Spanish").click();
    await expect
      .poll(() => page.getByRole("dialog").getByRole("textbox", { name: "Title" }).inputValue())
      .toBe(ANY_TITLE);
    await show("languages");
    await button(page, "Books in Mexican Spanish").click();
    await text(page.getByRole("dialog")).waitFor();
    await show("publications?languageCode=es", page.getByRole("rowheader", { name: ANY_TITLE }));
    await show(`contacts/${scene.contactId}`, text(page.locator("#content")));
    await show("downloads", link);
    await show("audit", page.getByRole("row").filter({ hasText: ANY_TITLE }));
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Page or book" }).fill("script");
    await page.getByRole("option").filter({ hasText: ANY_TITLE }).waitFor();

    await scene.archive();
    await show(`books/${scene.any.id}`, text(page.locator("h1")));
    await button(page, "Delete for good").click();
    await page.getByRole("dialog").getByText(ANY_TITLE).waitFor();
    await show("books?status=archived", link);
    await page.getByRole("checkbox", { name: `Select ${ANY_TITLE}` }).check();
    await button(page, "Publish").click();
    await button(page, "Preview").click();
    await page.getByRole("dialog").getByRole("listitem").filter({ hasText: ANY_TITLE }).waitFor();
    expect(dialogs).toEqual([]);
  });

  it("is text where it was recognised in a file", async () => {
    const scene = await startConsole();
    const folder = createTempFolder();
    await mkdir(join(folder, "es"));
    await writeFile(join(folder, "es", "tale.epub"), await createTitledEpub(IN_XML, "es"));
    const page = await openConsole(browser, scene, "import");
    await page.locator("input[webkitdirectory]").setInputFiles(folder);
    const field = page.getByRole("textbox", { name: /^Title of/ });
    await expect.poll(() => field.inputValue(), { timeout: 20_000 }).toBe(ANY_TITLE);
    await button(page, "Store 1 file").click();
    await page.getByText("1 file was stored.").waitFor();
    const published = await scene.api.get("/api/books?languageCode=es&search=script");
    expect(published.body.books).toHaveLength(1);
  });
});

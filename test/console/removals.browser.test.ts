/** What is taken away in the console: after a question that says what goes with it. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM, findAccessibilityErrors } from "../support/chromium.ts";
import { openConsole, startConsole, useBrowser } from "../support/console-scene.ts";
import { createPicture, putCover } from "../support/covers.ts";
import { openRowMenu } from "../support/row-menu.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name, exact: true });
const confirm = (page: Page, question: string) =>
  dialog(page, question).getByRole("button", { name: "Remove", exact: true });

describe.skipIf(CHROMIUM === undefined)("what is removed in the console (needs /usr/bin/chromium)", () => {
  const browser = useBrowser();

  async function prepare() {
    const scene = await startConsole();
    const admin = await scene.admin();
    const path = `/api/admin/books/${scene.well.id}`;
    const read = async () => (await admin.get(path)).body;
    const giveCover = async (code: string) =>
      putCover(admin, scene.well.id, code, await createPicture("green"));
    const open = () => openConsole(browser, scene, `books/${scene.well.id}`);
    return { ...scene, admin, path, read, giveCover, open };
  }

  it("names all that goes with a book that is deleted for good, and what stays", async () => {
    const { admin, make, path, well, giveCover, open } = await prepare();
    const [channel] = (await admin.get("/api/admin/channels")).body.channels;
    const { languages } = (await admin.get("/api/admin/languages")).body;
    const es = languages.find(({ code }: { code: string }) => code === "es");
    await make.publish(well.id, channel.id, es.id);
    await giveCover("es");
    await admin.delete(path);
    const page = await open();
    await button(page, "Delete for good").click();
    const question = dialog(page, "Delete for good");
    await question
      .getByText(
        "This deletes the book, 1 translation, 1 file (14 bytes), 1 cover, and 1 publication. It can't be undone.",
      )
      .waitFor();
    expect(await findAccessibilityErrors(page)).toEqual([]);
  });

  it("removes a translation after a question, and keeps its files", async () => {
    const { read, open } = await prepare();
    const page = await open();
    await button(page, "Edit Spanish").click();
    await button(page, "Remove the translation").click();
    expect((await read()).translations).toHaveLength(1);
    expect(await findAccessibilityErrors(page)).toEqual([]);
    await confirm(page, "Remove the translation").click();
    await page.getByText("The translation was removed.").waitFor();
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    const { translations, files } = await read();
    expect([translations.length, files.length]).toEqual([0, 1]);
    await page.getByRole("row", { name: /Spanish English title/ }).waitFor();
  });

  it("doesn't remove a translation that somebody has changed meanwhile", async () => {
    const { admin, path, read, open } = await prepare();
    const page = await open();
    await button(page, "Edit Spanish").click();
    await button(page, "Remove the translation").click();
    await admin.post(`${path}/translations`, { languageCode: "es", title: "El pozo muy profundo" });
    await confirm(page, "Remove the translation").click();
    await page.getByText("This didn't work").waitFor();
    expect((await read()).translations).toHaveLength(1);
  });

  it("removes the default cover, and the cover of a language, each after a question", async () => {
    const { read, giveCover, open } = await prepare();
    await giveCover("default");
    await giveCover("es");
    const page = await open();
    const codes = async () =>
      (await read()).covers.map(({ languageCode }: { languageCode: string }) => languageCode);
    await button(page, "Remove the cover").click();
    expect(await codes()).toHaveLength(2);
    await confirm(page, "Remove the cover").click();
    await page.getByText("The cover was removed.").waitFor();
    expect(await codes()).toEqual(["es"]);
    await expect.poll(() => button(page, "Remove the cover").count()).toBe(0);
    await button(page, "Edit Spanish").click();
    await button(page, "Remove the cover").click();
    await confirm(page, "Remove the cover").click();
    await expect.poll(codes).toEqual([]);
    await expect.poll(() => button(page, "Remove the cover").count()).toBe(0);
  });

  it("puts another link in the place of one that is broken", async () => {
    const { admin, path, read, open } = await prepare();
    const link = { languageCode: "es", fileType: "pdf", sourceType: "url", fileName: "pozo.pdf" };
    await admin.post(`${path}/cloud-files`, { ...link, cloudUrl: "https://example.org/old.pdf" });
    const page = await open();
    await (await openRowMenu(page, "Link of pozo.pdf")).click();
    const field = page.getByRole("textbox", { name: "Link", exact: true });
    await expect.poll(() => field.inputValue()).toBe("https://example.org/old.pdf");
    expect(await findAccessibilityErrors(page)).toEqual([]);
    await field.fill("https://");
    await page.keyboard.press("Enter");
    await field.fill("https://example.org/new.pdf");
    await page.keyboard.press("Enter");
    await page.getByText("Saved").waitFor();
    const { files } = await read();
    const urls = files.map(({ cloudUrl }: { cloudUrl: string | null }) => cloudUrl);
    expect(urls).toContain("https://example.org/new.pdf");
    const entry = await openRowMenu(page, "Link of book.txt");
    await page.getByRole("menuitem", { name: "Replace book.txt" }).waitFor();
    await expect.poll(() => entry.count()).toBe(0);
  });
});

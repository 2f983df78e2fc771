/** Two people who change the same record in the console. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM, findAccessibilityErrors } from "../support/chromium.ts";
import { openConsole, openWell, startConsole, useBrowser } from "../support/console-scene.ts";
import { pressUntil } from "../support/keyboard.ts";
import { openRowMenu } from "../support/row-menu.ts";

const NOTICE = "Someone else saved this while you typed";
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

describe.skipIf(CHROMIUM === undefined)("two editors (need /usr/bin/chromium)", () => {
  const browser = useBrowser();

  async function openBook() {
    const opened = await openWell(browser);
    await field(opened.page, "Title").waitFor();
    return opened;
  }

  it("are joined with one click where they changed different fields", async () => {
    const { page, admin, path, read } = await openBook();
    await field(page, "Title").fill("The Deeper Well");
    await admin.patch(path, { tags: ["water", "2026"], slug: "a-deep-well" });
    await button(page, "Save").click();
    await page.getByText(NOTICE).waitFor();
    await page.getByRole("cell", { name: "water 2026" }).waitFor();
    expect((await read()).book.titleEn).toBe("The Deep Well");
    expect(await findAccessibilityErrors(page)).toEqual([]);
    await button(page, "Join and save").click();
    await page.getByText("Saved", { exact: true }).waitFor();
    expect((await read()).book).toMatchObject({
      titleEn: "The Deeper Well",
      tags: ["water", "2026"],
      slug: "a-deep-well",
    });
    await expect.poll(() => page.getByText(NOTICE).count()).toBe(0);
  });

  it.each([
    ["mine", "My Well"],
    ["theirs", "Their Well"],
  ])("choose %s of a field that both changed, by keyboard alone", async (choice, kept) => {
    const { page, admin, path, read } = await openBook();
    await field(page, "Title").fill("My Well");
    await field(page, "Description").fill("Mine");
    await admin.patch(path, { titleEn: "Their Well" });
    await page.keyboard.press("Control+s");
    await page.getByText(NOTICE).waitFor();
    const keep = page.getByRole("combobox", { name: "Keep of Title" });
    await pressUntil(page, "Shift+Tab", keep);
    if (choice === "theirs") await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText("Saved", { exact: true }).waitFor();
    expect((await read()).book).toMatchObject({ titleEn: kept, description: "Mine" });
  });

  it("aren't bothered by a change that the form doesn't show", async () => {
    const { page, admin, path, read } = await openBook();
    await field(page, "Title").fill("The Deeper Well");
    await admin.patch(path, { legacyDownloadCount: 70 });
    await button(page, "Save").click();
    await page.getByText("Saved", { exact: true }).waitFor();
    expect((await read()).book).toMatchObject({ titleEn: "The Deeper Well", legacyDownloadCount: 70 });
  });

  it("see each other's translation", async () => {
    const { page, admin, path, read } = await openBook();
    await button(page, "Edit Spanish").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Title" }).fill("Mi pozo");
    await admin.post(`${path}/translations`, {
      languageCode: "es",
      title: "El pozo profundo",
      publisher: "Casa",
    });
    await page.keyboard.press("Enter");
    await dialog.getByText(NOTICE).waitFor();
    await dialog.getByRole("button", { name: "Join and save" }).click();
    await dialog.waitFor({ state: "detached" });
    expect((await read()).translations[0]).toMatchObject({ title: "Mi pozo", publisher: "Casa" });
  });

  it.each(["languages", "channels"] as const)("see each other's change of %s", async (kind) => {
    const scene = await startConsole();
    const admin = await scene.admin();
    const read = async () => (await admin.get(`/api/admin/${kind}`)).body[kind];
    const page = await openConsole(browser, scene, kind);
    await page
      .getByRole("button", { name: /^Edit / })
      .first()
      .click();
    const dialog = page.getByRole("dialog");
    const name = dialog.getByRole("textbox", { name: kind === "languages" ? "Name in English" : "Name" });
    const before = await name.inputValue();
    const [shown] = (await read()).filter((each: { name: string }) => each.name === before);
    await name.fill("Mine");
    await admin.patch(`/api/admin/${kind}/${shown.id}`, { isActive: false });
    await page.keyboard.press("Enter");
    await dialog.getByText(NOTICE).waitFor();
    await dialog.getByRole("button", { name: "Join and save" }).click();
    await dialog.waitFor({ state: "detached" });
    const after = (await read()).find(({ id }: { id: unknown }) => id === shown.id);
    expect(after).toMatchObject({ name: "Mine", isActive: 0 });
  });

  it("see that both added a translation", async () => {
    const { page, admin, path, read } = await openBook();
    await page.getByRole("combobox", { name: "Add a language" }).selectOption("ar");
    await button(page, "Add").click();
    await button(page, "Edit Arabic").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Title" }).fill("بئري");
    const theirs = { languageCode: "ar", title: "البئر", publisher: "Casa" };
    await admin.post(`${path}/translations`, theirs);
    await page.keyboard.press("Enter");
    await dialog.getByText(NOTICE).waitFor();
    expect((await read()).translations).toContainEqual(expect.objectContaining(theirs));
    await dialog.getByRole("button", { name: "Join and save" }).click();
    await dialog.waitFor({ state: "detached" });
    expect((await read()).translations).toContainEqual(expect.objectContaining({ ...theirs, title: "بئري" }));
  });

  it("replace no file that the other has replaced since the page was read", async () => {
    const { page, admin, path, read } = await openBook();
    const replace = async (name: string) => {
      const opener = await openRowMenu(page, `Replace ${name}`);
      const [chooser] = await Promise.all([page.waitForEvent("filechooser"), opener.click()]);
      await chooser.setFiles({ name: "mine.txt", mimeType: "text/plain", buffer: Buffer.from("Mine") });
    };
    await page.getByRole("cell", { name: "book.txt" }).waitFor();
    const readFile = async () => (await read()).files[0];
    const { id } = await readFile();
    const theirs = { bytes: Buffer.from("Theirs"), name: "theirs.txt" };
    await admin.upload("put", `${path}/files/${id}`, { fields: {}, file: theirs });
    const { sha256 } = await readFile();
    await replace("book.txt");
    await page.getByText("has changed since it was read").waitFor();
    expect((await readFile()).sha256).toBe(sha256);
    await page.getByRole("cell", { name: "theirs.txt" }).waitFor();
    await replace("theirs.txt");
    await page.getByText("theirs.txt was replaced.").waitFor();
    expect(await readFile()).toMatchObject({ id, fileName: "mine.txt" });
  });

  it("change different fields of a user", async () => {
    const scene = await startConsole();
    const { id } = await scene.make.user("editor");
    const admin = await scene.admin();
    const page = await openConsole(browser, scene, "users");
    await button(page, "Edit editor").click();
    await field(page, "Name").fill("Vera");
    await admin.patch(`/api/admin/users/${id}`, { role: "viewer", isActive: false });
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const { body } = await admin.get(`/api/admin/users/${id}`);
    expect(body).toMatchObject({ name: "Vera", role: "viewer", isActive: 0 });
  });

  it("find nothing typed changed by a save of someone else", async () => {
    const { page, admin, path } = await openBook();
    await field(page, "Title").fill("Typed");
    await admin.patch(path, { titleEn: "Theirs" });
    // Reads the book again.
    await button(page, "Publish in Spanish on Website").click();
    await page.getByRole("heading", { level: 1, name: "Theirs" }).waitFor();
    await expect.poll(() => field(page, "Title").inputValue()).toBe("Typed");
  });
});

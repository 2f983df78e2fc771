/** Two people who change the same record. */
import type { Locator, Page } from "@playwright/test";
import { findAccessibilityErrors } from "../../support/chromium.ts";
import { pressUntil } from "../../support/keyboard.ts";
import { openRowMenu } from "../../support/row-menu.ts";
import { expect, testOnStandIn } from "../fixtures.ts";
import { Kept, keepBook, keepChannel, keepLanguage } from "../support/kept.ts";
import { button, field } from "../support/locators.ts";
import { BOOK } from "../support/records.ts";

const test = testOnStandIn();

const notice = (within: Page | Locator) => within.getByText("Someone else saved this while you typed");

/** Waits until a form contains nothing that isn't saved. */
async function expectSaved(page: Page) {
  await expect(button(page, "Save")).toBeDisabled();
  await expect(notice(page)).toHaveCount(0);
}

/** Settles by keyboard what both changed. */
async function choose(page: Page, book: ReturnType<typeof keepBook>["book"], choice: "mine" | "theirs") {
  await field(page, "Title").fill(`My Well, ${choice}`);
  await field(page, "Description").fill(`Mine, ${choice}`);
  book.change({ titleEn: `Their Well, ${choice}` });
  await page.keyboard.press("Control+s");
  await expect(notice(page)).toBeVisible();
  await pressUntil(page, "Shift+Tab", page.getByRole("combobox", { name: "Keep of Title" }));
  if (choice === "theirs") await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expectSaved(page);
  const titleEn = choice === "mine" ? "My Well, mine" : "Their Well, theirs";
  expect(book.now).toMatchObject({ titleEn, description: `Mine, ${choice}` });
}

test("join their changes of a book with one click, choose by keyboard, and see only what concerns them", async ({
  api,
  open,
}) => {
  const { book } = keepBook(api);
  const page = await open(BOOK);
  await test.step("where they changed different fields", async () => {
    await field(page, "Title").fill("The Deeper Well");
    const theirs = { tags: ["water", "2026"], slug: "a-deep-well" };
    book.change(theirs);
    await button(page, "Save").click();
    await expect(notice(page)).toBeVisible();
    await expect(page.getByText(/^Saved by .*Ben/)).toBeVisible();
    await expect(page.getByRole("cell", { name: "water 2026" })).toBeVisible();
    expect(book.now.titleEn).toBe("The Deep Well");
    expect(await findAccessibilityErrors(page)).toEqual([]);
    await button(page, "Join and save").click();
    await expect(page.getByText("Saved", { exact: true })).toBeVisible();
    await expectSaved(page);
    expect(book.now).toMatchObject({ ...theirs, titleEn: "The Deeper Well" });
  });
  for (const choice of ["mine", "theirs"] as const)
    await test.step(`where they changed the same field, and ${choice} is kept`, () =>
      choose(page, book, choice));
  await test.step("where the form doesn't show the change", async () => {
    await field(page, "Title").fill("The Deepest Well");
    book.change({ legacyDownloadCount: 70 });
    await button(page, "Save").click();
    await expect.poll(() => book.now.titleEn).toBe("The Deepest Well");
    await expectSaved(page);
    expect(book.now.legacyDownloadCount).toBe(70);
  });
  await test.step("where the page reads their change before anything is saved", async () => {
    await field(page, "Title").fill("Typed");
    book.change({ titleEn: "Theirs" });
    await button(page, "Publish in Spanish on Children's site").click();
    await expect(page.getByRole("heading", { level: 1, name: "Theirs" })).toBeVisible();
    await expect(field(page, "Title")).toHaveValue("Typed");
  });
});

test("see each other's translation, also if both added it", async ({ api, open }) => {
  const { translations, addTranslation } = keepBook(api);
  const spanish = translations.get("es");
  const page = await open(BOOK);
  const dialog = page.getByRole("dialog");
  const join = async () => {
    await page.keyboard.press("Enter");
    await expect(notice(dialog)).toBeVisible();
    await button(dialog, "Join and save").click();
    await expect(dialog).toHaveCount(0);
  };
  await button(page, "Edit Spanish").click();
  await field(dialog, "Title").fill("Mi pozo");
  spanish?.change({ publisher: "Casa" });
  await join();
  expect(spanish?.now).toMatchObject({ title: "Mi pozo", publisher: "Casa" });
  await page.getByRole("combobox", { name: "Add a language" }).selectOption("ar");
  await button(page, "Add").click();
  await button(page, "Edit Arabic").click();
  await field(dialog, "Title").fill("بئري");
  addTranslation({ languageCode: "ar", title: "البئر", publisher: "Casa" });
  await page.keyboard.press("Enter");
  await expect(notice(dialog)).toBeVisible();
  const arabic = translations.get("ar");
  expect(arabic?.now).toMatchObject({ title: "البئر", publisher: "Casa" });
  await button(dialog, "Join and save").click();
  await expect(dialog).toHaveCount(0);
  expect(translations.get("ar")).toBe(arabic);
  expect(arabic?.now).toMatchObject({ title: "بئري", publisher: "Casa" });
});

test("see each other's change of languages and channels", async ({ api, open }) => {
  const language = keepLanguage(api);
  const channel = keepChannel(api);
  const page = await open("languages");
  const tryDialog = async (opener: string, label: string, record: Kept<{ version: string }>) => {
    const dialog = page.getByRole("dialog");
    await button(page, opener).click();
    await field(dialog, label).fill("Mine");
    record.change({ isActive: 0 });
    await page.keyboard.press("Enter");
    await expect(notice(dialog)).toBeVisible();
    await button(dialog, "Join and save").click();
    await expect(dialog).toHaveCount(0);
    expect(record.now).toMatchObject({ name: "Mine", isActive: 0 });
  };
  await tryDialog("Edit Arabic", "Name in English", language);
  await page.getByRole("link", { name: "Channels", exact: true }).click();
  await tryDialog("Edit Children's site", "Name", channel);
});

test("replace no file that the other has replaced since the page was read", async ({ api, open }) => {
  const { details } = keepBook(api);
  const example = api.example("put /api/admin/books/{bookId}/files/{fileId}");
  const file = new Kept(example.file);
  api.on("get /api/admin/books/{bookId}", () => ({ ...details, files: [file.now] }));
  api.on("put /api/admin/books/{bookId}/files/{fileId}", (request) => {
    file.require(request);
    return { ...example, file: file.change({ fileName: "mine.epub" }) };
  });
  const page = await open(BOOK);
  const replace = async (name: string) => {
    const opener = await openRowMenu(page, `Replace ${name}`);
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), opener.click()]);
    const mimeType = "application/epub+zip";
    await chooser.setFiles({ name: "mine.epub", mimeType, buffer: Buffer.from("Mine") });
  };
  await expect(page.getByRole("cell", { name: "pozo.epub" })).toBeVisible();
  file.change({ fileName: "theirs.epub" });
  await replace("pozo.epub");
  await expect(page.getByText("has changed since it was read")).toBeVisible();
  expect(file.now.fileName).toBe("theirs.epub");
  await expect(page.getByRole("cell", { name: "theirs.epub" })).toBeVisible();
  await replace("theirs.epub");
  await expect(page.getByText("theirs.epub was replaced.")).toBeVisible();
  expect(file.now.fileName).toBe("mine.epub");
});

test("change different fields of a user: only what was typed is sent", async ({ api, open }) => {
  const sent: unknown[] = [];
  api.on("patch /api/admin/users/{userId}", ({ body }) => {
    sent.push(body);
    return api.example("patch /api/admin/users/{userId}");
  });
  const page = await open("users");
  await button(page, "Edit Ben").click();
  await field(page, "Name").fill("Vera");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(sent).toEqual([{ name: "Vera" }]);
});

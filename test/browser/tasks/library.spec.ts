/** What an editor does in the console with a library of 70 EPUBs in ten languages. */
import type { Page } from "@playwright/test";
import { createPicture } from "../../support/covers.ts";
import { PASSWORD } from "../../support/factory.ts";
import { reach } from "../../support/keyboard.ts";
import { FILES, readEpub, writeLibrary } from "../../support/library.ts";
import { expect, type Open, testOn } from "../fixtures.ts";
import {
  createHand,
  createKeyboardHand,
  HANDS,
  type Hand,
  type HandKind,
  openChooser,
} from "../support/hands.ts";
import { button, field, heading, link } from "../support/locators.ts";
import { LIBRARY, WELL } from "../support/scenes.ts";
import type { Served } from "../support/template.ts";

const test = testOn(LIBRARY);
const testWithoutLibrary = testOn(WELL);

/** Undoes what was done last. That is offered for some seconds, or for as long as the pointer is over it. */
async function undo(page: Page, hand: Hand) {
  const way = button(page, "Undo").last();
  await way.hover();
  await hand.press(way);
}

interface Library extends Served {
  idOf(title: string): string | undefined;
}

/** An editor in the library: the page, the way through it, and what the service says. */
interface Editor {
  scene: Library;
  page: Page;
  hand: Hand;
}

async function begin(scene: Library, open: Open, kind: HandKind): Promise<Editor> {
  const page = await open("books");
  return { scene, page, hand: createHand(kind, page) };
}

/** Goes from the list of books to the page of one, by the search. @returns a function that reads it */
async function findBook({ scene, page, hand }: Editor, titleEn: string) {
  await hand.type(page.getByRole("searchbox"), titleEn);
  await expect(page.getByText("1 book", { exact: true })).toBeVisible();
  await hand.press(link(page, titleEn));
  await expect(heading(page, titleEn)).toBeVisible();
  const client = await scene.admin();
  return async () => (await client.get(`/api/admin/books/${scene.idOf(titleEn)}`)).body;
}

async function goBack({ page, hand }: Editor) {
  await hand.press(page.getByRole("link", { name: "All books" }));
  await expect(heading(page, "Books")).toBeVisible();
}

type Read = Awaited<ReturnType<typeof findBook>>;

async function correctTitle(editor: Editor, titleEn: string, slug: string) {
  const { page, hand } = editor;
  const read = await findBook(editor, titleEn);
  await hand.type(field(page, "Title"), `${titleEn}, corrected`);
  await hand.press(button(page, "Save"));
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  expect((await read()).book).toMatchObject({ titleEn: `${titleEn}, corrected`, slug });
  await goBack(editor);
  await expect(page).toHaveURL(/search=Tale/);
}

/** Five books, three of them in two languages. */
const SOME = FILES.filter(({ book }) => book > 22 && book <= 27);

testWithoutLibrary(
  "logs in, loads a folder, and the same again without sending anything, by keyboard",
  async ({ scene, open, folder }) => {
    const library = `${folder}/library`;
    await writeLibrary(library, SOME);
    const page = await open("import", { as: "stranger" });
    const hand = createKeyboardHand(page);
    await hand.type(field(page, "E-mail"), scene.email);
    await hand.type(page.getByLabel("Password", { exact: true }), PASSWORD);
    await hand.press(button(page, "Log in"));
    let sent = 0;
    page.on("request", (request) => {
      sent += Number(new URL(request.url()).pathname.endsWith("/api/admin/files/examine"));
    });
    const load = async () => {
      await (await openChooser(hand, page, button(page, "Choose a folder"))).setFiles(library);
      await expect(page.getByText("8 of 8 files are examined.")).toBeVisible();
    };
    await load();
    await expect(page.getByText("5 books, 5 new")).toBeVisible();
    await expect(page.getByText("These languages are new, and are created:")).toBeVisible();
    await hand.press(button(page, "Store 8 files"));
    await expect(page.getByText("5 new books, 0 changed, 0 unchanged.")).toBeVisible();
    const { body } = await (await scene.admin()).get("/api/admin/books?search=tale&limit=200");
    const counts = body.books.map(({ filesCount }: { filesCount: number }) => filesCount);
    expect(counts.toSorted()).toEqual([1, 1, 2, 2, 2]);
    expect(sent).toBe(SOME.length);
    await page.reload();
    await load();
    await expect(page.getByText("8 files were there already.")).toBeVisible();
    expect(sent).toBe(SOME.length);
    await expect(page.getByRole("button", { name: /^Store/ })).toHaveCount(0);
  },
);

/** Publishes a language, and undoes it. */
async function publishAndUndo(editor: Editor) {
  const { page, hand } = editor;
  const read = await findBook(editor, "Tale 11");
  await hand.press(button(page, "Publish in Spanish on Website"));
  await expect(page.getByText("Published in Spanish on Website.")).toBeVisible();
  expect((await read()).publications[0].languageIds).toHaveLength(1);
  await undo(page, hand);
  await expect.poll(async () => (await read()).publications).toEqual([]);
  await goBack(editor);
}

async function archiveAndRestore(editor: Editor) {
  const { page, hand } = editor;
  const read = await findBook(editor, "Tale 40");
  const isArchived = page.getByText("This book is archived");
  await hand.press(button(page, "Archive"));
  await expect(isArchived).toBeVisible();
  expect((await read()).book.isActive).toBe(0);
  await hand.press(button(page, "Restore"));
  await expect(isArchived).toBeHidden();
  const { book, files } = await read();
  expect([book.isActive, files[0].isActive]).toEqual([1, 1]);
  await goBack(editor);
}

async function findOutWhyHidden(editor: Editor) {
  const { scene, page, hand } = editor;
  const read = await findBook(editor, "Tale 20");
  await expect(page.getByText("Readers of this language find this book.")).toBeVisible();
  await hand.choose(page.getByRole("combobox", { name: "As a reader of" }), "Arabic");
  await expect(page.getByText("There is no file in this language.")).toBeVisible();
  const { languageCode } = (await read()).files[0];
  const client = await scene.admin();
  const { body } = await client.get("/api/admin/languages");
  const { id } = body.languages.find(({ code }: { code: string }) => code === languageCode);
  await client.patch(`/api/admin/languages/${id}`, { isActive: false });
  await page.reload();
  const hidden = page.getByRole("row").filter({ hasText: "Don't find it" });
  await hand.press(hidden.getByRole("button", { name: /^Menu of / }));
  await hand.press(page.getByRole("menuitem", { name: "What readers see" }));
  await hand.press(page.getByRole("link", { name: "Make it active on the page of languages" }));
  await expect(heading(page, "Languages")).toBeVisible();
}

test("corrects, publishes, archives and restores, and finds out why a book isn't visible, by keyboard", async ({
  scene,
  open,
}) => {
  const editor = await begin(scene, open, "keyboard");
  await test.step("a title", () => correctTitle(editor, "Tale 33", "tale-33"));
  await test.step("a publication", () => publishAndUndo(editor));
  await test.step("the archive", () => archiveAndRestore(editor));
  await test.step("what readers see", () => findOutWhyHidden(editor));
});

/** Replaces a file, whose id and links stay. */
async function replaceFile({ page, hand }: Editor, read: Read) {
  const [before] = (await read()).files;
  const buffer = await readEpub("Tale 30, revised", before.languageCode);
  await hand.press(page.getByRole("button", { name: /^Menu of / }));
  const entry = page.getByRole("menuitem", { name: "Replace tale-30.epub" });
  const chooser = await openChooser(hand, page, entry);
  await chooser.setFiles({ name: "revised.epub", mimeType: "application/epub+zip", buffer });
  await expect(page.getByText("tale-30.epub was replaced.")).toBeVisible();
  const { files } = await read();
  expect(files).toHaveLength(1);
  expect(files[0]).toMatchObject({ id: before.id, fileSizeBytes: buffer.length });
  expect(files[0].sha256).not.toBe(before.sha256);
}

async function addTranslation({ page, hand }: Editor, read: Read) {
  await hand.choose(page.getByRole("combobox", { name: "Add a language" }), "Arabic");
  await hand.press(button(page, "Add"));
  await hand.press(button(page, "Edit Arabic"));
  const dialog = page.getByRole("dialog");
  const chooser = await openChooser(hand, page, button(dialog, "Choose a cover"));
  const buffer = await createPicture("green");
  await chooser.setFiles({ name: "cover.jpg", mimeType: "image/jpeg", buffer });
  await expect(dialog.getByRole("img", { name: "Cover in Arabic" })).toBeVisible();
  await hand.type(dialog.getByRole("textbox", { name: "Title" }), "الحكاية الثلاثون");
  await hand.press(dialog.getByRole("button", { name: "Save" }));
  await expect(dialog).toBeHidden();
  const { translations, covers } = await read();
  expect(translations).toContainEqual(
    expect.objectContaining({ languageCode: "ar", title: "الحكاية الثلاثون" }),
  );
  expect(covers.map(({ languageCode }: { languageCode: string }) => languageCode)).toEqual(["ar"]);
  await expect(button(page, "Edit Arabic")).toBeFocused();
}

test("replaces a file whose id and links stay, and adds a translation with its cover, by keyboard", async ({
  scene,
  open,
}) => {
  const editor = await begin(scene, open, "keyboard");
  const read = await findBook(editor, "Tale 30");
  await test.step("a file", () => replaceFile(editor, read));
  await test.step("a translation", () => addTranslation(editor, read));
});

/** Adds a tag to a range of rows of a list, and undoes it. */
async function tagRange({ admin }: Served, page: Page, hand: Hand, titles: readonly string[]) {
  const client = await admin();
  const countTagged = async () => (await client.get("/api/admin/books?tag=summer")).body.pagination.total;
  const box = (title = "") => page.getByRole("checkbox", { name: `Select ${title}`, exact: true });
  await hand.press(box(titles[0]));
  await hand.press(box(titles.at(-1)), true);
  await expect(page.getByText(`${titles.length} books selected`)).toBeVisible();
  await hand.press(button(page, "Change tags"));
  await hand.type(page.getByRole("dialog").getByRole("textbox", { name: "Tags" }), "summer");
  await hand.press(button(page, "Preview"));
  await expect(page.getByText(`${titles.length} books change; 0 stay as they are.`)).toBeVisible();
  // The button that was pressed, which was disabled while the service looked.
  await expect(button(page, "Apply")).toBeFocused();
  expect(await countTagged()).toBe(0);
  await hand.press(button(page, "Apply"));
  await expect(page.getByText(`${titles.length} books were changed.`)).toBeVisible();
  expect(await countTagged()).toBe(titles.length);
  await undo(page, hand);
  await expect.poll(countTagged).toBe(0);
}

// The ends of a range, and a place in the order, are chosen in other ways by mouse than by keyboard; Tab stops at four
// places in each row.
test("corrects a title, and adds a tag to forty books and undoes it, by mouse", async ({ scene, open }) => {
  const editor = await begin(scene, open, "mouse");
  const { page, hand } = editor;
  await test.step("a title", () => correctTitle(editor, "Tale 43", "tale-43"));
  await test.step("a tag", async () => {
    await hand.type(page.getByRole("searchbox"), "tale");
    await tagRange(scene, page, hand, scene.titles.slice(2, 42));
  });
});

const FEW = ["Third", "Fourth", "Fifth", "Sixth"];

testWithoutLibrary("adds a tag to a few books by keyboard, and undoes it", async ({ scene, open }) => {
  for (const title of FEW) await scene.make.book(title);
  const page = await open("books");
  await tagRange(scene, page, createHand("keyboard", page), FEW.slice(0, 3));
});

for (const kind of HANDS) {
  testWithoutLibrary(`changes the order by ${kind}, and undoes it`, async ({ scene, open }) => {
    for (const title of FEW) await scene.make.book(title);
    const client = await scene.admin();
    const page = await open("books");
    const hand = createHand(kind, page);
    const readOrder = async () => {
      const { body } = await client.get("/api/admin/books");
      return body.books.slice(0, 4).map(({ titleEn }: { titleEn: string }) => titleEn);
    };
    const [first = "", second, third = "", fourth] = await readOrder();
    const handle = button(page, `Move ${first}`);
    if (kind === "mouse") await handle.dragTo(button(page, `Move ${third}`));
    else {
      await reach(page, handle);
      await page.keyboard.press("ArrowDown");
      await expect(page.getByText(`${first} is now at place 2.`)).toBeVisible();
      await expect(handle).toBeFocused();
      await page.keyboard.press("ArrowDown");
    }
    await expect(page.getByText(`${first} is now at place 3.`)).toBeVisible();
    expect(await readOrder()).toEqual([second, third, first, fourth]);
    await undo(page, hand);
    const before = kind === "mouse" ? [first, second, third] : [second, first, third];
    await expect.poll(readOrder).toEqual([...before, fourth]);
  });
}

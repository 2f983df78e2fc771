/** What an editor does in the console with a library of 70 EPUBs in ten languages: by mouse, and by keyboard alone. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM, type Opener, openPage } from "../support/chromium.ts";
import { type ConsoleScene, startConsole, useBrowser } from "../support/console-scene.ts";
import { createPicture } from "../support/covers.ts";
import { PASSWORD } from "../support/factory.ts";
import { createHand, HANDS, type Hand, type HandKind, openChooser } from "../support/hands.ts";
import { hasFocus, reach } from "../support/keyboard.ts";
import { FILES, makeLibraryFolder, readEpub, stockLibrary } from "../support/library.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });

/** Opens a page of the console and logs in there. */
async function enter(browser: Opener, kind: HandKind, { base, email }: ConsoleScene, path: string) {
  const page = await openPage(browser, base + path);
  page.setDefaultTimeout(20_000);
  const hand = createHand(kind, page);
  await hand.type(page.getByRole("textbox", { name: "E-mail" }), email);
  await hand.type(page.getByLabel("Password", { exact: true }), PASSWORD);
  await hand.press(button(page, "Log in"));
  await page.locator("#content h1").waitFor();
  return { page, hand };
}

/** Undoes what was done last. That is offered for some seconds, or for as long as the pointer is over it. */
async function undo(page: Page, hand: Hand) {
  const way = button(page, "Undo").last();
  await way.hover();
  await hand.press(way);
}

describe.skipIf(CHROMIUM === undefined).each(HANDS)(
  "an editor by %s (needs /usr/bin/chromium or CHROMIUM_PATH)",
  (kind) => {
    const browser = useBrowser();

    /** A library, and its list of books. */
    async function openLibrary(path = "books") {
      const scene = await startConsole();
      const admin = await scene.admin();
      const library = await stockLibrary(scene);
      const entered = await enter(browser, kind, scene, path);
      return { ...scene, ...library, ...entered, admin };
    }

    /** The page of a book of the library, reached by the search. */
    async function openBook(titleEn: string) {
      const library = await openLibrary();
      const { page, hand, admin } = library;
      await hand.type(page.getByRole("searchbox"), titleEn);
      await page.getByText("1 book", { exact: true }).waitFor();
      await hand.press(page.getByRole("link", { name: titleEn, exact: true }));
      await heading(page, titleEn).waitFor();
      const path = `/api/admin/books/${library.idOf(titleEn)}`;
      return { ...library, path, read: async () => (await admin.get(path)).body };
    }

    it("loads a folder, and the same again without sending anything", async () => {
      const scene = await startConsole();
      const folder = await makeLibraryFolder();
      const { page, hand } = await enter(browser, kind, scene, "import");
      let sent = 0;
      page.on("request", (request) => {
        sent += Number(request.url().endsWith("/api/admin/files/examine"));
      });
      const load = async () => {
        await (await openChooser(hand, page, button(page, "Choose a folder"))).setFiles(folder);
        await page.getByText("70 of 70 files are examined.").waitFor({ timeout: 90_000 });
      };
      await load();
      await page.getByText("45 books, 45 new").waitFor();
      await page.getByText("These languages are new, and are created:").waitFor();
      await hand.press(button(page, "Store 70 files"));
      await page.getByText("70 files were stored.").waitFor({ timeout: 90_000 });
      const { body } = await (await scene.admin()).get("/api/admin/books?search=tale&limit=200");
      const counts = body.books.map(({ filesCount }: { filesCount: number }) => filesCount);
      expect(counts.toSorted()).toEqual([...Array(20).fill(1), ...Array(25).fill(2)]);
      expect(sent).toBe(FILES.length);
      await page.reload();
      await load();
      await page.getByText("70 files were there already.").waitFor();
      expect(sent).toBe(FILES.length);
      await expect.poll(() => page.getByRole("button", { name: /^Store/ }).count()).toBe(0);
    }, 240_000);

    it("corrects a title", async () => {
      const { page, hand, read } = await openBook("Tale 33");
      await hand.type(field(page, "Title"), "Tale 33, corrected");
      await hand.press(button(page, "Save"));
      await page.getByText("Saved", { exact: true }).waitFor();
      expect((await read()).book).toMatchObject({ titleEn: "Tale 33, corrected", slug: "tale-33" });
      await hand.press(page.getByRole("link", { name: "All books" }));
      await page.waitForURL(/search=Tale/);
    });

    it("replaces a file, whose id and links stay", async () => {
      const { page, hand, read } = await openBook("Tale 30");
      const [before] = (await read()).files;
      const buffer = await readEpub("Tale 30, revised", before.languageCode);
      await hand.press(page.getByRole("button", { name: /^Menu of / }));
      const entry = page.getByRole("menuitem", { name: "Replace tale-30.epub" });
      const chooser = await openChooser(hand, page, entry);
      await chooser.setFiles({ name: "revised.epub", mimeType: "application/epub+zip", buffer });
      await page.getByText("tale-30.epub was replaced.").waitFor();
      const { files } = await read();
      expect(files).toHaveLength(1);
      expect(files[0]).toMatchObject({ id: before.id, fileSizeBytes: buffer.length });
      expect(files[0].sha256).not.toBe(before.sha256);
    });

    it("adds a translation with its cover", async () => {
      const { page, hand, read } = await openBook("Tale 30");
      await hand.choose(page.getByRole("combobox", { name: "Add a language" }), "Arabic");
      await hand.press(button(page, "Add"));
      await hand.press(button(page, "Edit Arabic"));
      const dialog = page.getByRole("dialog");
      const chooser = await openChooser(
        hand,
        page,
        dialog.getByRole("button", { name: "Choose a cover", exact: true }),
      );
      const buffer = await createPicture("green");
      await chooser.setFiles({ name: "cover.jpg", mimeType: "image/jpeg", buffer });
      await dialog.getByRole("img", { name: "Cover in Arabic" }).waitFor();
      await hand.type(dialog.getByRole("textbox", { name: "Title" }), "الحكاية الثلاثون");
      await hand.press(dialog.getByRole("button", { name: "Save" }));
      await dialog.waitFor({ state: "detached" });
      const { translations, covers } = await read();
      expect(translations).toContainEqual(
        expect.objectContaining({ languageCode: "ar", title: "الحكاية الثلاثون" }),
      );
      expect(covers.map(({ languageCode }: { languageCode: string }) => languageCode)).toEqual(["ar"]);
      await expect.poll(() => hasFocus(page, button(page, "Edit Arabic"))).toBe(true);
    });

    it("publishes a language on a channel, and undoes it", async () => {
      const { page, hand, read } = await openBook("Tale 11");
      await hand.press(button(page, "Publish in Spanish on Website"));
      await page.getByText("Published in Spanish on Website.").waitFor();
      expect((await read()).publications[0].languageIds).toHaveLength(1);
      await undo(page, hand);
      await expect.poll(async () => (await read()).publications).toEqual([]);
    });

    it("adds a tag to forty books, and undoes it", { timeout: 180_000 }, async () => {
      const { page, hand, admin, titles } = await openLibrary("books?search=tale");
      const countTagged = async () => (await admin.get("/api/admin/books?tag=summer")).body.pagination.total;
      const box = (index: number) =>
        page.getByRole("checkbox", { name: `Select ${titles[index]}`, exact: true });
      await hand.press(box(2));
      await hand.press(box(41), true);
      await page.getByText("40 books selected").waitFor();
      await hand.press(button(page, "Change tags"));
      await hand.type(page.getByRole("dialog").getByRole("textbox", { name: "Tags" }), "summer");
      await hand.press(button(page, "Preview"));
      await page.getByText("40 books change; 0 stay as they are.").waitFor();
      expect(await countTagged()).toBe(0);
      await hand.press(button(page, "Apply"));
      await page.getByText("40 books were changed.").waitFor();
      expect(await countTagged()).toBe(40);
      await undo(page, hand);
      await expect.poll(countTagged).toBe(0);
    });

    it("finds out why a book isn't visible", async () => {
      const { page, hand, admin, path } = await openBook("Tale 20");
      await page.getByText("Readers of this language find this book.").waitFor();
      await hand.choose(page.getByRole("combobox", { name: "As a reader of" }), "Arabic");
      await page.getByText("There is no file in this language.").waitFor();
      const { languageCode } = (await admin.get(path)).body.files[0];
      const { body } = await admin.get("/api/admin/languages");
      const { id } = body.languages.find(({ code }: { code: string }) => code === languageCode);
      await admin.patch(`/api/admin/languages/${id}`, { isActive: false });
      await page.reload();
      await hand.press(page.getByRole("button", { name: /^Menu of / }));
      await hand.press(page.getByRole("menuitem", { name: "What readers see" }));
      await hand.press(page.getByRole("link", { name: "Make it active on the page of languages" }));
      await heading(page, "Languages").waitFor();
    });

    it("archives a book, and restores it with its file", async () => {
      const { page, hand, read } = await openBook("Tale 40");
      await hand.press(button(page, "Archive"));
      await page.getByText("This book is archived").waitFor();
      expect((await read()).book.isActive).toBe(0);
      await hand.press(button(page, "Restore"));
      await page.getByText("This book is archived").waitFor({ state: "detached" });
      const { book, files } = await read();
      expect([book.isActive, files[0].isActive]).toEqual([1, 1]);
    });

    it("changes the order, and undoes it", { timeout: 180_000 }, async () => {
      const { page, hand, admin } = await openLibrary();
      const readOrder = async () => {
        const { body } = await admin.get("/api/admin/books");
        return body.books.slice(0, 4).map(({ titleEn }: { titleEn: string }) => titleEn);
      };
      const [first = "", second, third = "", fourth] = await readOrder();
      const handle = button(page, `Move ${first}`);
      if (kind === "mouse") await handle.dragTo(button(page, `Move ${third}`));
      else {
        await reach(page, handle);
        await page.keyboard.press("ArrowDown");
        await page.getByText(`${first} is now at place 2.`).waitFor();
        await expect.poll(() => hasFocus(page, handle)).toBe(true);
        await page.keyboard.press("ArrowDown");
      }
      await page.getByText(`${first} is now at place 3.`).waitFor();
      expect(await readOrder()).toEqual([second, third, first, fourth]);
      await undo(page, hand);
      const before = kind === "mouse" ? [first, second, third] : [second, first, third];
      await expect.poll(readOrder).toEqual([...before, fourth]);
    });
  },
);

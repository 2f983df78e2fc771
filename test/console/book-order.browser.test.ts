/** The order of readers in the console: books are dragged, moved by keys, and moved to any place of the list. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../support/chromium.ts";
import { openConsole, startConsole, useBrowser } from "../support/console-scene.ts";
import { hasFocus, pressUntil } from "../support/keyboard.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const row = (page: Page, title: string) => page.getByRole("row", { name: new RegExp(`Move ${title}$`) });

/** A finger that touches an element, goes to a place and leaves there. */
async function startTouch(page: Page) {
  const session = await page.context().newCDPSession(page);
  const send = (type: "touchStart" | "touchMove" | "touchEnd", points: { x: number; y: number }[]) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  let last = { x: 0, y: 0 };
  return {
    async down(title: string) {
      const handle = button(page, `Move ${title}`);
      await handle.scrollIntoViewIfNeeded();
      const box = await handle.boundingBox();
      if (!box) throw new Error(`${title} can't be seen`);
      last = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      await send("touchStart", [last]);
    },
    async moveTo(y: number) {
      const from = last.y;
      for (const part of [0.2, 0.4, 0.6, 0.8, 1]) {
        last = { ...last, y: from + (y - from) * part };
        await send("touchMove", [last]);
      }
    },
    up: () => send("touchEnd", []),
  };
}

describe.skipIf(CHROMIUM === undefined)("the order of books (needs /usr/bin/chromium)", () => {
  const browser = useBrowser();

  /** The two books of the scene, and others behind them. */
  async function startWith(titles: readonly string[]) {
    const scene = await startConsole();
    for (const title of titles)
      await scene.make.book(title, { tags: title.startsWith("Odd") ? ["odd"] : [] });
    const admin = await scene.admin();
    const order = async (): Promise<string[]> => {
      const { body } = await admin.get("/api/admin/books?limit=200");
      return body.books.map(({ titleEn }: { titleEn: string }) => titleEn);
    };
    return { ...scene, order };
  }

  const NUMBERED = Array.from({ length: 60 }, (_, index) => `Book ${index + 3}`);

  it.each(["mouse", "keyboard"])("is changed by %s, and that is undone", async (way) => {
    const scene = await startWith(["Third", "Fourth"]);
    const [first, second] = await scene.order();
    const page = await openConsole(browser, scene, "books");
    const handle = button(page, `Move ${first}`);
    if (way === "mouse") await handle.dragTo(row(page, "Third"));
    else {
      await pressUntil(page, "Tab", handle);
      await page.keyboard.press("ArrowDown");
      await page.getByText(`${first} is now at place 2.`).waitFor();
      await expect.poll(() => hasFocus(page, handle)).toBe(true);
      await page.keyboard.press("ArrowDown");
    }
    await page.getByText(`${first} is now at place 3.`).waitFor();
    expect(await scene.order()).toEqual([second, "Third", first, "Fourth"]);
    await button(page, "Undo").last().click();
    await expect.poll(async () => (await scene.order()).indexOf(first ?? "")).toBe(way === "mouse" ? 0 : 1);
  });

  it("isn't changed by a drag that Escape ends, nor by one back to its own row", async () => {
    const scene = await startWith(["Third", "Fourth"]);
    const before = await scene.order();
    const page = await openConsole(browser, scene, "books");
    const handle = button(page, "Move Fourth");
    await handle.hover();
    await page.mouse.down();
    await row(page, "Third").hover();
    await page.locator("tr[data-drop=before]", { hasText: "Third" }).waitFor();
    await page.keyboard.press("Escape");
    await page.mouse.up();
    await handle.dragTo(handle, { sourcePosition: { x: 9, y: 9 }, targetPosition: { x: 9, y: 30 } });
    await expect.poll(() => page.locator("tr[data-drop]").count()).toBe(0);
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    expect(await scene.order()).toEqual(before);
  });

  describe("by touch", () => {
    const phone = { hasTouch: true, isMobile: true, viewport: { width: 360, height: 700 } };

    it("is changed by a finger on the handle, which doesn't scroll the page", async () => {
      const scene = await startWith(["Third", "Fourth"]);
      const page = await openConsole(browser, scene, "books", {
        ...phone,
        viewport: { width: 360, height: 1100 },
      });
      const finger = await startTouch(page);
      await finger.down("Fourth");
      const target = await row(page, "Third").boundingBox();
      await finger.moveTo((target?.y ?? 0) + 5);
      await page.locator("tr[data-drop=before]", { hasText: "Third" }).waitFor();
      await expect.poll(() => page.evaluate("scrollY")).toBe(0);
      await finger.up();
      await page.getByText("Fourth is now at place 3.").waitFor();
      expect((await scene.order()).slice(2)).toEqual(["Fourth", "Third"]);
      await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    });

    it("scrolls the page while the finger is near its edge", { timeout: 120_000 }, async () => {
      const scene = await startWith(NUMBERED);
      const page = await openConsole(browser, scene, "books", phone);
      await row(page, "Book 3").waitFor();
      const finger = await startTouch(page);
      await finger.down("Book 3");
      await finger.moveTo(690);
      await expect.poll(() => page.evaluate("scrollY"), { timeout: 40_000 }).toBeGreaterThan(2_000);
      await finger.moveTo(300);
      await finger.up();
      await page.getByText(/Book 3 is now at place \d\d\./).waitFor();
      expect((await scene.order()).indexOf("Book 3")).toBeGreaterThan(10);
    });

    it("is chosen in a dialog by a short press", async () => {
      const scene = await startWith(["Third", "Fourth"]);
      const page = await openConsole(browser, scene, "books", phone);
      await button(page, "Move Fourth").tap();
      await button(page, "To the top").tap();
      await page.getByText("Fourth is now at place 1.").waitFor();
      expect((await scene.order())[0]).toBe("Fourth");
    });
  });

  it("leads the first row of a page to the page before by the keyboard, and back exactly", async () => {
    const scene = await startWith(NUMBERED);
    const before = await scene.order();
    const page = await openConsole(browser, scene, "books?page=2");
    const handle = button(page, "Move Book 51");
    await pressUntil(page, "Tab", handle);
    await page.keyboard.press("ArrowUp");
    await page.getByText("Book 51 is now at place 50.").waitFor();
    expect((await scene.order()).slice(48, 52)).toEqual(["Book 49", "Book 51", "Book 50", "Book 52"]);
    await page.getByText("Page 1 of 2").waitFor();
    await expect.poll(() => hasFocus(page, handle)).toBe(true);
    await page.keyboard.press("ArrowDown");
    await page.getByText("Book 51 is now at place 51.").waitFor();
    await page.getByText("Page 2 of 2").waitFor();
    expect(await scene.order()).toEqual(before);
    await button(page, "Undo").first().click();
    await expect.poll(scene.order).toEqual(before);
  });

  it("takes a book of a later page to the top, to the end and to a place, and back exactly", async () => {
    const scene = await startWith(NUMBERED);
    const before = await scene.order();
    const page = await openConsole(browser, scene, "books?page=2");
    const moveIn = async (choose: () => Promise<void>, place: number) => {
      await button(page, "Move Book 55").click();
      await choose();
      await page.getByText(`Book 55 is now at place ${place}.`).waitFor();
      await expect.poll(async () => (await scene.order()).indexOf("Book 55")).toBe(place - 1);
      await expect.poll(() => page.locator("[data-move-handle]:focus").count()).toBe(1);
      await button(page, "Undo").last().click();
      await expect.poll(scene.order).toEqual(before);
      await row(page, "Book 55").getByText("55", { exact: true }).waitFor();
    };
    await moveIn(() => button(page, "To the top").click(), 1);
    await moveIn(() => button(page, "To the end").click(), 62);
    await moveIn(async () => {
      await page.getByRole("spinbutton", { name: "Place in this list" }).fill("17");
      await page.keyboard.press("Enter");
    }, 17);
  });

  it("is that beside visible books where a filter hides others, and goes back exactly", async () => {
    const scene = await startWith(["Even 1", "Odd 1", "Even 2", "Odd 2", "Even 3", "Odd 3", "Even 4"]);
    const before = await scene.order();
    const page = await openConsole(browser, scene, "books?tag=odd");
    await button(page, "Move Odd 3").click();
    await button(page, "To the top").click();
    await page.getByText("Odd 3 is now at place 1.").waitFor();
    const [first, second] = before;
    expect(await scene.order()).toEqual([
      first,
      second,
      "Even 1",
      "Odd 3",
      "Odd 1",
      "Even 2",
      "Odd 2",
      "Even 3",
      "Even 4",
    ]);
    await button(page, "Undo").click();
    await expect.poll(scene.order).toEqual(before);
  });
});

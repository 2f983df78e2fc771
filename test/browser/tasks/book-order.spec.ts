/** The order of readers in the console: by drags and fingers, across pages, and to any place of the list. */
import type { Locator, Page } from "@playwright/test";
import { pressUntil } from "../../support/keyboard.ts";
import { expect, testOn } from "../fixtures.ts";
import { button } from "../support/locators.ts";
import { ANY_TITLE, TWO_PAGES, WELL, type WellScene } from "../support/scenes.ts";

const test = testOn(WELL);
const testOnTwoPages = testOn(TWO_PAGES);

const row = (page: Page, title: string) => page.getByRole("row", { name: new RegExp(`Move ${title}$`) });
const isAt = (page: Page, title: string, place: number) =>
  expect(page.getByText(`${title} is now at place ${place}.`)).toBeVisible();

async function readOrder({ admin }: WellScene): Promise<string[]> {
  const { body } = await (await admin()).get("/api/admin/books?limit=200");
  return body.books.map(({ titleEn }: { titleEn: string }) => titleEn);
}

/** Two books behind those of the scene. @returns the order */
async function addTwo(scene: WellScene): Promise<string[]> {
  for (const title of ["Third", "Fourth"]) await scene.make.book(title);
  return readOrder(scene);
}

test("isn't changed by a drag that Escape ends, nor by one back to its own row", async ({ scene, open }) => {
  const before = await addTwo(scene);
  const page = await open("books");
  const handle = button(page, "Move Fourth");
  await handle.hover();
  await page.mouse.down();
  await row(page, "Third").hover();
  await expect(page.locator("tr[data-drop=before]", { hasText: "Third" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.mouse.up();
  await handle.dragTo(handle, { sourcePosition: { x: 9, y: 9 }, targetPosition: { x: 9, y: 30 } });
  await expect(page.locator("tr[data-drop]")).toHaveCount(0);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(await readOrder(scene)).toEqual(before);
});

const phone = { hasTouch: true, isMobile: true, viewport: { width: 360, height: 700 } };

test("is changed by a finger on the handle, which doesn't scroll the page", async ({ scene, open }) => {
  const [first, second] = await addTwo(scene);
  const page = await open("books", { ...phone, viewport: { width: 360, height: 1100 } });
  const finger = await startTouch(button(page, "Move Fourth"));
  const target = await row(page, "Third").boundingBox();
  await finger.moveTo((target?.y ?? 0) + 5);
  await expect(page.locator("tr[data-drop=before]", { hasText: "Third" })).toBeVisible();
  await expect.poll(() => page.evaluate("scrollY")).toBe(0);
  await finger.up();
  await isAt(page, "Fourth", 3);
  expect(await readOrder(scene)).toEqual([first, second, "Fourth", "Third"]);
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("is chosen in a dialog by a short press of a finger", async ({ scene, open }) => {
  await addTwo(scene);
  const page = await open("books", phone);
  await button(page, "Move Fourth").tap();
  await button(page, "To the top").tap();
  await isAt(page, "Fourth", 1);
  expect((await readOrder(scene))[0]).toBe("Fourth");
});

testOnTwoPages("scrolls the page while the finger is near its edge", async ({ scene, open }) => {
  const page = await open("books", phone);
  await expect(row(page, "Book 3")).toBeVisible();
  const finger = await startTouch(button(page, "Move Book 3"));
  await finger.moveTo(690);
  await expect.poll(() => page.evaluate("scrollY")).toBeGreaterThan(2_000);
  await finger.moveTo(300);
  await finger.up();
  await expect(page.getByText(/Book 3 is now at place \d\d\./)).toBeVisible();
  expect((await readOrder(scene)).indexOf("Book 3")).toBeGreaterThan(10);
});

testOnTwoPages(
  "leads the first row of a page to the page before by keyboard, and back exactly",
  async ({ scene, open }) => {
    const before = await readOrder(scene);
    const page = await open("books?page=2");
    const handle = button(page, "Move Book 51");
    await pressUntil(page, "Tab", handle);
    await page.keyboard.press("ArrowUp");
    await isAt(page, "Book 51", 50);
    expect((await readOrder(scene)).slice(48, 52)).toEqual(["Book 49", "Book 51", "Book 50", "Book 52"]);
    await expect(page.getByText("Page 1 of 2")).toBeVisible();
    await expect(handle).toBeFocused();
    await page.keyboard.press("ArrowDown");
    await isAt(page, "Book 51", 51);
    await expect(page.getByText("Page 2 of 2")).toBeVisible();
    expect(await readOrder(scene)).toEqual(before);
    await button(page, "Undo").first().click();
    await expect.poll(() => readOrder(scene)).toEqual(before);
  },
);

testOnTwoPages(
  "takes a book of a later page to the top, to the end and to a place, and back exactly",
  async ({ scene, open }) => {
    const before = await readOrder(scene);
    const page = await open("books?page=2");
    const moveIn = async (choose: () => Promise<void>, place: number) => {
      await button(page, "Move Book 55").click();
      await choose();
      await isAt(page, "Book 55", place);
      await expect.poll(async () => (await readOrder(scene)).indexOf("Book 55")).toBe(place - 1);
      await expect(page.locator("[data-move-handle]:focus")).toHaveCount(1);
      await button(page, "Undo").last().click();
      await expect.poll(() => readOrder(scene)).toEqual(before);
      await expect(row(page, "Book 55").getByText("55", { exact: true })).toBeVisible();
    };
    await moveIn(() => button(page, "To the top").click(), 1);
    await moveIn(() => button(page, "To the end").click(), 60);
    await moveIn(async () => {
      await page.getByRole("spinbutton", { name: "Place in this list" }).fill("17");
      await page.keyboard.press("Enter");
    }, 17);
  },
);

test("is that beside visible books where a filter hides others, and goes back exactly", async ({
  scene,
  open,
}) => {
  for (const title of ["Even 1", "Odd 1", "Even 2", "Odd 2", "Even 3", "Odd 3", "Even 4"])
    await scene.make.book(title, { tags: title.startsWith("Odd") ? ["odd"] : [] });
  const before = await readOrder(scene);
  const page = await open("books?tag=odd");
  await button(page, "Move Odd 3").click();
  await button(page, "To the top").click();
  await isAt(page, "Odd 3", 1);
  const others = ["Even 1", "Odd 3", "Odd 1", "Even 2", "Odd 2", "Even 3", "Even 4"];
  expect(await readOrder(scene)).toEqual(["The Deep Well", ANY_TITLE, ...others]);
  await button(page, "Undo").click();
  await expect.poll(() => readOrder(scene)).toEqual(before);
});

interface Point {
  x: number;
  y: number;
}

/** A finger that touches the middle of an element, goes to a place and leaves there. */
async function startTouch(element: Locator) {
  const session = await element.page().context().newCDPSession(element.page());
  const send = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: Point[]) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints });
  await element.scrollIntoViewIfNeeded();
  const box = await element.boundingBox();
  if (!box) throw new Error(`${element} isn't shown`);
  let last = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await send("touchStart", [last]);
  return {
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

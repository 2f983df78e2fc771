/** The grid of publications by mouse and by keyboard, checked in the service afterwards. */
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { CHROMIUM } from "../support/chromium.ts";
import {
  ANY_TITLE,
  type ConsoleScene,
  logIn,
  openConsole,
  startConsole,
  useBrowser,
} from "../support/console-scene.ts";

const PATH = "publications?languageCode=es";

/** On the channels Website and Newsletter, the flags of the two books in their order. */
async function startGrid() {
  const scene = await startConsole();
  await scene.make.channel("Newsletter");
  const admin = await scene.admin();
  const readFlags = async (languageCode = "es") => {
    const address = `/api/admin/channels/matrix?languageCode=${languageCode}&fields=published`;
    const { body } = await admin.get(address);
    return body.books.map(({ published }: { published: string }) => published);
  };
  return { scene, readFlags };
}

const cell = (page: Page, row: number, column: number) =>
  page.locator(`[data-row="${row}"] > [role=gridcell][data-column="${column}"]`);

const activeCell = (page: Page) =>
  page.evaluate(
    "[document.activeElement.closest('[data-row]').dataset.row, document.activeElement.dataset.column].join()",
  );

const flagsOf = (readFlags: () => Promise<string[]>) => expect.poll(() => readFlags());

/** Where the mouse is over an element. */
async function middleOf(element: Locator): Promise<[number, number]> {
  const box = await element.boundingBox();
  if (!box) throw new Error("the element isn't shown");
  return [box.x + box.width / 2, box.y + box.height / 2];
}

const isAscending = (numbers: readonly number[]): boolean =>
  numbers.every((number, place) => number > (numbers[place - 1] ?? 0));

const PUT = "**/api/admin/channels/publications";

describe.skipIf(CHROMIUM === undefined)(
  "the grid of publications (needs /usr/bin/chromium or CHROMIUM_PATH)",
  () => {
    const browser = useBrowser();

    it("publishes by a click, a range by another with Shift, and undoes each", async () => {
      const { scene, readFlags } = await startGrid();
      const page = await openConsole(browser, scene, PATH);
      await cell(page, 0, 0).click();
      await page.getByText("All changes are saved.").waitFor();
      await flagsOf(readFlags).toEqual(["10", "00"]);
      await cell(page, 1, 1).click({ modifiers: ["Shift"] });
      await flagsOf(readFlags).toEqual(["11", "11"]);
      await page.getByRole("button", { name: "Undo" }).click();
      await flagsOf(readFlags).toEqual(["10", "00"]);
      await page.keyboard.press("Control+z");
      await flagsOf(readFlags).toEqual(["00", "00"]);
    });

    it("publishes a cell, a row, a column and a range by keyboard alone", async () => {
      const { scene, readFlags } = await startGrid();
      const page = await openConsole(browser, scene, PATH);
      await cell(page, 0, 0).waitFor();
      await page.getByRole("button", { name: "Save as CSV" }).focus();
      await page.keyboard.press("Tab");
      await expect.poll(() => activeCell(page)).toBe("0,0");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Space");
      await flagsOf(readFlags).toEqual(["01", "00"]);
      await page.keyboard.press("Shift+ArrowDown");
      await page.keyboard.press("Space");
      await flagsOf(readFlags).toEqual(["01", "01"]);
      await page.keyboard.press("Shift+Space");
      await expect.poll(() => activeCell(page)).toBe("1,-1");
      await page.keyboard.press("Space");
      await flagsOf(readFlags).toEqual(["01", "11"]);
      await page.keyboard.press("Home");
      await page.keyboard.press("Control+Space");
      await expect.poll(() => activeCell(page)).toBe("-1,0");
      await page.keyboard.press("Space");
      await flagsOf(readFlags).toEqual(["11", "11"]);
    });

    it("mirrors the arrow keys from right to left", async () => {
      const { scene } = await startGrid();
      const page = await openConsole(browser, scene, PATH, { locale: "ar" });
      await cell(page, 0, 0).focus();
      await page.keyboard.press("ArrowLeft");
      await expect.poll(() => activeCell(page)).toBe("0,1");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowRight");
      await expect.poll(() => activeCell(page)).toBe("0,-1");
    });

    it("marks what the parent language publishes, and doesn't switch it", async () => {
      const { scene, readFlags } = await startGrid();
      const admin = await scene.admin();
      const { body } = await admin.get("/api/admin/languages");
      const parentId = body.languages.find(({ code }: { code: string }) => code === "es").id;
      await scene.make.language("es-MX", { parentId });
      const page = await openConsole(browser, scene, PATH);
      await cell(page, 0, 0).click();
      await flagsOf(readFlags).toEqual(["10", "00"]);
      await page.getByRole("combobox", { name: "Language" }).selectOption("es-MX");
      await page.getByRole("gridcell", { name: "Published by the parent language" }).click();
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Space");
      await flagsOf(() => readFlags("es-MX")).toEqual(["11", "00"]);
      expect(await readFlags()).toEqual(["10", "00"]);
    });

    it("shows what is available and on no channel, and keeps it in its place while it is published", async () => {
      const { scene, readFlags } = await startGrid();
      const page = await openConsole(browser, scene, PATH);
      await page.getByRole("combobox", { name: "Show" }).selectOption("gaps");
      await page.getByRole("rowheader", { name: ANY_TITLE }).waitFor({ state: "detached" });
      await cell(page, 0, 1).click();
      await flagsOf(readFlags).toEqual(["01", "00"]);
      await expect.poll(() => page.getByRole("rowheader", { name: "The Deep Well" }).count()).toBe(1);
      await page.getByRole("searchbox").fill("nothing like this");
      await page.getByRole("button", { name: "Clear the filters" }).click();
      await page.getByRole("rowheader", { name: ANY_TITLE }).waitFor();
    });

    it("saves what is shown as CSV", async () => {
      const { scene } = await startGrid();
      const page = await openConsole(browser, scene, `${PATH}&search=well`);
      await cell(page, 0, 0).waitFor();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Save as CSV" }).click(),
      ]);
      expect(download.suggestedFilename()).toMatch(/^publications-es-\d{4}-\d\d-\d\d\.csv$/);
      const text = await readFile(await download.path(), "utf8");
      expect(text).toBe(
        `\uFEFFbookId,titleEn,available,website,newsletter\r\n${scene.well.id},The Deep Well,1,0,0\r\n`,
      );
    });

    it("keeps focus and order of the rows in the document while it is scrolled", async () => {
      const { scene } = await startGrid();
      const titles = Array.from({ length: 200 }, (_, number) => ({ titleEn: `Book number ${number}` }));
      await (await scene.admin()).post("/api/admin/books/bulk", { books: titles });
      const page = await openConsole(browser, scene, PATH);
      await cell(page, 1, 1).click();
      await page.mouse.move(...(await middleOf(cell(page, 3, 0))));
      for (let turn = 0; turn < 6; turn++) await page.mouse.wheel(0, 400);
      await cell(page, 70, 0).waitFor();
      await expect.poll(() => activeCell(page)).toBe("1,1");
      const readOrder = () =>
        page.evaluate("[...document.querySelectorAll('[role=row]')].map((row) => Number(row.ariaRowIndex))");
      await expect.poll(async () => z.array(z.int()).parse(await readOrder())).toSatisfy(isAscending);
      await expect.poll(() => activeCell(page)).toBe("1,1");
      await page.keyboard.press("ArrowDown");
      await expect.poll(() => activeCell(page)).toBe("2,1");
      await page.keyboard.press("Control+End");
      await cell(page, 201, 1).waitFor();
      await expect.poll(() => activeCell(page)).toBe("201,1");
    });

    it.each([429, 503])("keeps a change that gets %i, and saves it later", async (status) => {
      const { scene, readFlags } = await startGrid();
      const page = await openConsole(browser, scene, PATH);
      const answer = { status, json: { status, code: "x" }, headers: { "Retry-After": "5" } };
      await page.route(PUT, (route) => route.fulfill(answer), { times: 1 });
      await cell(page, 0, 0).click();
      await page.getByText("1 change isn't saved yet.").waitFor();
      expect(await readFlags()).toEqual(["00", "00"]);
      await flagsOf(readFlags).toEqual(["10", "00"]);
    });

    it("keeps a change when the session ends, and saves it after the next log-in", async () => {
      const { scene, readFlags } = await startGrid();
      const page = await openConsole(browser, scene, PATH);
      await cell(page, 0, 0).waitFor();
      await page.context().clearCookies();
      await cell(page, 0, 0).click();
      await page.getByRole("dialog").waitFor();
      await logIn(page, scene.email);
      await flagsOf(readFlags).toEqual(["10", "00"]);
    });

    it.each(["choice", "way back"])(
      "saves what was changed before the %s of another language",
      async (way) => {
        const { scene, readFlags } = await startGrid();
        const page = await openConsole(browser, scene, PATH);
        await page.getByRole("link", { name: "Publications", exact: true }).click();
        const language = page.getByRole("combobox", { name: "Language" });
        await expect.poll(() => language.inputValue()).toBe("ar");
        const stateOf = (row: number) => expect.poll(() => cell(page, row, 0).getAttribute("data-state"));
        const answer = { status: 503, json: { status: 503, code: "x" }, headers: { "Retry-After": "1" } };
        await page.route(PUT, (route) => route.fulfill(answer));
        await cell(page, 0, 0).click();
        await stateOf(0).toBe("on");
        if (way === "choice") await language.selectOption("es");
        else await page.goBack();
        await stateOf(0).toBe("off");
        await page.getByText("1 change isn't saved yet.").waitFor();
        await cell(page, 1, 0).click();
        await page.getByText("2 changes aren't saved yet.").waitFor();
        await page.getByRole("link", { name: "Books", exact: true }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Stay" }).click();
        await page.unroute(PUT);
        await flagsOf(() => readFlags("ar")).toEqual(["10", "00"]);
        await flagsOf(readFlags).toEqual(["00", "10"]);
        await language.selectOption("ar");
        await stateOf(0).toBe("on");
        await page.getByRole("button", { name: "Undo" }).click();
        await flagsOf(() => readFlags("ar")).toEqual(["00", "00"]);
        expect(await readFlags()).toEqual(["00", "10"]);
      },
    );

    it("keeps what was saved while the grid was being read again", async () => {
      const { scene, readFlags } = await startGrid();
      const page = await openConsole(browser, scene, PATH);
      await cell(page, 0, 0).waitFor();
      await page.clock.install();
      await page.clock.fastForward(11_000);
      const { promise: isSaved, resolve: letGo } = Promise.withResolvers<void>();
      let asked = 0;
      let answered = 0;
      await page.route(/\/channels\/matrix\?/, async (route) => {
        asked += 1;
        const old = asked === 1 ? await route.fetch() : undefined;
        if (old) await isSaved;
        await (old ? route.fulfill({ response: old }) : route.continue()).catch(() => undefined);
        answered += 1;
      });
      await Promise.all([
        page.waitForRequest(/matrix/),
        page.evaluate("dispatchEvent(new Event('visibilitychange'))"),
      ]);
      await cell(page, 0, 0).click();
      await page.clock.fastForward(1000);
      await flagsOf(readFlags).toEqual(["10", "00"]);
      await page.getByText("All changes are saved.").waitFor();
      letGo();
      await expect.poll(() => answered).toBeGreaterThan(1);
      await expect.poll(() => cell(page, 0, 0).getAttribute("data-state")).toBe("on");
    });

    it("takes back only the changes that the service rejects, and says why", async () => {
      const { scene, readFlags } = await startGrid();
      const page = await openConsole(browser, scene, PATH);
      await cell(page, 0, 0).waitFor();
      await (await scene.admin()).delete(`/api/admin/books/${scene.any.id}`);
      await page.getByRole("columnheader", { name: "Website" }).click();
      await page.keyboard.press("Space");
      await page.getByText("This didn't work").waitFor();
      await flagsOf(readFlags).toEqual(["10"]);
    });

    it("offers no change to those who may only look", async () => {
      const { scene, readFlags } = await startGrid();
      const { email } = await scene.make.user("viewer");
      const page = await openConsole(browser, { ...scene, email } satisfies ConsoleScene, PATH);
      await cell(page, 0, 0).click();
      await page.keyboard.press("Space");
      await expect.poll(() => page.getByRole("button", { name: "Publish" }).count()).toBe(0);
      expect(await readFlags()).toEqual(["00", "00"]);
    });
  },
);

/** What is typed while the service still works on a save, or while the page still reads what was saved. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../support/chromium.ts";
import { openConsole, startConsole, useBrowser } from "../support/console-scene.ts";

const CONFLICT = "Someone else saved this while you typed";
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/**
 * Holds the requests of a method back until they are released.
 * @returns a function that waits until one is held, and one that releases all
 */
async function holdRequests(page: Page, method: string, path: RegExp) {
  const isHeld = Promise.withResolvers<void>();
  const isReleased = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    isHeld.resolve();
    await isReleased.promise;
    await route.fallback();
  });
  return { untilHeld: () => isHeld.promise, release: isReleased.resolve };
}

describe.skipIf(CHROMIUM === undefined)("on a slow line (needs /usr/bin/chromium)", () => {
  const browser = useBrowser();

  async function openBook() {
    const scene = await startConsole();
    const admin = await scene.admin();
    const path = `/api/admin/books/${scene.well.id}`;
    const page = await openConsole(browser, scene, `books/${scene.well.id}`);
    await field(page, "Title").waitFor();
    return { ...scene, admin, page, path, read: async () => (await admin.get(path)).body };
  }

  it("a form shows what it saved before the page has read it, and saves again without a conflict", async () => {
    const { page, path, read } = await openBook();
    const reads = await holdRequests(page, "GET", new RegExp(`${path}$`));
    await field(page, "Title").fill("The Deeper Well");
    await button(page, "Save").click();
    await reads.untilHeld();
    await page.getByText("Saved", { exact: true }).waitFor();
    await expect.poll(() => button(page, "Save").isDisabled()).toBe(true);
    await expect.poll(() => field(page, "Title").inputValue()).toBe("The Deeper Well");
    await field(page, "Description").fill("About a well");
    await button(page, "Save").click();
    await expect.poll(async () => (await read()).book.description).toBe("About a well");
    reads.release();
    await page.getByRole("heading", { level: 1, name: "The Deeper Well" }).waitFor();
    await expect.poll(() => field(page, "Title").inputValue()).toBe("The Deeper Well");
    await expect.poll(() => page.getByText(CONFLICT).count()).toBe(0);
  });

  it("a form shows what someone else saves after it", async () => {
    const { page, path, admin } = await openBook();
    const reads = await holdRequests(page, "GET", new RegExp(`${path}$`));
    await field(page, "Title").fill("The Deeper Well");
    await button(page, "Save").click();
    await reads.untilHeld();
    await page.getByText("Saved", { exact: true }).waitFor();
    await admin.patch(path, { titleEn: "Theirs" });
    reads.release();
    await expect.poll(() => field(page, "Title").inputValue()).toBe("Theirs");
  });

  it("keeps what is typed in a book while it is saved, also in a field that is saved", async () => {
    const { page, path, read } = await openBook();
    const saves = await holdRequests(page, "PATCH", new RegExp(`${path}$`));
    await field(page, "Title").fill("  The Deeper Well ");
    await field(page, "Series").fill("Wells");
    await page.keyboard.press("Control+s");
    await saves.untilHeld();
    await field(page, "Description").fill("About a well");
    await field(page, "Series").fill("Wells and rivers");
    await field(page, "Tags").fill("riv");
    // The version that this one would change isn't known yet.
    await page.keyboard.press("Control+s");
    saves.release();
    await page.getByText("Saved", { exact: true }).waitFor();
    await expect.poll(() => field(page, "Title").inputValue()).toBe("The Deeper Well");
    await expect.poll(() => field(page, "Description").inputValue()).toBe("About a well");
    await expect.poll(() => field(page, "Series").inputValue()).toBe("Wells and rivers");
    await expect.poll(() => field(page, "Tags").inputValue()).toBe("riv");
    expect((await read()).book).toMatchObject({ description: "", series: { name: "Wells" } });
    await button(page, "Save").click();
    await expect.poll(async () => (await read()).book.description).toBe("About a well");
    expect((await read()).book).toMatchObject({
      titleEn: "The Deeper Well",
      series: { name: "Wells and rivers" },
      tags: ["water", "riv"],
    });
    await expect.poll(() => button(page, "Save").isDisabled()).toBe(true);
    await expect.poll(() => page.getByText(CONFLICT).count()).toBe(0);
  });

  it("keeps what is typed in a dialog while it is saved, and closes it with the next save", async () => {
    const { page, path, read } = await openBook();
    const saves = await holdRequests(page, "POST", new RegExp(`${path}/translations$`));
    await button(page, "Edit Spanish").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Title" }).fill("El pozo");
    await page.keyboard.press("Enter");
    await saves.untilHeld();
    await dialog.getByRole("textbox", { name: "Publisher" }).fill("Pozos");
    saves.release();
    await page.getByText("Saved", { exact: true }).waitFor();
    await expect.poll(() => dialog.getByRole("textbox", { name: "Publisher" }).inputValue()).toBe("Pozos");
    expect((await read()).translations[0]).toMatchObject({ title: "El pozo", publisher: null });
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    expect((await read()).translations[0]).toMatchObject({ title: "El pozo", publisher: "Pozos" });
  });

  it("adds a channel once if more is typed while it is saved", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, "channels");
    const saves = await holdRequests(page, "POST", /\/api\/admin\/channels$/);
    await button(page, "Add a channel").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Name" }).fill("Newsletter");
    await page.keyboard.press("Enter");
    await saves.untilHeld();
    await dialog.getByRole("textbox", { name: "Description" }).fill("Each month");
    saves.release();
    await page.getByText("Saved", { exact: true }).waitFor();
    await button(page, "Add").click();
    await dialog.waitFor({ state: "detached" });
    const { channels } = (await (await scene.admin()).get("/api/admin/channels")).body;
    const added = channels.filter(({ name }: { name: string }) => name === "Newsletter");
    expect(added).toEqual([expect.objectContaining({ description: "Each month" })]);
  });

  it("asks before a page is left whose save is pending, and lets it go once it is saved", async () => {
    const { page, path } = await openBook();
    const saves = await holdRequests(page, "PATCH", new RegExp(`${path}$`));
    await field(page, "Title").fill("The Deeper Well");
    await button(page, "Save").click();
    await saves.untilHeld();
    await page.getByRole("link", { name: "All books" }).click();
    await button(page, "Stay").click();
    saves.release();
    await page.getByText("Saved", { exact: true }).waitFor();
    await expect.poll(() => field(page, "Title").inputValue()).toBe("The Deeper Well");
    await page.getByRole("link", { name: "All books" }).click();
    await page.getByRole("heading", { level: 1, name: "Books", exact: true }).waitFor();
  });

  it("tells who has left the page that the save failed", async () => {
    const { page, path } = await openBook();
    const saves = await holdRequests(page, "PATCH", new RegExp(`${path}$`));
    await field(page, "Address name").fill("not a name");
    await button(page, "Save").click();
    await saves.untilHeld();
    await page.getByRole("link", { name: "Languages", exact: true }).click();
    await button(page, "Leave").click();
    await page.getByRole("heading", { level: 1, name: "Languages" }).waitFor();
    saves.release();
    const notice = page.getByRole("alert").filter({ hasText: "couldn't be saved" });
    await notice.filter({ hasText: "slug" }).waitFor();
  });
});

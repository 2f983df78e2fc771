/** Undo in the console where it fails in part, or somebody else was faster. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM, findAccessibilityErrors } from "../support/chromium.ts";
import { type ConsoleScene, openConsole, startConsole, useBrowser } from "../support/console-scene.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Gives all books of the list a tag. */
async function tagAll(page: Page, tag: string): Promise<void> {
  await page.getByRole("link", { name: "The Deep Well" }).waitFor();
  await page.keyboard.press("Control+a");
  await button(page, "Change tags").click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Tags" }).fill(tag);
  await button(page, "Preview").click();
  await button(page, "Apply").click();
  await button(page, "Undo").waitFor();
}

async function readTags({ admin }: ConsoleScene): Promise<Record<string, string[]>> {
  const { body } = await (await admin()).get("/api/admin/books?status=all");
  return Object.fromEntries(
    body.books.map(({ titleEn, tags }: { titleEn: string; tags: string[] }) => [titleEn, tags]),
  );
}

describe.skipIf(CHROMIUM === undefined)("undo in the console (needs /usr/bin/chromium)", () => {
  const browser = useBrowser();

  it("of many books goes on after a failure, keeps what others changed, and can be tried again", async () => {
    const scene = await startConsole();
    const { id: busy } = await scene.make.book("Busy");
    const { id: changed } = await scene.make.book("Changed");
    const { id: lost } = await scene.make.book("Lost");
    await scene.make.book("Last");
    const page = await openConsole(browser, scene, "books");
    await tagAll(page, "summer");
    await (await scene.admin()).patch(`/api/admin/books/${changed}`, { tags: ["summer", "theirs"] });
    const answer = { status: 503, json: { status: 503, code: "unavailable" } };
    await page.route(`**/api/admin/books/${busy}`, (route) => route.fulfill(answer), { times: 1 });
    await page.route(
      `**/api/admin/books/${lost}`,
      async (route) => {
        await route.fetch();
        await route.abort("connectionreset");
      },
      { times: 1 },
    );
    await button(page, "Undo").click();
    await page.getByText("3 books are as before; 2 aren't yet.").waitFor();
    await page.getByText("1 book stays as it is: somebody changed or deleted it since.").waitFor();
    expect(await findAccessibilityErrors(page)).toEqual([]);
    expect(await readTags(scene)).toMatchObject({ Busy: ["summer"], Last: [], "The Deep Well": ["water"] });
    await page.getByRole("link", { name: "Languages", exact: true }).click();
    await button(page, "Try again").click();
    await page.getByText("5 books are as before.").waitFor();
    expect(await readTags(scene)).toMatchObject({ Busy: [], Changed: ["summer", "theirs"], Lost: [] });
  });

  it("of many books stops at once when the session has ended", async () => {
    const scene = await startConsole();
    for (let index = 0; index < 5; index += 1) await scene.make.book(`Book ${index}`);
    const page = await openConsole(browser, scene, "books");
    await tagAll(page, "summer");
    let asked = 0;
    await page.route(/\/api\/admin\/books\/[^/]+$/, (route) => {
      asked += 1;
      return route.fulfill({ status: 401, json: { status: 401, code: "session_missing" } });
    });
    await button(page, "Undo").click();
    await page.getByText("0 books are as before; 7 aren't yet.").waitFor();
    await page.getByRole("dialog").getByText("Your session has ended").waitFor();
    expect(asked).toBe(2);
  });

  it("of archiving says which books are gone", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, "books");
    await page.getByRole("link", { name: "The Deep Well" }).waitFor();
    await page.keyboard.press("Control+a");
    await button(page, "Archive").click();
    await button(page, "Undo").waitFor();
    await (await scene.admin()).delete(`/api/admin/books/${scene.well.id}?permanent=true`);
    await button(page, "Undo").click();
    await page.getByText("1 book stays as it is: somebody changed or deleted it since.").waitFor();
    await expect.poll(() => page.getByText("The Deep Well").count()).toBe(1);
  });

  it("of one book says that it failed, also on another page", async () => {
    const scene = await startConsole();
    const page = await openConsole(browser, scene, `books/${scene.well.id}`);
    await button(page, "Archive").click();
    await button(page, "Undo").waitFor();
    await page.getByRole("link", { name: "Languages", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Languages" }).waitFor();
    await page.route(/\/restore$/, (route) => route.fulfill({ status: 503, json: {} }));
    await button(page, "Undo").click();
    await page.getByText("This didn't work").waitFor();
  });
});

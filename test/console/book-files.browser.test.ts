/** Files of a book in the console, chosen or dropped at their places: none is lost without a word. */
import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page, Route } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../support/chromium.ts";
import { logIn, openWell, useBrowser } from "../support/console-scene.ts";
import { createPicture } from "../support/covers.ts";
import { dropFiles } from "../support/drop-files.ts";
import { openRowMenu } from "../support/row-menu.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Chooses a file on the disk, as a person does: the browser compares its path with that of the one before. */
async function choose(page: Page, opener: string, path: string): Promise<void> {
  const isInMenu = /^(?:Replace|Add a file)/.test(opener);
  const element = isInMenu ? await openRowMenu(page, opener) : button(page, opener);
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), element.click()]);
  await chooser.setFiles(path);
}

const FILES = /\/api\/admin\/books\/[^/]+\/files(\/[^/]+)?$/;

/** Holds the next request that sends something. @returns a function that lets it go */
async function holdNext(page: Page, url: RegExp, then: (route: Route) => Promise<void>) {
  const gate = Promise.withResolvers<void>();
  let isHeld = false;
  await page.route(url, async (route) => {
    if (isHeld || route.request().method() === "GET") return route.fallback();
    isHeld = true;
    await gate.promise;
    await then(route);
  });
  return gate.resolve;
}

const REJECTION = { status: 409, json: { status: 409, code: "x", detail: "It doesn't fit." } };

async function makeFile(name: string, text = "Uno"): Promise<string> {
  const path = join(createTempFolder(), name);
  await writeFile(path, text);
  return path;
}

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");

describe.skipIf(CHROMIUM === undefined)("files of a book (need /usr/bin/chromium)", () => {
  const browser = useBrowser();

  const openBook = () => openWell(browser);

  it("can be chosen again under the same name after they were corrected", async () => {
    const { page, read } = await openBook();
    const path = join(createTempFolder(), "book.txt");
    for (const text of ["Otra vez", "Otra vez, sin errores"]) {
      await writeFile(path, text);
      await choose(page, "Replace book.txt", path);
      await expect.poll(async () => (await read()).files[0].sha256).toBe(hash(text));
    }
  });

  it("can be chosen again after they were rejected, covers too", async () => {
    const { page } = await openBook();
    const path = join(createTempFolder(), "cover.png");
    await writeFile(path, "no picture");
    await choose(page, "Choose a cover", path);
    await page.getByText("This didn't work").waitFor();
    await writeFile(path, await createPicture("green"));
    await choose(page, "Choose a cover", path);
    await page.getByText("Saved", { exact: true }).waitFor();
  });

  it("can be chosen again after they were taken out of the list of files to add", async () => {
    const { page } = await openBook();
    const path = join(createTempFolder(), "uno.es.txt");
    await writeFile(path, "Uno");
    for (let time = 1; time <= 2; time += 1) {
      await choose(page, "Choose files", path);
      await page.getByText("1 of 1 file is examined.").waitFor();
      await button(page, "Remove all files").click();
      await page.getByText("1 of 1 file is examined.").waitFor({ state: "detached" });
    }
  });

  it("that are sent at the same time are each reported, also the first one when it fails last", async () => {
    const { page, read } = await openBook();
    const release = await holdNext(page, FILES, (route) => route.fulfill(REJECTION));
    await choose(page, "Add a file in Spanish", await makeFile("uno.html", "<p>Uno</p>"));
    await page.getByText(/^Sending uno\.html/).waitFor();
    await choose(page, "Replace book.txt", await makeFile("book.txt", "Otra vez"));
    await page.getByText("book.txt was replaced.").waitFor();
    release();
    const notice = page.getByRole("alert").filter({ hasText: "uno.html wasn't stored" });
    await notice.getByText("It doesn't fit.").waitFor();
    await expect.poll(() => page.getByText(/^Sending/).count()).toBe(0);
    expect((await read()).files[0].sha256).toBe(hash("Otra vez"));
  });

  it("that are dropped together on a place, or in a folder, are all taken to the list of files to add", async () => {
    const { page } = await openBook();
    const place = page
      .getByRole("row", { name: /Spanish/ })
      .getByRole("cell")
      .nth(0);
    await dropFiles(page, place, [await makeFile("uno.es.txt"), await makeFile("dos.es.html", "<p>Dos</p>")]);
    await page.getByText("2 of 2 files are examined.").waitFor();
    const folder = join(createTempFolder(), "more");
    await mkdir(folder);
    await writeFile(join(folder, "tres.es.txt"), "Tres");
    await dropFiles(page, place, [folder]);
    await page.getByText("3 of 3 files are examined.").waitFor();
    for (const path of ["uno.es.txt", "dos.es.html", "more/tres.es.txt"])
      await page.getByRole("checkbox", { name: `Store ${path}` }).waitFor();
  });

  it("are sent to the end when one goes to another page, and the window asks before it closes", async () => {
    const { page, read } = await openBook();
    const release = await holdNext(page, FILES, (route) => route.continue());
    const releaseCover = await holdNext(page, /\/covers\/default$/, (route) => route.fulfill(REJECTION));
    await choose(page, "Replace book.txt", await makeFile("book.txt", "Otra vez"));
    await choose(page, "Choose a cover", await makeFile("cover.png"));
    await page.getByRole("link", { name: "All books" }).click();
    await page.getByRole("heading", { level: 1, name: "Books" }).waitFor();
    const [dialog] = await Promise.all([page.waitForEvent("dialog"), page.close({ runBeforeUnload: true })]);
    expect(dialog.type()).toBe("beforeunload");
    await dialog.dismiss();
    release();
    await page.getByText("book.txt was replaced.").waitFor();
    releaseCover();
    await page.getByText("It doesn't fit.").waitFor();
    expect((await read()).files[0].sha256).toBe(hash("Otra vez"));
  });

  it("are sent again after the next log-in when the session has ended", async () => {
    const { page, email, read } = await openBook();
    await page.context().clearCookies();
    await choose(page, "Replace book.txt", await makeFile("book.txt", "Otra vez"));
    await page.getByRole("dialog").waitFor();
    await logIn(page, email);
    await page.getByText("book.txt was replaced.").waitFor();
    expect((await read()).files[0].sha256).toBe(hash("Otra vez"));
  });
});

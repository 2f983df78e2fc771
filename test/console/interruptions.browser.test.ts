/** A line that breaks, and a server that restarts or hangs, while files are uploaded and forms are filled. */
import { createHash, randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { CHROMIUM } from "../support/chromium.ts";
import { openConsole, useBrowser } from "../support/console-scene.ts";
import { type Restartable, startRestartable } from "../support/restartable-service.ts";
import { createTempFolder } from "../support/temp-folder.ts";

const EXAMINE = /\/api\/admin\/files\/examine$/;
const UNREACHABLE = "The server can't be reached. What you typed is still here; try again.";
/** A little more than the console waits. */
const SILENCE_MS = 46_000;
/** More than the buffers of a connection take. */
const FILE_BYTES = 24 * 1024 * 1024;

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const details = z.object({
  book: z.object({ titleEn: z.string(), description: z.string().nullable() }),
  files: z.array(z.object({ fileName: z.string(), sha256: z.string() })),
});

const readBook = ({ admin }: Restartable, bookId: string) => admin.get(`/api/admin/books/${bookId}`, details);

/** A large file in Spanish, chosen on the page of a book. */
async function chooseLargeFile(page: Page) {
  const content = Buffer.from(randomBytes(FILE_BYTES / 2).toString("hex"));
  const path = join(createTempFolder(), "pozo.txt");
  await writeFile(path, content);
  await page.locator("#content input[type=file][multiple]").setInputFiles(path);
  return createHash("sha256").update(content).digest("hex");
}

/** Does something to the server or the line once a file is being sent. */
async function interrupt(page: Page, line: Restartable["line"], happen: () => Promise<void>) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  await page.route(
    EXAMINE,
    async (route) => {
      line.hold();
      await route.continue();
      await happen().then(resolve, reject);
    },
    { times: 1 },
  );
  return promise;
}

describe.skipIf(CHROMIUM === undefined)("in an interruption (needs /usr/bin/chromium)", () => {
  const browser = useBrowser();

  it.each(["breaks", "stalls", "ends at a server that restarts"])(
    "an upload goes on when the line %s in the middle of it",
    async (what) => {
      const scene = await startRestartable();
      const { line, bookId } = scene;
      const page = await openConsole(browser, scene, `books/${bookId}`);
      await page.locator("#content input[type=file][multiple]").waitFor({ state: "attached" });
      if (what === "stalls") await page.clock.install();
      const interrupted = interrupt(page, line, async () => {
        await page.getByText("Sending", { exact: true }).waitFor();
        if (what === "stalls") {
          await page.clock.fastForward(SILENCE_MS);
          await page.getByText("Waiting for the server", { exact: true }).waitFor();
        } else if (what === "breaks") line.reset();
        else {
          await scene.kill();
          await scene.start();
        }
        line.forward();
      });
      const sha256 = await chooseLargeFile(page);
      await interrupted;
      await page.getByRole("combobox", { name: "Language of pozo.txt" }).selectOption("es");
      await button(page, "Store 1 file").click();
      await page.getByText("1 file was stored.").waitFor();
      expect((await readBook(scene, bookId)).files).toEqual([{ fileName: "pozo.txt", sha256 }]);
    },
  );

  it("nothing is stored twice when the line breaks before each response", async () => {
    const scene = await startRestartable();
    const page = await openConsole(browser, scene, "import");
    const lost = new Set<string>();
    await page.route(/\/api\/admin\/(books|languages)/, async (route) => {
      const request = route.request();
      const step = `${request.method()} ${request.url().replace(/[0-9a-f-]{36}/, "")}`;
      if (request.method() === "GET" || lost.has(step)) return route.continue();
      lost.add(step);
      await route.fetch();
      await route.abort("connectionreset");
    });
    const folder = createTempFolder();
    await writeFile(join(folder, "cuento.es.txt"), "Había una vez");
    await page.locator("input[webkitdirectory]").setInputFiles(folder);
    await button(page, "Store 1 file").click();
    await page.getByText("1 file was stored.").waitFor({ timeout: 30_000 });
    expect(lost.size).toBeGreaterThan(1);
    const list = z.object({ books: z.array(z.object({ titleEn: z.string(), filesCount: z.number() })) });
    const { books } = await scene.admin.get("/api/admin/books?search=cuento", list);
    expect(books).toEqual([expect.objectContaining({ filesCount: 1 })]);
  });

  it("a form that is filled while the server is away is saved when it is back", async () => {
    const scene = await startRestartable();
    const page = await openConsole(browser, scene, `books/${scene.bookId}`);
    await field(page, "Title").fill("The Deeper Well");
    scene.line.reset();
    await scene.stop();
    await button(page, "Save").click();
    await page.getByText(UNREACHABLE).waitFor();
    await field(page, "Description").fill("Typed without a server");
    await scene.start();
    await expect.poll(() => field(page, "Title").inputValue()).toBe("The Deeper Well");
    await page.keyboard.press("Control+s");
    await page.getByText("Saved", { exact: true }).waitFor();
    expect((await readBook(scene, scene.bookId)).book).toEqual({
      titleEn: "The Deeper Well",
      description: "Typed without a server",
    });
  });

  it("a form in a dialog is saved after a restart as if there had been none", async () => {
    const scene = await startRestartable();
    const page = await openConsole(browser, scene, "languages");
    await button(page, "Edit Spanish").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Name in English" }).fill("Castilian");
    await scene.kill();
    await scene.start();
    await page.keyboard.press("Enter");
    await page.getByText("Saved", { exact: true }).waitFor();
    await dialog.waitFor({ state: "detached" });
  });

  it("a server that hangs is reported, and a second attempt is no conflict with the first", async () => {
    const scene = await startRestartable();
    const page = await openConsole(browser, scene, `books/${scene.bookId}`);
    await field(page, "Title").fill("The Deeper Well");
    await page.clock.install();
    scene.freeze();
    const before = scene.line.passedBytes;
    const [request] = await Promise.all([
      page.waitForRequest((each) => each.method() === "PATCH"),
      button(page, "Save").click(),
    ]);
    await expect.poll(() => scene.line.passedBytes).toBeGreaterThan(before);
    await page.clock.fastForward(SILENCE_MS);
    await page.getByText(UNREACHABLE).waitFor();
    expect(request.failure()?.errorText).toBe("net::ERR_ABORTED");
    await expect.poll(() => field(page, "Title").inputValue()).toBe("The Deeper Well");
    scene.thaw();
    // It now carries out what it had received.
    await expect.poll(async () => (await readBook(scene, scene.bookId)).book.titleEn).toBe("The Deeper Well");
    await button(page, "Save").click();
    await page.getByText("Saved", { exact: true }).waitFor();
  });

  it("a list that doesn't come can be read again", async () => {
    const scene = await startRestartable();
    const page = await openConsole(browser, scene, "books");
    await page.clock.install();
    scene.freeze();
    await Promise.all([page.waitForRequest(/search=deep/), page.getByRole("searchbox").fill("deep")]);
    await page.clock.fastForward(SILENCE_MS);
    await page.getByRole("alert").getByText(UNREACHABLE).waitFor();
    scene.thaw();
    await button(page, "Try again").click();
    await page.getByRole("link", { name: "The Deep Well" }).waitFor();
  });

  it.each(["is away", "hangs"])(
    "a page that is opened for the first time while the server %s can be opened again",
    async (what) => {
      const scene = await startRestartable();
      const page = await openConsole(browser, scene, "books");
      await page.clock.install();
      if (what === "hangs") scene.freeze();
      else await scene.kill();
      await Promise.all([
        page.waitForRequest(/\/console\/assets\/languages/),
        page.getByRole("link", { name: "Languages", exact: true }).click(),
      ]);
      if (what === "hangs") await page.clock.fastForward(SILENCE_MS);
      await page.getByRole("alert").getByText(UNREACHABLE).waitFor();
      await expect.poll(() => page.getByRole("navigation", { name: "Navigation" }).isVisible()).toBe(true);
      if (what === "hangs") scene.thaw();
      else await scene.start();
      await button(page, "Try again").click();
      await button(page, "Edit Spanish").waitFor();
    },
  );
});
